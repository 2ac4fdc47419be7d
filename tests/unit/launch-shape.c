/* SPDX-License-Identifier: BSD-3-Clause */
/* Other shapes of a launch: which do the same work, and their graphs. */
#include "launch/shape.h"
#include "ptx/run/freedom.h"
#include "tests/help/launch.h"

#include <string.h>

#define PARAMS ".param .u64 x, .param .u32 n"
#define INDEX                                                                                      \
    "ld.param.u64 d1,[x]; ld.param.u32 r9,[n]; mov.u32 r1,%ctaid.x; mov.u32 r2,%ntid.x;"           \
    "mov.u32 r3,%tid.x; mad.lo.u32 r4,r1,r2,r3;"
#define GUARD "{ .reg .pred p; setp.ge.u32 p,r4,r9; @p ret; }"
/* Adds 1 to the word of that index. */
#define ADD(INDEX)                                                                                 \
    "mul.wide.u32 d2," INDEX ",4; add.u64 d2,d1,d2; ld.global.u32 r6,[d2]; add.u32 r6,r6,1;"       \
    "st.global.u32 [d2],r6;"
#define TOTAL "mov.u32 r5,%nctaid.x; mul.lo.u32 r5,r5,r2;"

static const LaunchCase guarded = {.params = PARAMS, .body = INDEX GUARD ADD("r4")};
static const LaunchCase unguarded = {.params = PARAMS, .body = INDEX ADD("r4")};
static const LaunchCase strided = {.params = PARAMS,
                                   .body = INDEX TOTAL
                                   "{ .reg .pred p; AGAIN: setp.ge.u32 p,r4,r9; @p ret;" ADD(
                                       "r4") "add.u32 r4,r4,r5; bra AGAIN; }"};
/* It asks for the number of groups, and does nothing with it that fewer could do. */
static const LaunchCase counting = {.params = PARAMS,
                                    .body =
                                        INDEX TOTAL GUARD "setp.ge.u32 q,r4,r5; @q ret;" ADD("r4"),
                                    .before = ""};
static const LaunchCase from_end = {
    .params = PARAMS, .body = INDEX TOTAL GUARD "sub.u32 r4,r5,r4; sub.u32 r4,r4,1;" ADD("r4")};
/* Groups in the middle have nothing to do. */
static const LaunchCase ends = {
    .params = PARAMS,
    .body =
        INDEX "{ .reg .pred p; sub.u32 r6,r4,100; setp.lt.u32 p,r6,800; @p ret; }" GUARD ADD("r4")};
/* A block of the buffer that is written by more groups than there are alone, and by no more. */
static const LaunchCase more_alone = {
    .params = PARAMS,
    .body = INDEX TOTAL "{ .reg .pred p; setp.le.u32 p,r5,1024; @p ret; }" GUARD ADD("r4")};
static const LaunchCase now_alone = {
    .params = PARAMS,
    .body = INDEX TOTAL "{ .reg .pred p; setp.ne.u32 p,r5,1024; @p ret; }" GUARD ADD("r4")};
static const LaunchCase alone = {.params = PARAMS, .body = INDEX ADD("r3")};
static const LaunchCase counted_variable = {.before = ".global .u32 total;",
                                            .params = PARAMS,
                                            .body = INDEX GUARD
                                            "red.global.add.u32 [total],1;" ADD("r4")};

typedef struct {
    Launched *launched;
    PsLaunchGrid *grid;
    PsLaunchCode code;
    PsLaunchFreedom *freedom;
} Made;

static const char *const TEXTS_OF[] = {"x=zero:64K", "n=1000", NULL};

static void make(Made *made, LaunchCase launch, const char *grid, const char *block)
{
    g_autoptr(GError) error = NULL;
    *made = (Made){.launched = launch_with(launch, TEXTS_OF)};
    g_assert_no_error(made->launched->error);
    const PsLaunchTexts texts = {.arguments = TEXTS_OF, .grid = grid, .block = block};
    made->grid = ps_launch_grid_new(made->launched->arguments, &texts, &error);
    g_assert_no_error(error);
    made->code = (PsLaunchCode){.module = made->launched->module,
                                .kernel = made->launched->arguments->kernel,
                                .texts = texts};
    ps_build_options_init(&made->code.options);
    ps_launch_set_up(made->launched->arguments, made->grid, &texts, &made->code.options);
    made->freedom = ps_launch_freedom_new(&made->code, &error);
    g_assert_no_error(error);
}

static void clear(Made *made)
{
    ps_launch_freedom_free(made->freedom);
    ps_launch_grid_free(made->grid);
    launch_free(made->launched);
}

static gboolean allows(const Made *made, guint groups, guint threads)
{
    const PsLaunchShape shape = {{groups, 1, 1}, {threads, 1, 1}};
    return ps_launch_freedom_allows(made->freedom, &shape);
}

