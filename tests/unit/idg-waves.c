/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What waves of 64 threads run of code that warps of 32 executed: operations, bytes and turns are
 * those of the warps, whatever these do, and nothing comes before what it waits for.
 */
#include "idg/waves.h"
#include "tests/help/seeds.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsIdg *idg, *of_waves;
    PsKernel *warps, *waves;
    GPtrArray *warnings;
} Case;

static Case *case_new(const char *launch, const char *codes)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='k' code='ptx'><param name='n' value='6'/>"
        "<launch %s/>%s</idg>",
        launch, codes);
    g_autoptr(GError) error = NULL;
    Case *made = g_new0(Case, 1);
    made->warnings = g_ptr_array_new_with_free_func(g_free);
    made->idg = ps_idg_parse(text, strlen(text), "k.idg", &error);
    g_assert_no_error(error);
    made->warps = ps_kernel_new(made->idg, NULL, &error);
    g_assert_no_error(error);
    const PsWavesOf of = {.idg = made->idg, .wave = 64};
    made->waves = ps_kernel_of_waves(&of, &made->of_waves, made->warnings, &error);
    g_assert_no_error(error);
    return made;
}

static void case_free(Case *made)
{
    ps_kernel_free(made->warps);
    ps_kernel_free(made->waves);
    ps_idg_free(made->idg);
    ps_idg_free(made->of_waves);
    g_ptr_array_unref(made->warnings);
    g_free(made);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Case, case_free)

/* The node of the wave's program, which there must be. */
static const PsProgramNode *node_of(const Case *made, gint64 wave, const char *name)
{
    const int program = ps_kernel_program_of(made->waves, 0, wave);
    for (guint n = 0; n < made->waves->programs[program].n_nodes; n++)
        if (strcmp(made->waves->programs[program].nodes[n].item->name, name) == 0)
            return &made->waves->programs[program].nodes[n];
    g_error("no node %s", name);
}

