/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of small kernels: which accesses one wider one could do, and which stay where they are. */
#include "idg/edit.h"
#include "tests/help/graph-text.h"

/* %rd4: a + 32 bytes for each thread. */
#define OWN_ROW                                                                                    \
    "ld.param.u64 %rd1, [a];\n"                                                                    \
    "cvta.to.global.u64 %rd2, %rd1;\n"                                                             \
    "mov.u32 %r1, %tid.x;\n"                                                                       \
    "mul.wide.u32 %rd3, %r1, 32;\n"                                                                \
    "add.s64 %rd4, %rd2, %rd3;\n"
#define ADD4                                                                                       \
    "add.f32 %f5, %f1, %f2;\n"                                                                     \
    "add.f32 %f6, %f3, %f4;\n"                                                                     \
    "add.f32 %f7, %f5, %f6;\n"                                                                     \
    "st.global.f32 [%rd4+16], %f7;\n"

static PsBuild *build(const char *ptx)
{
    return graph_build(&(GraphCase){.ptx = ptx, .arguments = "a:8192", .block = {64}});
}

static const PsIdgItem *node(const PsBuild *build, const char *name)
{
    const PsIdgItem *item = ps_idg_find(build->idg, 0, name);
    g_assert_nonnull(item);
    return item;
}

/* All four state the first that runs, whichever order they are in. */
static void test_four(void)
{
    g_autoptr(PsBuild) built = build(OWN_ROW "ld.global.f32 %f2, [%rd4+4];\n"
                                             "ld.global.f32 %f1, [%rd4];\n"
                                             "ld.global.f32 %f4, [%rd4+12];\n"
                                             "ld.global.f32 %f3, [%rd4+8];\n" ADD4);
    for (guint i = 1; i <= 4; i++) {
        g_autofree char *name = g_strdup_printf("f%u", i);
        g_assert_cmpstr(node(built, name)->beside, ==, "f2");
    }
    g_assert_null(node(built, "store")->beside);
}

/* Three fill no piece, but two of them do: those that begin at a multiple of 8 bytes. */
static void test_three(void)
{
    g_autoptr(PsBuild) built = build(OWN_ROW "ld.global.f32 %f1, [%rd4+4];\n"
                                             "ld.global.f32 %f2, [%rd4+8];\n"
                                             "ld.global.f32 %f3, [%rd4+12];\n"
                                             "ld.global.f32 %f4, [%rd4+20];\n" ADD4);
    g_assert_null(node(built, "f1")->beside);
    g_assert_cmpstr(node(built, "f2")->beside, ==, "f2");
    g_assert_cmpstr(node(built, "f3")->beside, ==, "f2");
    g_assert_null(node(built, "f4")->beside);
}

/* What others may write before it, and what has to be loaded anew, is not loaded earlier. */
static void test_apart(void)
{
    static const char *const second[] = {"bar.sync 0;\nld.global.f32 %f2, [%rd4+4];\n",
                                         "ld.volatile.global.f32 %f2, [%rd4+4];\n"};
    for (gsize i = 0; i < G_N_ELEMENTS(second); i++) {
        g_autofree char *ptx = g_strconcat(OWN_ROW "ld.global.f32 %f1, [%rd4];\n", second[i],
                                           "add.f32 %f3, %f1, %f2;\n"
                                           "st.global.f32 [%rd4+16], %f3;\n",
                                           NULL);
        g_autoptr(PsBuild) built = build(ptx);
        g_assert_null(node(built, "f1")->beside);
        g_assert_null(node(built, "f2")->beside);
    }
}

/* In a loop of `times`: a load that goes on by 4 bytes, one that stays, and what stands there, too.
 */
static PsBuild *build_loop(const char *times, const char *more)
{
    g_autofree char *ptx = g_strconcat(OWN_ROW "mov.u32 %r2, 0;\n"
                                               "mov.f32 %f1, 0f00000000;\n"
                                               "mov.u64 %rd5, %rd4;\n"
                                               "again:\n"
                                               "ld.global.f32 %f2, [%rd5];\n"
                                               "ld.global.f32 %f3, [%rd4+4096];\n"
                                               "fma.rn.f32 %f1, %f2, %f3, %f1;\n",
                                       more,
                                       "add.s64 %rd5, %rd5, 4;\n"
                                       "add.s32 %r2, %r2, 1;\n"
                                       "setp.lt.u32 %p1, %r2, ",
                                       times,
                                       ";\n"
                                       "@%p1 bra again;\n"
                                       "st.global.f32 [%rd4+2048], %f1;\n",
                                       NULL);
    return build(ptx);
}

static void test_loop(void)
{
    g_autoptr(PsBuild) eight = build_loop("8", ""), six = build_loop("6", "");
    g_autoptr(PsBuild) meets = build_loop("8", "bar.sync 0;\n");
    g_assert_cmpuint(node(eight, "f2")->vector, ==, 4);
    g_assert_cmpuint(node(eight, "f2")->invariant, ==, 0);
    g_assert_cmpuint(node(eight, "f3")->vector, ==, 0);
    g_assert_cmpuint(node(eight, "f3")->invariant, ==, 1);
    g_assert_cmpuint(node(six, "f2")->vector, ==, 0); /* pieces would not come out even */
    g_assert_cmpuint(node(six, "f3")->invariant, ==, 1);
    g_assert_cmpuint(node(meets, "f2")->vector, ==, 0);
    g_assert_cmpuint(node(meets, "f3")->invariant, ==, 0);
}

/* Rows of threads that follow each other, 4 bytes into a sector. */
static void test_offset(void)
{
    g_autoptr(PsBuild) built = build("ld.param.u64 %rd1, [a];\n"
                                     "cvta.to.global.u64 %rd2, %rd1;\n"
                                     "mov.u32 %r1, %tid.x;\n"
                                     "mul.wide.u32 %rd3, %r1, 4;\n"
                                     "add.s64 %rd4, %rd2, %rd3;\n"
                                     "ld.global.f32 %f1, [%rd4+4];\n"
                                     "st.global.f32 [%rd4+4100], %f1;\n");
    g_assert_cmpuint(node(built, "f1")->offset, ==, 4);
    g_assert_cmpuint(node(built, "store")->offset, ==, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-graph-beside/four", test_four);
    g_test_add_func("/ptx-graph-beside/three", test_three);
    g_test_add_func("/ptx-graph-beside/apart", test_apart);
    g_test_add_func("/ptx-graph-beside/loop", test_loop);
    g_test_add_func("/ptx-graph-beside/offset", test_offset);
    return g_test_run();
}
