/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: what events of waits say of the arrivals, copies and products that ended them.
 */
#include "tests/help/ptx-launch.h"
#include <string.h>

/* The last wait of a warp that was over. */
typedef struct {
    guint warp;
    PsPtxEnder enders[8];
    guint n_enders, n_waits;
    PsPtxAwaited own[8];
    guint n_own;
} Heard;

static void hear(gpointer data, const PsPtxEvent *event)
{
    Heard *heard = data;
    if (event->warp != heard->warp || !event->wait)
        return;
    g_assert_cmpuint(event->n_enders, <=, G_N_ELEMENTS(heard->enders));
    g_assert_cmpuint(event->wait->n, <=, G_N_ELEMENTS(heard->own));
    for (guint i = 0; i < event->n_enders; i++)
        heard->enders[i] = event->enders[i];
    for (guint i = 0; i < event->wait->n; i++)
        heard->own[i] = event->wait->list[i];
    heard->n_enders = event->n_enders;
    heard->n_own = event->wait->n;
    heard->n_waits++;
}

static guint32 third(guint t, guint n)
{
    (void)t;
    (void)n;
    return 3;
}

/* Warp 0 waits three times for a phase that warp 1 ends by arriving. Each group counts anew. */
static void test_arrivals(void)
{
    Heard heard = {.warp = 0};
    const PsPtxListener listener = {.data = &heard, .executed = hear};
    ptx_assert(&(PtxLaunch){.block = {64},
                            .grid = {2},
                            .listener = &listener,
                            .body =
                                ".shared .align 8 .b64 full; mov.u32 %r3, 0; mov.u32 %r4, full;"
                                "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], 32;"
                                "bar.sync 0; setp.ge.u32 %p2, %r1, 32;"
                                "LOOP: @%p2 bra MAKE;"
                                "and.b32 %r5, %r3, 1;"
                                "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], %r5;"
                                "@!%p3 bra WAIT; bra NEXT;"
                                "MAKE: mbarrier.arrive.shared.b64 _, [%r4];"
                                "NEXT: bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, 3;"
                                "@%p4 bra LOOP;" PTX_STORE},
               third);
    g_assert_cmpuint(heard.n_waits, ==, 6);
    g_assert_cmpuint(heard.n_own, ==, 0);
    g_assert_cmpuint(heard.n_enders, ==, 1);
    g_assert_cmpuint(heard.enders[0].warp, ==, 1);
    g_assert_cmpuint(heard.enders[0].index, ==, 2);
    g_assert_false(heard.enders[0].copy);
}

static guint32 zero(guint t, guint n)
{
    (void)t;
    (void)n;
    return 0;
}

/* Warp 1 waits for a copy that warp 0 began, and for the arrival that announced its bytes. */
static void test_copies(void)
{
    Heard heard = {.warp = 1};
    const PsPtxListener listener = {.data = &heard, .executed = hear};
    ptx_assert(&(PtxLaunch){.block = {64},
                            .listener = &listener,
                            .body =
                                ".shared .align 8 .b64 full; .shared .align 16 .b8 to[64];"
                                "mov.u32 %r4, full; mov.u32 %r5, to;"
                                "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], 1;"
                                "bar.sync 0; @!%p1 bra WAIT;"
                                "mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 32;"
                                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                "[%r5], [%rd1], 16, [%r4];"
                                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                "[%r5+16], [%rd1], 16, [%r4];"
                                "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0;"
                                "@!%p3 bra WAIT; ld.shared.u32 %r3, [to];" PTX_STORE},
               zero);
    guint copies = 0;
    g_assert_cmpuint(heard.n_waits, ==, 1);
    g_assert_cmpuint(heard.n_own, ==, 0);
    g_assert_cmpuint(heard.n_enders, ==, 3);
    for (guint i = 0; i < 3; i++) {
        g_assert_cmpuint(heard.enders[i].warp, ==, 0);
        g_assert_cmpuint(heard.enders[i].index, ==, 0);
        copies += heard.enders[i].copy != 0;
    }
    g_assert_cmpuint(copies, ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-wait/arrivals", test_arrivals);
    g_test_add_func("/ptx-run-wait/copies", test_copies);
    return g_test_run();
}
