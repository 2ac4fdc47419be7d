/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of several kinds (docs/reference/model.md, section 3): which one comes when, what files
 * say of them, and that launches of them take what they must between those of each kind alone.
 */
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <string.h>

/* ---- graphs -------------------------------------------------------------------------------- */

static PsIdg *parse(const char *kinds)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='k'>\n"
                                            "<param name='n' value='3'/>\n"
                                            "<launch groups='9' group-size='64'/>\n%s</idg>\n",
                                            kinds);
    PsIdg *idg = ps_idg_parse(text, strlen(text), "k.idg", &error);
    if (!idg)
        g_test_message("%s", error->message);
    g_assert_nonnull(idg);
    return idg;
}

/* A kind for each share, each with a chain of additions `trips` times as long as the text says. */
typedef struct {
    const char *share, *trips; /* the first without a share ends them */
} Kind;

static PsIdg *chains(const Kind *kinds)
{
    PsIdg *idg = build_idg("1", "32");
    for (guint k = 0; kinds[k].share; k++) {
        g_autofree char *name = g_strdup_printf("kind%u", k);
        ps_idg_add_kind(idg, name, build_expr(kinds[k].share));
        GPtrArray *body = ps_idg_add_code(idg)->body;
        build_node(build_loop(body, kinds[k].trips), "x", "add", "x");
    }
    return idg;
}

static PsKernel *kernel_of(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    PsKernel *kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    return kernel;
}

/* ---- which comes when ---------------------------------------------------------------------- */

static void check_order(const char *first, const char *second, const char *third,
                        const char *expected)
{
    g_autoptr(PsIdg) idg =
        chains((Kind[]){{first, "1"}, {second, "1"}, {third, "1"}, {NULL, NULL}});
    g_autoptr(PsKernel) kernel = kernel_of(idg);
    g_autoptr(GString) order = g_string_new(NULL);
    gint64 had[3] = {0};
    for (gint64 n = 0; n < (gint64)strlen(expected); n++) {
        const guint kind = ps_kernel_kind_of(kernel, n);
        for (guint k = 0; k < kernel->n_kinds; k++)
            g_assert_cmpint(ps_kernel_groups_of(kernel, k, n), ==, had[k]);
        g_string_append_c(order, (char)('A' + kind));
        had[kind]++;
    }
    g_assert_cmpstr(order->str, ==, expected);
}

static void test_order(void)
{
    check_order("1", "1", NULL, "ABABABAB");
    check_order("1", "3", NULL, "ABBBABBBA");
    check_order("3", "1", NULL, "AAABAAABA");
    check_order("2", "3", NULL, "ABABBABABB");
    check_order("0", "1", NULL, "BBBB");
    check_order("1", "0", NULL, "AAAA");
    check_order("1", "1", "2", "ABCCABCC");
    check_order("6", "0", "3", "AACAACAAC"); /* no common divisor: a period of 3 */
    check_order("7", NULL, NULL, "AAAA");
}

/* There are more groups than anybody could count one by one. */
static void test_many(void)
{
    g_autoptr(PsIdg) idg =
        chains((Kind[]){{"2147483640", "1"}, {"3", "1"}, {"4", "1"}, {NULL, NULL}});
    g_autoptr(PsKernel) kernel = kernel_of(idg);
    const gint64 n = G_GINT64_CONSTANT(1) << 62, parts = G_MAXINT32;
    gint64 all = 0;
    g_assert_cmpint(kernel->parts, ==, parts);
    for (guint k = 0; k < 3; k++) {
        all += ps_kernel_groups_of(kernel, k, n);
        g_assert_cmpint(ps_kernel_groups_of(kernel, k, parts), ==, kernel->kinds[k].share);
        g_assert_cmpuint(ps_kernel_kind_of(kernel, n), ==, ps_kernel_kind_of(kernel, n % parts));
    }
    g_assert_cmpint(all, ==, n);
    g_assert_cmpuint(ps_kernel_kind_of(kernel, parts - 1), ==, 2);
}

/* ---- files --------------------------------------------------------------------------------- */

#define NODE "<node name='a' class='fadd'/>"

static const char two_kinds[] = "<kind name='inside' share='n - 2'>"
                                "<code warps='0'>" NODE "</code><code>" NODE "</code></kind>"
                                "<kind name='edge' share='4'>"
                                "<code warps='1'>" NODE "</code><code>" NODE "</code></kind>";

