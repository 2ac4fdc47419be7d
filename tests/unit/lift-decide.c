/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of groups that are computed from places alone: random kernels of branches and loops, of
 * which each says what its lanes come to in a formula; groups are of one class where the ways of
 * their warps are the same ones. And what is not computed, since it would take too long.
 */
#include "lift/build-private.h"

#include <string.h>

#define MOST_LANES 96
#define MOST_WAYS 3
#define MOST_GROUPS 512
#define CLASSES 16 /* at most */

/* What a thread goes by: (ax * thread + bx * x + by * y) % modulus, compared with a bound, or as
 * how often a loop runs. */
typedef struct {
    guint thread, x, y, modulus, bound;
    gboolean loops;
} Way;

typedef struct {
    PsPtxModule *module;
    PsPtxArgument argument;
    PsBuildOptions options;
    PsSamples samples;
    guint32 word;
} Decided;

static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\nld.param.u64 %rd0, [a];\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y;\n";

static void decide(Decided *decided, const char *body, const guint grid[3], guint threads)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(head, body, "ret;\n}\n", NULL);
    memset(decided, 0, sizeof *decided);
    decided->module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    decided->argument =
        (PsPtxArgument){.name = "a", .data = (guint8 *)&decided->word, .size = sizeof(guint32)};
    ps_build_options_init(&decided->options);
    decided->options.module = decided->module;
    decided->options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(decided->module, "k", NULL),
                                            .block = {threads, 1, 1},
                                            .n_arguments = 1,
                                            .arguments = &decided->argument};
    memcpy(decided->options.launch.grid, grid, sizeof decided->options.launch.grid);
    decided->samples.options = &decided->options;
    decided->samples.machine =
        ps_ptx_machine_new(decided->module, &decided->options.launch, &error);
    g_assert_no_error(error);
    decided->samples.strata = ps_strata_of_grid(grid);
    ps_samples_decide(&decided->samples);
}

static void clear(Decided *decided)
{
    g_clear_pointer(&decided->samples.classes, ps_samples_free_classes);
    g_free(decided->samples.decided);
    ps_ptx_machine_free(decided->samples.machine);
    ps_ptx_free(decided->module);
}

/* How many branches are decided. */
static guint n_decided(const Decided *decided)
{
    const PsPtxCode *code = ps_ptx_machine_code(decided->samples.machine);
    guint n = 0;
    for (guint p = 0; decided->samples.decided && p < code->n_points; p++)
        n += decided->samples.decided[p];
    return n;
}

/* ---- random kernels ------------------------------------------------------------------------- */

static char *body_of(const Way *ways, guint n)
{
    GString *body = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        const Way *way = &ways[i];
        /* what has no thread in it is the same for a whole group */
        if (way->thread > 0)
            g_string_append_printf(body, "mul.lo.u32 %%r5, %%r0, %u;\n", way->thread);
        else
            g_string_append(body, "mov.u32 %r5, 0;\n");
        g_string_append_printf(body,
                               "mad.lo.u32 %%r5, %%r1, %u, %%r5; mad.lo.u32 %%r5, %%r2, %u, %%r5;\n"
                               "rem.u32 %%r5, %%r5, %u;\n",
                               way->x, way->y, way->modulus);
        if (way->loops)
            g_string_append_printf(body,
                                   "add.u32 %%r5, %%r5, 1; mov.u32 %%r6, 0;\n"
                                   "L%u: add.u32 %%r6, %%r6, 1; setp.lt.u32 %%p0, %%r6, %%r5;\n"
                                   "@%%p0 bra L%u;\n",
                                   i, i);
        else
            g_string_append_printf(body,
                                   "setp.lt.u32 %%p0, %%r5, %u; @%%p0 bra L%u;\n"
                                   "st.global.u32 [%%rd0], %%r0;\nL%u:\n",
                                   way->bound, i, i);
    }
    return g_string_free(body, FALSE);
}