/* Tries other shapes of 64 groups of 16 threads: as many threads, more, fewer. */
static void check(LaunchCase launch, gboolean same, gboolean more, gboolean fewer)
{
    Made made;
    make(&made, launch, "64", "16");
    g_assert_true(allows(&made, 64, 16));
    g_assert_true(allows(&made, 32, 32) == same);
    g_assert_true(allows(&made, 11, 96) == more);
    g_assert_true(allows(&made, 65, 16) == more);
    g_assert_true(allows(&made, 20, 32) == fewer);
    g_assert_true(allows(&made, 8, 16) == fewer);
    g_assert_true(allows(&made, 1, 16) == fewer);
    g_assert_false(allows(&made, 1, 2048));
    clear(&made);
}

static void test_allows(void)
{
    check(guarded, TRUE, TRUE, FALSE);
    check(unguarded, TRUE, FALSE, FALSE);
    check(strided, TRUE, TRUE, TRUE);
    check(from_end, TRUE, FALSE, FALSE);
    check(ends, TRUE, TRUE, FALSE);
    check(alone, FALSE, FALSE, FALSE);
    /* What nobody can look at may show how many there were. */
    check(counted_variable, TRUE, FALSE, FALSE);
}

/* What is written where there are twice as many groups alone, or where there are not, is other
 * work. */
static void test_alone(void)
{
    static const LaunchCase *const cases[] = {&more_alone, &now_alone};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Made made;
        make(&made, *cases[i], "64", "16");
        g_assert_true(allows(&made, 64, 16));
        g_assert_false(allows(&made, 128, 16));
        clear(&made);
    }
}

/* Fewer would leave work undone, and that there are no more than 1000 words hides nothing. */
static void test_counting(void)
{
    LaunchCase launch = counting;
    g_autofree char *body = g_strconcat(".reg .pred q;", counting.body, NULL);
    launch.body = body;
    check(launch, TRUE, TRUE, FALSE);
}

static void test_limits(void)
{
    Made made;
    LaunchCase required = guarded;
    required.required = "16, 1, 1";
    make(&made, required, "64", "16");
    g_assert_cmpint(ps_launch_freedom_in(made.freedom, 0)->tie, ==, PS_PTX_TIE_SIZE);
    g_assert_null(ps_launch_freedom_where(made.freedom, 0));
    g_assert_false(allows(&made, 32, 32));
    clear(&made);
    make(&made, guarded, "64", "16");
    PsPtxFunction *kernel = made.launched->module->functions->pdata[0];
    memcpy(kernel->most, (const guint[]){32, 2, 1}, sizeof kernel->most); /* .maxntid */
    g_assert_true(allows(&made, 16, 64));
    g_assert_false(allows(&made, 8, 128));
    clear(&made);
    /* Fewer threads than a group has now, and more groups than a launch may have in y; in x it may
     * have them. */
    make(&made, strided, "64", "16");
    g_assert_false(allows(&made, 1, 8));
    clear(&made);
    make(&made, guarded, "40000", "16");
    g_assert_true(allows(&made, 80000, 16));
    clear(&made);
    make(&made, strided, "1x40000", "16");
    g_assert_false(
        ps_launch_freedom_allows(made.freedom, &(PsLaunchShape){{1, 50000, 1}, {16, 1, 1}}));
    clear(&made);
    make(&made, alone, "64", "16");
    g_autofree char *where = ps_launch_freedom_where(made.freedom, 0);
    g_assert_nonnull(strstr(where, "k.ptx:"));
    clear(&made);
}

/* Its graph is that of a launch that was asked for. */
static void test_build(void)
{
    Made made, other;
    g_autoptr(GError) error = NULL;
    make(&made, guarded, "64", "16");
    make(&other, guarded, "32", "32");
    const PsLaunchShape shape = ps_launch_code_shape(&other.code);
    g_assert_cmpuint(shape.groups[0], ==, 32);
    g_assert_cmpuint(shape.threads[0], ==, 32);
    g_autoptr(PsIdg) idg = ps_launch_code_build(&made.code, &shape, NULL, (PsHearer){0}, &error);
    g_assert_no_error(error);
    g_autoptr(PsBuild) build = ps_build(&other.code.options, &error);
    g_assert_no_error(error);
    g_autofree char *text = ps_idg_write(idg), *expected = ps_idg_write(build->idg);
    g_assert_cmpstr(text, ==, expected);
    /* What the first graph's groups wrote is not there. */
    g_autoptr(PsIdg) again = ps_launch_code_build(&made.code, &shape, NULL, (PsHearer){0}, &error);
    g_autofree char *same = ps_idg_write(again);
    g_assert_cmpstr(same, ==, expected);
    clear(&made);
    clear(&other);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch-shape/allows", test_allows);
    g_test_add_func("/launch-shape/alone", test_alone);
    g_test_add_func("/launch-shape/counting", test_counting);
    g_test_add_func("/launch-shape/limits", test_limits);
    g_test_add_func("/launch-shape/build", test_build);
    return g_test_run();
}