static double number(PsRational value)
{
    return ps_rational_to_double(value);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Warp 0 does more than warp 1, with more of its threads; both load. */
static void test_means(void)
{
    g_autoptr(Case) made = case_new(
        "groups='1' group-size='64'",
        "<code warps='0'><node name='l' class='global.load' bytes='4' l1='1' l2='0.5' device='0.5' "
        "line='1'/><loop times='8'><node name='x' class='fadd' ops='1' type='fp32' lanes='0.75' "
        "line='2'/></loop><node name='s' class='global.store' after='x' bytes='4' l1='1' l2='1' "
        "device='1' line='3'/></code>"
        "<code><node name='l' class='global.load' bytes='4' l1='0.5' l2='0.25' device='0.25' "
        "line='1'/><loop times='2'><node name='y' class='fadd' ops='1' type='fp32' line='2'/>"
        "</loop></code>");
    g_assert_cmpuint(made->warnings->len, ==, 0);
    g_assert_cmpfloat(number(node_of(made, 0, "l")->share[PS_LEVEL_L1]), ==, 0.75);
    g_assert_cmpfloat(number(node_of(made, 0, "l")->share[PS_LEVEL_L2]), ==, 0.375);
    g_assert_cmpfloat(number(node_of(made, 0, "l")->lanes), ==, 1);
    g_assert_cmpint(node_of(made, 0, "x")->count, ==, 8);
    g_assert_cmpfloat(number(node_of(made, 0, "x")->lanes), ==, (0.75 + 0.25) / 2);
    g_assert_cmpfloat(number(node_of(made, 0, "s")->lanes), ==, 0.5);
    g_assert_cmpfloat(number(node_of(made, 0, "s")->share[PS_LEVEL_DEVICE]), ==, 0.5);
    g_assert_cmpuint(node_of(made, 0, "s")->n_deps, ==, 1);
}

/* Both sides of a branch run, one after the other; a node that waits for one of each waits for
 * both, and one of two with the same name has another. */
static void test_both_sides(void)
{
    g_autoptr(Case) made =
        case_new("groups='1' group-size='64'",
                 "<code warps='0'><node name='a' class='iadd' line='1'/><node name='b' "
                 "class='fmul' after='a' line='2'/><node name='z' class='fadd' after='b' "
                 "line='9'/></code><code><node name='a' class='iadd' line='1'/><node name='b' "
                 "class='fadd' after='a' line='4'/><node name='z' class='fadd' after='b' "
                 "line='9'/></code>");
    const int program = ps_kernel_program_of(made->waves, 0, 0);
    g_assert_cmpint(made->waves->programs[program].length, ==, 4);
    g_assert_cmpuint(node_of(made, 0, "z")->n_deps, ==, 2);
    g_assert_cmpfloat(number(node_of(made, 0, "b")->lanes), ==, 0.5);
    g_assert_cmpfloat(number(node_of(made, 0, "b__2")->lanes), ==, 0.5);
}

/* A wave whose second warp is not full, and one that has no second warp. */
static void test_rests(void)
{
    static const char codes[] =
        "<code warps='0'><node name='x' class='fadd' ops='1' type='fp32' line='1'/></code>"
        "<code warps='1..n'><node name='y' class='fadd' ops='1' type='fp32' line='1'/><node "
        "name='z' class='fadd' ops='1' type='fp32' line='2'/></code>";
    g_autoptr(Case) narrow = case_new("groups='1' group-size='48'", codes);
    g_assert_cmpfloat(number(node_of(narrow, 0, "z")->lanes), ==, 16. / 48);
    g_assert_cmpfloat(number(node_of(narrow, 0, "x")->lanes), ==, 1);
    g_autoptr(Case) odd = case_new("groups='1' group-size='96'", codes);
    g_assert_cmpfloat(number(node_of(odd, 0, "z")->lanes), ==, 0.5);
    g_assert_cmpfloat(number(node_of(odd, 1, "z")->lanes), ==, 1);
    g_assert_cmpint(ps_kernel_program_of(odd->waves, 0, 2), ==, -1);
}

/* Each warp of a wave comes to as many barriers, which are met once; else nothing joins. */
static void test_barriers(void)
{
    g_autoptr(Case) same = case_new(
        "groups='1' group-size='64'",
        "<code warps='0'><node name='a' class='fadd' line='1'/><node name='v' class='barrier' "
        "line='2'/><node name='b' class='fadd' line='1'/></code><code><node name='v' "
        "class='barrier' line='2'/><node name='a' class='fadd' line='1'/><node name='b' "
        "class='fadd' line='1'/></code>");
    g_assert_cmpuint(same->warnings->len, ==, 0);
    g_assert_cmpint(same->waves->programs[ps_kernel_program_of(same->waves, 0, 0)].length, ==, 4);
    g_autoptr(Case) other = case_new(
        "groups='1' group-size='64'",
        "<code warps='0'><node name='v' class='barrier' line='2'/></code><code><node name='a' "
        "class='fadd' line='1'/><node name='b' class='barrier' line='3'/></code>");
    g_assert_cmpuint(other->warnings->len, ==, 1);
    g_assert_nonnull(strstr(other->warnings->pdata[0], "within a wave of 64"));
    g_assert_cmpint(other->waves->programs[ps_kernel_program_of(other->waves, 0, 0)].length, ==, 2);
}

/* Turns of both warps at one place: a wave has the sum, which twice as many as its own are. */
static void test_turns(void)
{
    g_autoptr(Case) made = case_new("groups='1' group-size='64'",
                                    "<code warps='0'><node name='x' class='atomic' bytes='4' "
                                    "spot='s' serial='32' line='1'/></code><code><node name='y' "
                                    "class='atomic' bytes='4' spot='s' serial='8' turns='0.5' "
                                    "line='1'/></code>");
    const PsProgramNode *node = node_of(made, 0, "x");
    g_assert_cmpfloat(2 * node->item->serial * number(node->turns), ==, 32 + 8 * 0.5);
}

/* Nothing changes where there is nothing to join, and nothing is joined twice. */
static void test_nothing_to_join(void)
{
    g_autoptr(Case) one = case_new("groups='1' group-size='256'",
                                   "<code><node name='x' class='fadd' line='1'/></code>");
    g_assert_null(one->of_waves);
    g_autoptr(Case) two = case_new("groups='1' group-size='64'",
                                   "<code warps='0'><node name='x' class='fadd' line='1'/></code>"
                                   "<code><node name='y' class='fmul' line='1'/></code>");
    g_assert_nonnull(two->of_waves);
    const PsWavesOf of = {.idg = two->of_waves, .wave = 64};
    PsIdg *again;
    g_autoptr(PsKernel) kernel = ps_kernel_of_waves(&of, &again, NULL, NULL);
    g_assert_null(again);
    g_assert_cmpint(kernel->programs[ps_kernel_program_of(kernel, 0, 0)].length, ==, 2);
}

/* ---- random codes -------------------------------------------------------------------------- */

/* Items of one code, of which each warp has some, in its own way. */
static void add_items(GRand *rand, guint depth, guint line, guint *n, GString *text)
{
    static const char *const shares[] = {"0.25", "0.5", "1"}, *const lanes[] = {"0.5", "0.125",
                                                                                "1"};
    for (guint i = 0; i < 4; i++) {
        const guint at = line * 10 + i;
        if (g_rand_int_range(rand, 0, 4) == 0)
            continue;
        const guint kind = at * 7919 % 5;
        if (kind == 4 && depth < 2) {
            g_string_append_printf(text, "<loop times='%d'><node name='n%u' class='iadd'/>",
                                   g_rand_int_range(rand, 0, 5), (*n)++);
            add_items(rand, depth + 1, at, n, text);
            g_string_append(text, "</loop>");
        } else if (kind >= 3) {
            g_string_append_printf(
                text,
                "<node name='n%u' class='atomic.global' bytes='4' l1='%s' l2='%s' device='%s' "
                "serial='%d' turns='%s' spot='s' line='%u'/>",
                (*n)++, shares[g_rand_int_range(rand, 0, 3)], shares[g_rand_int_range(rand, 0, 3)],
                shares[g_rand_int_range(rand, 0, 3)], g_rand_int_range(rand, 2, 33),
                shares[g_rand_int_range(rand, 0, 3)], at + 1);
        } else {
            const guint on = (guint)g_rand_int_range(rand, 0, (gint32)*n);
            g_string_append_printf(text,
                                   "<node name='n%u' class='fadd' after='n%u' ops='%u' "
                                   "type='fp32' lanes='%s' line='%u'/>",
                                   (*n)++, on, kind + 1, lanes[g_rand_int_range(rand, 0, 3)],
                                   at + 1);
        }
    }
}

typedef struct {
    double ops, bytes[PS_N_LEVELS], turns;
} Sums;

/* What all warps or waves of a group do. */
static Sums sums_of(const PsKernel *kernel, gint64 wide)
{
    Sums sums = {0};
    for (gint64 w = 0; w < (kernel->group_size - 1) / wide + 1; w++) {
        const int p = ps_kernel_program_of(kernel, 0, w);
        const double threads = (double)MIN(wide, kernel->group_size - w * wide);
        for (guint i = 0; p >= 0 && i < kernel->programs[p].n_nodes; i++) {
            const PsProgramNode *node = &kernel->programs[p].nodes[i];
            const double runs = (double)node->count * threads;
            sums.ops += (double)node->ops * runs * number(node->lanes);
            for (PsLevel level = 0; node->bytes && level < PS_N_LEVELS; level++)
                sums.bytes[level] +=
                    (double)node->bytes * runs * fmax(number(node->share[level]), 0);
            if (node->spot)
                sums.turns += (double)node->count * number(node->turns) * node->item->serial *
                              (double)wide / 32;
        }
    }
    return sums;
}

static gboolean are_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), 1);
}