static void test_file(void)
{
    g_autoptr(PsIdg) idg = parse(two_kinds);
    g_autofree char *text = ps_idg_write(idg);
    g_autoptr(PsIdg) back = ps_idg_parse(text, strlen(text), "back.idg", NULL);
    g_assert_nonnull(back);
    g_autofree char *again = ps_idg_write(back);
    g_assert_cmpstr(again, ==, text);
    g_autoptr(PsKernel) kernel = kernel_of(back);
    g_assert_cmpuint(kernel->n_kinds, ==, 2);
    g_assert_cmpstr(kernel->kinds[0].name, ==, "inside");
    g_assert_cmpint(kernel->kinds[0].share, ==, 1);
    g_assert_cmpint(kernel->kinds[1].share, ==, 4);
    const guint expected[2][2] = {{0, 1}, {3, 2}}; /* [kind][warp] */
    for (guint k = 0; k < 2; k++)
        for (guint w = 0; w < 2; w++)
            g_assert_cmpint(ps_kernel_program_of(kernel, k, w), ==, expected[k][w]);
    for (guint p = 0; p < 4; p++) {
        g_assert_cmpuint(kernel->programs[p].kind, ==, p / 2);
        g_assert_cmpfloat(ps_kernel_mean_warps(kernel, p, 2), ==, p < 2 ? 0.2 : 0.8);
    }
    g_autofree char *dot = ps_idg_dot(back);
    g_assert_nonnull(strstr(dot, "groups: edge (share 4)"));
}

/* What is wrong with a graph, when it is read or evaluated; NULL: nothing is. */
static GError *error_of(const char *kinds)
{
    GError *error = NULL;
    g_autofree char *text = g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='k'>"
                                            "<launch groups='9' group-size='64'/>\n%s</idg>",
                                            kinds);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "k.idg", &error);
    g_autoptr(PsKernel) kernel = idg ? ps_kernel_new(idg, NULL, &error) : NULL;
    g_assert_true((kernel == NULL) == (error != NULL));
    return error;
}

static void check_bad(const char *kinds, const char *expected)
{
    g_autoptr(GError) error = error_of(kinds);
    g_assert_nonnull(error);
    g_assert_cmpstr(error->message, ==, expected);
}

#define KIND(name, share) "<kind name='" name "' share='" share "'><code>" NODE "</code></kind>\n"

static void test_bad(void)
{
    check_bad(
        KIND("a", "0") KIND("b", "0"),
        "k.idg:3: the shares of all kinds of groups sum to 0, which must be at least 1 and at "
        "most 2147483647");
    check_bad(KIND("a", "1") KIND("a", "1"),
              "k.idg:3: there are two kinds of groups named \"a\"; the first is in line 2");
    check_bad(KIND("a", "1/2"), "k.idg:2: the share \"1/2\" is 0.5; it must be a whole number; "
                                "write floor(A/B) or ceil(A/B), which round");
    check_bad(KIND("a", "0-1"), "k.idg:2: the share \"0-1\" is -1; it must be at least 0");
    check_bad(
        KIND("a", "2147483647") KIND("b", "1"),
        "k.idg:3: the shares of all kinds of groups sum to 2147483648, which must be at least 1 "
        "and at most 2147483647");
    check_bad("<kind name='a' share='1'><code>" NODE "</code><code>" NODE "</code></kind>",
              "k.idg:2: two codes without 'warps': only one can run all warps that no other "
              "claims");
}

/* A range of warps goes up, or has one; two ranges have no warp in common. */
static void test_warps(void)
{
    enum { N = 4 };
    for (guint i = 0; i < N * N * N * N; i++) {
        const guint a = i % N, b = i / N % N, c = i / N / N % N, d = i / N / N / N;
        g_autofree char *body = g_strdup_printf(
            "<kind name='a' share='1'><code warps='%u..%u'>" NODE
            "</code><code warps='%u..%u'>" NODE "</code><code>" NODE "</code></kind>",
            a, b, c, d);
        g_autoptr(GError) error = error_of(body);
        g_assert_cmpint(!error, ==, a <= b && c <= d && (b < c || d < a));
    }
}

/* ---- time ---------------------------------------------------------------------------------- */

typedef struct {
    gint64 groups, active, schedulers, cus;
    PsOrder order;
    gboolean all_cus;
} Launch;

static PsSimResult run(const PsIdg *idg, const Launch *launch)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = build_gpu(launch->cus, 1);
    PsSimResult result = {0};
    build_class(gpu, "add", 0, PS_RATIONAL_INT(2), PS_RATIONAL_INT(7));
    gpu->schedulers = MAX(launch->schedulers, 1);
    const EngineRun of = {.idg = idg,
                          .gpu = gpu,
                          .options = {.groups = launch->groups, .active = launch->active},
                          .refinements = {.schedulers = launch->schedulers,
                                          .issue_width = {1, 1},
                                          .order = launch->order,
                                          .all_cus = launch->all_cus}};
    g_assert_true(engine_run(&of, &result, &error));
    g_assert_no_error(error);
    build_gpu_free(gpu);
    return result;
}

static double cycles_of(const Kind *kinds, const Launch *launch)
{
    g_autoptr(PsIdg) idg = chains(kinds);
    const PsSimResult result = run(idg, launch);
    return ps_rational_to_double(result.cycles);
}

