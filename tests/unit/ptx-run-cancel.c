/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: a group that asks for the work of a cluster that has not begun gets none. The
 * answer is there when the mbarrier's phase is over; in a cluster all groups may get it.
 */
#include "base/message.h"
#include "ptx/run/run.h"

#include <string.h>

/* A kernel of one warp a group; %s is clusterlaunchcontrol's parts, %u who asks: the groups below.
 */
static char *kernel_of(const char *parts, guint below)
{
    return g_strdup_printf(
        ".version 8.7\n.target sm_100a\n.address_size 64\n"
        ".visible .entry k(.param .u64 out)\n.reqnctapercluster 2, 1, 1\n{\n"
        ".reg .b64 %%to, %%at, %%a, %%b; .reg .b32 %%g, %%t, %%r; .reg .pred %%p<4>;\n"
        ".shared .align 16 .b8 answer[32]; .shared .align 8 .b64 done;\n"
        "ld.param.u64 %%to, [out]; mov.u32 %%g, %%ctaid.x; mov.u32 %%t, %%tid.x;\n"
        "setp.ne.u32 %%p0, %%t, 0; @%%p0 bra BEGUN;\n"
        "mov.b64 %%a, -1; st.shared.v2.b64 [answer], {%%a, %%a};\n"
        "st.shared.v2.b64 [answer+16], {%%a, %%a};\n"
        "mbarrier.init.shared::cta.b64 [done], 1;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [done], 16;\n"
        "BEGUN: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
        "mov.u32 %%r, %%cluster_ctarank; setp.ge.or.u32 %%p2, %%r, %u, %%p0; @%%p2 bra WAIT;\n"
        "clusterlaunchcontrol.try_cancel.async%s.b128 [answer], [done];\n"
        "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [done], 0; @!%%p1 bra WAIT;\n"
        "mad.lo.u32 %%r, %%g, 32, %%t; mul.wide.u32 %%at, %%r, 32; add.u64 %%to, %%to, %%at;\n"
        "ld.shared.v2.b64 {%%a, %%b}, [answer]; st.global.v2.b64 [%%to], {%%a, %%b};\n"
        "ld.shared.v2.b64 {%%a, %%b}, [answer+16]; st.global.v2.b64 [%%to+16], {%%a, %%b};\n"
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
        "ret;\n}\n",
        below, parts);
}

static gboolean run(const char *parts, guint below, guint64 *out, gsize bytes, GError **error)
{
    g_autofree char *text = kernel_of(parts, below);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", error);
    g_assert_no_error(*error);
    g_assert_cmpuint(module->warnings->len, ==, 0);
    const PsPtxArgument argument = {.data = (guint8 *)out, .size = bytes};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, error),
                                .grid = {4, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 1,
                                .arguments = &argument};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    for (guint x = 0; x < 4; x++)
        if (!ps_ptx_run_group(machine, (const guint[3]){x, 0, 0}, NULL, error))
            return FALSE;
    return TRUE;
}

#define OWN ".shared::cta.mbarrier::complete_tx::bytes"
#define ALL OWN ".multicast::cluster::all"

static void check(const char *parts, guint below)
{
    enum { N = 4 * 32 * 4 };
    g_autofree guint64 *out = g_new(guint64, N);
    g_autoptr(GError) error = NULL;
    memset(out, 7, N * sizeof *out);
    (void)run(parts, below, out, N * sizeof *out, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < N; i++)
        g_assert_cmphex(out[i], ==, i % 4 < 2 ? 0 : G_MAXUINT64);
}

static void test_own(void)
{
    check(OWN, 2);
}

static void test_all(void)
{
    check(ALL, 1);
}

/* Nobody answers the group that does not ask. */
static void test_one(void)
{
    guint64 out[4 * 32 * 4];
    g_autoptr(GError) error = NULL;
    g_assert_false(run(OWN, 1, out, sizeof out, &error));
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, "0 arrivals and 16 bytes are missing"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-cancel/own", test_own);
    g_test_add_func("/ptx-run-cancel/all", test_all);
    g_test_add_func("/ptx-run-cancel/one", test_one);
    return g_test_run();
}