static gboolean check_sums(guint32 seed, gpointer data)
{
    (void)data;
    GRand *rand = g_rand_new_with_seed(seed);
    const guint warps = 2 * (guint)g_rand_int_range(rand, 1, 5);
    GString *codes = g_string_new(NULL);
    for (guint w = 0; w < warps; w++) {
        guint n = 1;
        g_string_append_printf(codes, "<code warps='%u'><node name='n0' class='iadd'/>", w);
        add_items(rand, 0, 0, &n, codes);
        g_string_append(codes, "</code>");
    }
    g_autofree char *launch = g_strdup_printf("groups='1' group-size='%u'", warps * 32);
    g_autoptr(Case) made = case_new(launch, codes->str);
    g_string_free(codes, TRUE);
    g_rand_free(rand);
    const Sums a = sums_of(made->warps, 32), b = sums_of(made->waves, 64);
    gboolean fine =
        made->warnings->len == 0 && are_close(a.ops, b.ops) && are_close(a.turns, b.turns);
    for (PsLevel level = 0; level < PS_N_LEVELS; level++)
        fine &= are_close(a.bytes[level], b.bytes[level]);
    if (!fine)
        g_test_message("operations %g and %g, turns %g and %g", a.ops, b.ops, a.turns, b.turns);
    return fine;
}

static void test_sums(void)
{
    seeds_check((SeedCounts){400, 20}, check_sums, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/idg/waves/means", test_means);
    g_test_add_func("/idg/waves/both-sides", test_both_sides);
    g_test_add_func("/idg/waves/rests", test_rests);
    g_test_add_func("/idg/waves/barriers", test_barriers);
    g_test_add_func("/idg/waves/turns", test_turns);
    g_test_add_func("/idg/waves/nothing-to-join", test_nothing_to_join);
    g_test_add_func("/idg/waves/sums", test_sums);
    return g_test_run();
}