/* A digit for each way. */
static guint way_of(const Way *ways, guint n, guint thread, guint x, guint y)
{
    guint all = 0;
    for (guint i = 0; i < n; i++) {
        const Way *way = &ways[i];
        const guint value = (way->thread * thread + way->x * x + way->y * y) % way->modulus;
        all = all * 64 + (way->loops ? value : value < way->bound);
    }
    return all;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The ways of the group's warps, each once, and the warps in no order (g_free). */
static char *ways_of(const Way *ways, guint n, guint threads, guint x, guint y)
{
    g_autoptr(GPtrArray) warps = g_ptr_array_new_with_free_func(g_free);
    for (guint first = 0; first < threads; first += 32) {
        const guint lanes = MIN(threads - first, 32);
        GString *text = g_string_new(NULL);
        guint of[32];
        for (guint i = 0; i < lanes; i++)
            of[i] = way_of(ways, n, first + i, x, y);
        qsort(of, lanes, sizeof *of, by_number);
        for (guint i = 0; i < lanes; i++)
            if (i == 0 || of[i] != of[i - 1])
                g_string_append_printf(text, "%x,", of[i]);
        g_ptr_array_add(warps, g_string_free(text, FALSE));
    }
    g_ptr_array_sort(warps, by_text);
    g_ptr_array_add(warps, NULL);
    return g_strjoinv(";", (char **)warps->pdata);
}

/* Groups are of one class where their texts are the same; class 0 is the most frequent. */
static void check_classes(const Decided *decided, char *const *texts, guint all, guint n)
{
    const PsStrataClasses *classes = decided->samples.classes;
    const guint places = ps_strata_places(&decided->samples.strata);
    guint seen[CLASSES] = {0};
    guint64 sum = 0;
    if (n == 1) {
        g_assert_null(classes);
        return;
    }
    g_assert_nonnull(classes);
    g_assert_cmpuint(classes->n, ==, n);
    for (guint i = 0; i < all; i++) {
        for (guint k = 0; k < i; k++)
            g_assert_cmpint(classes->of[i] == classes->of[k], ==, strcmp(texts[i], texts[k]) == 0);
        seen[classes->of[i]]++;
    }
    for (guint c = 1; c < n; c++)
        g_assert_cmpuint(seen[c], <=, seen[0]);
    for (guint stratum = 0; stratum < n * places; stratum++) {
        sum += classes->seen[stratum];
        for (guint i = 0; classes->seen[stratum] && i < classes->first[stratum]; i++) {
            guint group[3];
            ps_samples_group_at(&decided->samples, i, group);
            g_assert_cmpuint(ps_strata_find(&decided->samples.strata, group), !=, stratum);
        }
    }
    g_assert_cmpuint(sum, ==, all);
}

static void check(const Way *ways, guint n, const guint grid[3], guint threads)
{
    const guint all = grid[0] * grid[1] * grid[2];
    g_autofree char *body = body_of(ways, n);
    g_autoptr(GHashTable) different = g_hash_table_new(g_str_hash, g_str_equal);
    char *texts[MOST_GROUPS];
    for (guint i = 0; i < all; i++) {
        texts[i] = ways_of(ways, n, threads, i % grid[0], i / grid[0] % grid[1]);
        g_hash_table_add(different, texts[i]);
    }
    const guint n_classes = g_hash_table_size(different);
    if (n_classes <= CLASSES) {
        Decided decided;
        decide(&decided, body, grid, threads);
        g_test_message("%u x %u groups of %u: %s", grid[0], grid[1], threads, body);
        check_classes(&decided, texts, all, n_classes);
        clear(&decided);
    }
    for (guint i = 0; i < all; i++)
        g_free(texts[i]);
}

static Way random_way(GRand *rand)
{
    const guint modulus = (guint)g_rand_int_range(rand, 2, 6);
    return (Way){.thread = (guint)g_rand_int_range(rand, 0, 3),
                 .x = (guint)g_rand_int_range(rand, 1, 4),
                 .y = (guint)g_rand_int_range(rand, 0, 4),
                 .modulus = g_rand_boolean(rand) ? modulus : modulus * 12,
                 .bound = (guint)g_rand_int_range(rand, 1, (gint32)modulus),
                 .loops = g_rand_boolean(rand)};
}

static void test_random(void)
{
    for (guint32 seed = 0; seed < 300; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        const guint grid[3] = {(guint)g_rand_int_range(rand, 1, 12),
                               (guint)g_rand_int_range(rand, 1, 8), 1};
        Way ways[MOST_WAYS];
        const guint n = (guint)g_rand_int_range(rand, 1, MOST_WAYS + 1);
        for (guint i = 0; i < n; i++)
            ways[i] = random_way(rand);
        check(ways, n, grid, (guint)g_rand_int_range(rand, 1, MOST_LANES + 1));
    }
}

/* ---- what is written by hand ---------------------------------------------------------------- */

/* How many classes there are (1: none are made), and how many branches are decided. */
static void count(const char *body, const guint grid[3], guint threads, guint classes,
                  guint branches)
{
    Decided decided;
    decide(&decided, body, grid, threads);
    g_test_message("%s %u", body, n_decided(&decided));
    g_assert_cmpuint(decided.samples.classes ? decided.samples.classes->n : 1, ==, classes);
    g_assert_cmpuint(n_decided(&decided), ==, branches);
    clear(&decided);
}

#define ODD "and.b32 %r5, %r1, 1;"
#define STORE "st.global.u32 [%rd0], %r0;\n"
/* Parts of 17 numbers of trips, of about equal sums: small numbers share some. */
#define IN_PARTS 14

/* As many classes as there may be. */
static void test_most(void)
{
    const Way most = {.x = 1, .modulus = CLASSES, .loops = TRUE};
    g_autofree char *body = body_of(&most, 1);
    count(body, (const guint[]){100, 1, 1}, 32, CLASSES, 1);
}

/* Groups that are told by their corners are of the same class as those that are not, where both
 * come to the same; and what they come to is each group's own. */
static void test_corners(void)
{
    count(ODD "mul.lo.u32 %r6, %r5, 84; add.u32 %r6, %r6, 16; setp.lt.u32 %p1, %r0, %r6;\n"
              "selp.u32 %r7, 1, 2, %p1; setp.ge.u32 %p0, %r7, 5; @%p0 bra END;\n" STORE "END:\n",
          (const guint[]){9, 1, 1}, 64, 1, 1);
    Decided decided;
    decide(&decided,
           ODD "mul.lo.u32 %r6, %r5, 100; setp.lt.u32 %p1, %r0, %r6; selp.u32 %r7, 9, 4, %p1;\n"
               "mov.u32 %r8, 0;\nLOOP: add.u32 %r8, %r8, 1; setp.lt.u32 %p0, %r8, %r7;\n"
               "@%p0 bra LOOP;\n",
           (const guint[]){50, 1, 1}, 64);
    g_assert_nonnull(decided.samples.classes);
    g_assert_cmpuint(decided.samples.classes->n, ==, 2);
    for (guint i = 2; i < 50; i++)
        g_assert_cmpuint(decided.samples.classes->of[i], ==, decided.samples.classes->of[i % 2]);
    clear(&decided);
}

/* What takes too long takes no time from what comes after it: of groups, and of threads. */
static void test_one_too_long(void)
{
    static const char *const firsts[] = {"and.b32 %r8, %r6, 1; setp.eq.u32 %p1, %r8, 0;",
                                         "setp.lt.u32 %p1, %r6, 2000;"};
    static const char *const seconds[] = {"setp.eq.u32 %p0, %r5, 0;",
                                          "mul.lo.u32 %r7, %r5, 16; setp.lt.u32 %p0, %r0, %r7;"};
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GString) body = g_string_new(ODD "mov.u32 %r6, %r5;\n");
        for (guint k = 0; k < 150; k++)
            g_string_append_printf(body, "add.u32 %%r6, %%r6, %%r%u;\n", 1 - i);
        g_string_append_printf(body, "%s @%%p1 bra L;\n%sL: %s @%%p0 bra END;\n%sEND:\n", firsts[i],
                               STORE, seconds[i], STORE);
        count(body->str, (const guint[]){1 << (18 - i), 1, 1}, 32, 2, 1);
    }
}

