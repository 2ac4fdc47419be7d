/* SPDX-License-Identifier: BSD-3-Clause */
/* Asynchronous copies to shared memory that are read before anybody waited for them. */
#include "tests/help/graph-text.h"

#include <string.h>

#define COPY(AT) "cp.async.ca.shared.global [%r2+" #AT "], [%rd4+" #AT "], 4;\n"
#define COMMIT "cp.async.commit_group;\n"
#define LOAD(AT) "ld.shared.f32 %f1, [%r4+" #AT "];\n"
#define STORE "st.global.f32 [%rd4], %f1;\n"

/* Two copies, a group each, or one; %r4 is a place that another warp copies to. */
static const struct {
    const char *ptx;
    guint told;
} cases[] = {
    {COPY(0) COMMIT "bar.sync 0;\n" LOAD(0) STORE, 1},
    {COPY(0) COMMIT "cp.async.wait_group 0;\nbar.sync 0;\n" LOAD(0) STORE, 0},
    {COPY(0) "cp.async.wait_all;\nbar.sync 0;\n" LOAD(0) STORE, 0},
    {COPY(0) COMMIT COPY(1024) COMMIT "cp.async.wait_group 1;\nbar.sync 0;\n" LOAD(0) STORE, 0},
    {COPY(0) COMMIT COPY(1024) COMMIT "cp.async.wait_group 1;\nbar.sync 0;\n" LOAD(1024) STORE, 1},
    {COPY(0) "cp.async.wait_group 0;\nbar.sync 0;\n" LOAD(0) STORE, 1}, /* it is in no group yet */
    {COPY(0) COMMIT "bar.sync 0;\n" LOAD(1024) STORE, 0},               /* elsewhere */
};

/* Each is told once, and none in a group behind one whose copies were under way to its end. */
static void test_told(gconstpointer data)
{
    const guint i = GPOINTER_TO_UINT(data);
    g_autofree char *ptx = g_strconcat("ld.param.u64 %rd4, [a];\nmov.u32 %r1, %tid.x;\n"
                                       "mov.u32 %r3, s;\nmad.lo.u32 %r2, %r1, 4, %r3;\n"
                                       "xor.b32 %r1, %r1, 32;\nmad.lo.u32 %r4, %r1, 4, %r3;\n"
                                       "mov.f32 %f1, 0f00000000;\nst.shared.f32 [%r2+1024], %f1;\n",
                                       cases[i].ptx, NULL);
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = ptx, .block = {64}, .grid = {3}, .arguments = "a:4096"});
    guint told = 0;
    for (guint w = 0; build && w < build->warnings->len; w++)
        told += strstr(build->warnings->pdata[w], "that nobody has waited for") != NULL;
    g_assert_cmpuint(told, ==, cases[i].told);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/ptx-run-pending/%u", i);
        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_told);
    }
    return g_test_run();
}