/* Half of the groups run ten times as long as the others: many of them take the mean of what
 * launches of each kind alone take, whether the pipeline or its latency limits them. */
static void check_mean(const Launch *launch)
{
    const double lengthy = cycles_of((Kind[]){{"1", "400"}, {NULL, NULL}}, launch);
    const double brief = cycles_of((Kind[]){{"1", "40"}, {NULL, NULL}}, launch);
    const double both = cycles_of((Kind[]){{"1", "400"}, {"1", "40"}, {NULL, NULL}}, launch);
    const double fifth = cycles_of((Kind[]){{"1", "400"}, {"4", "40"}, {NULL, NULL}}, launch);
    g_assert_cmpfloat(lengthy, >, 9 * brief);
    g_assert_cmpfloat_with_epsilon(both, (lengthy + brief) / 2, 0.03 * both);
    g_assert_cmpfloat_with_epsilon(fifth, (lengthy + 4 * brief) / 5, 0.03 * fifth);
}

static void test_mean(void)
{
    for (gint64 active = 1; active <= 16; active *= 4)
        for (gint64 schedulers = 0; schedulers <= 4; schedulers += 4)
            for (guint order = 0; order < 2; order++) {
                check_mean(&(Launch){400, active, schedulers, 1,
                                     order ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW, FALSE});
                check_mean(&(Launch){1600, active, schedulers, 4,
                                     order ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW, TRUE});
            }
}

/* One kind, or others without groups, change nothing. */
static void test_alone(void)
{
    const Launch launch = {.groups = 50, .active = 3, .cus = 1};
    g_autoptr(PsIdg) plain = build_idg("1", "32");
    build_node(build_loop(ps_idg_add_code(plain)->body, "40"), "x", "add", "x");
    g_autoptr(PsIdg) one = chains((Kind[]){{"5", "40"}, {NULL, NULL}});
    g_autoptr(PsIdg) idle = chains((Kind[]){{"0", "900"}, {"5", "40"}, {"0", "700"}, {NULL, NULL}});
    const PsSimResult expected = run(plain, &launch);
    const PsSimResult results[] = {run(one, &launch), run(idle, &launch)};
    for (guint i = 0; i < G_N_ELEMENTS(results); i++) {
        g_assert_cmpint(results[i].ticks, ==, expected.ticks);
        g_assert_cmpint(results[i].instructions, ==, expected.instructions);
    }
}

/* Groups without instructions are done when they are launched: the others take the time. */
static void test_nothing(void)
{
    const Launch some = {.groups = 30, .active = 2, .cus = 1}, third = {10, 2, 0, 1, 0, FALSE};
    g_autoptr(PsIdg) mixed = chains((Kind[]){{"1", "40"}, {"2", "0"}, {NULL, NULL}});
    g_autoptr(PsIdg) alone = chains((Kind[]){{"1", "40"}, {NULL, NULL}});
    const PsSimResult with = run(mixed, &some), without = run(alone, &third);
    g_assert_cmpint(with.ticks, ==, without.ticks);
    g_assert_cmpint(with.instructions, ==, without.instructions);
    for (gint64 cus = 2; cus <= 5; cus++) {
        const Launch spread = {.groups = 31, .active = 2, .cus = cus, .all_cus = TRUE};
        g_assert_cmpint(run(mixed, &spread).instructions, >=, 10 * 40);
    }
    g_autoptr(PsIdg) first = chains((Kind[]){{"1", "0"}, {"99", "40"}, {NULL, NULL}});
    const Launch one = {.groups = 1, .active = 1, .cus = 1};
    g_assert_cmpint(run(first, &one).ticks, ==, 0);
}

/* A million groups repeat themselves with the period of their kinds. */
static void test_skips(void)
{
    const Launch launch = {.groups = 1000000, .active = 4, .cus = 1};
    g_autoptr(PsIdg) idg = chains((Kind[]){{"2", "9"}, {"3", "4"}, {NULL, NULL}});
    const PsSimResult result = run(idg, &launch);
    g_assert_cmpint(result.instructions, ==, 400000 * 9 + 600000 * 4);
    g_assert_cmpint(result.skips, >, 0);
    g_assert_cmpint(result.simulated, <, 10000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/kinds/order", test_order);
    g_test_add_func("/kinds/many", test_many);
    g_test_add_func("/kinds/file", test_file);
    g_test_add_func("/kinds/bad", test_bad);
    g_test_add_func("/kinds/warps", test_warps);
    g_test_add_func("/kinds/mean", test_mean);
    g_test_add_func("/kinds/alone", test_alone);
    g_test_add_func("/kinds/nothing", test_nothing);
    g_test_add_func("/kinds/skips", test_skips);
    return g_test_run();
}