/* Threads part in each group, so that corners tell nothing: there is time for so many groups. Of
 * guards of accesses there is less. */
static void test_time(void)
{
    static const char ways[] =
        ODD "add.u32 %r5, %r5, 4; setp.lt.u32 %p0, %r0, %r5; "
            "setp.eq.and.u32 %p0, %r1, 3, %p0;\n@%p0 bra END;\n" STORE "END:\n",
                      guards[] = ODD "add.u32 %r5, %r5, 4; setp.lt.u32 %p0, %r0, %r5; "
                                     "setp.eq.and.u32 %p0, %r1, 3, %p0;\n"
                                     "@%p0 st.global.u32 [%rd0], %r0;\n";
    count(ways, (const guint[]){40000, 1, 1}, 32, 2, 1);
    count(ways, (const guint[]){400000, 1, 1}, 32, 1, 0);
    count(guards, (const guint[]){1000, 1, 1}, 32, 2, 1);
    count(guards, (const guint[]){40000, 1, 1}, 32, 1, 0);
}

/* Where threads go round instructions that only compute is no way of the group. */
static void test_detours(void)
{
    static const char detour[] = ODD "setp.eq.u32 %p0, %r0, %r5; @%p0 bra L;\n"
                                     "add.u32 %r9, %r0, 1;\nL: " STORE;
    g_autofree char *both =
        g_strconcat(detour, "setp.ne.u32 %p1, %r1, 7; @%p1 bra END;\n" STORE "END:\n", NULL);
    g_autofree char *threads =
        g_strconcat(detour,
                    "add.u32 %r6, %r1, 9; rem.u32 %r6, %r6, 3; setp.ge.u32 %p1, %r0, %r6;\n"
                    "@%p1 bra END;\n" STORE "END:\n",
                    NULL);
    count(detour, (const guint[]){90, 1, 1}, 32, 1, 0);
    count(both, (const guint[]){90, 1, 1}, 32, 2, 1);
    count(threads, (const guint[]){90, 1, 1}, 32, 2, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-decide/random", test_random);
    g_test_add_func("/lift-decide/most", test_most);
    g_test_add_func("/lift-decide/corners", test_corners);
    g_test_add_func("/lift-decide/one-too-long", test_one_too_long);
    g_test_add_func("/lift-decide/time", test_time);
    g_test_add_func("/lift-decide/detours", test_detours);
    return g_test_run();
}
