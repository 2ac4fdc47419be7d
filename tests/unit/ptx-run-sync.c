/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: barriers, mbarriers, and the messages where threads wait for ever.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"

/* ---- barriers of the group ------------------------------------------------------------------ */

static guint32 rotated(guint t, guint n)
{
    return (t + 33) % n;
}

static const char *const rotate_head =
    ".shared .align 4 .b8 s[4096]; mov.u32 %r4, s; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4;"
    "st.shared.u32 [%r5], %r1;";
static const char *const rotate_tail =
    "add.u32 %r6, %r1, 33; rem.u32 %r6, %r6, %r2; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r4;"
    "ld.shared.u32 %r3, [%r6];" PTX_STORE;

static void rotate(const char *barrier, guint threads)
{
    g_autofree char *body = g_strconcat(rotate_head, barrier, rotate_tail, NULL);
    ptx_assert(&(PtxLaunch){.body = body, .n = threads, .block = {threads}}, rotated);
}

static void test_barrier(void)
{
    rotate("bar.sync 0;", 1024);
    rotate("bar.sync 0;", 75);
    rotate("barrier.sync 3, 1024;", 1024);
    rotate("bar.sync 15, 96;", 75); /* a warp that has come counts as 32 threads */
    rotate("barrier.cluster.arrive; barrier.cluster.wait;", 100);
    rotate("mov.u32 %r9, 2; bar.sync %r9;", 64);
    /* Each half of a warp comes from another place. */
    rotate("and.b32 %r9, %r1, 16; setp.eq.u32 %p1, %r9, 0; @%p1 bra LOW; barrier.sync 0; bra ALL;"
           "LOW: barrier.sync 0; ALL:",
           128);
}

static guint32 reduced(guint t, guint n)
{
    (void)t;
    return n + 1000 * 0 + 2000 * 1;
}

static void test_reductions(void)
{
    PtxLaunch launch = {.n = 29,
                        .block = {80},
                        .body = "setp.lt.u32 %p1, %r1, %r2; bar.red.popc.u32 %r3, 0, %p1;"
                                "bar.red.and.pred %p2, 1, 96, %p1; selp.u32 %r4, 1000, 0, %p2;"
                                "add.u32 %r3, %r3, %r4; barrier.red.or.pred %p2, 2, !%p1;"
                                "selp.u32 %r4, 2000, 0, %p2; add.u32 %r3, %r3, %r4;" PTX_STORE};
    ptx_assert(&launch, reduced);
}

/* Warp 0 makes numbers, warp 1 adds them up; each waits for the other by barriers that the other
 * only arrives at. */
static guint32 produced(guint word, guint n)
{
    return n * (n - 1) / 2 + n * word;
}

static void test_producer(void)
{
    PtxLaunch launch = {
        .n = 50,
        .block = {64},
        .words = 32,
        .body = ".shared .align 4 .b8 s[128]; and.b32 %r4, %r1, 31; shl.b32 %r5, %r4, 2;"
                "mov.u32 %r6, s; add.u32 %r6, %r6, %r5; mov.u32 %r7, 0; mov.u32 %r3, 0;"
                "setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME;"
                "MAKE: bar.sync 1, 64; add.u32 %r8, %r7, %r4; st.shared.u32 [%r6], %r8;"
                "bar.arrive 2, 64; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r2; @%p2 bra MAKE;"
                "bar.sync 1, 64; ret;"
                "CONSUME: bar.arrive 1, 64;"
                "TAKE: bar.sync 2, 64; ld.shared.u32 %r8, [%r6]; add.u32 %r3, %r3, %r8;"
                "bar.arrive 1, 64; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r2; @%p2 bra TAKE;"
                "mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r3;"
                "ret;"};
    ptx_assert(&launch, produced);
}

static guint32 ended(guint t, guint n)
{
    return t < n ? t + 1 : 0;
}

/* Threads that have ended are not waited for. */
static void test_ended(void)
{
    PtxLaunch launch = {
        .n = 70,
        .block = {128},
        .warning = "x.ptx:11: 70 of a group's 128 threads came to this barrier; thread (70,0,0) of "
                   "group (0,0,0) and others had ended, and were not waited for",
        .body = "setp.ge.u32 %p1, %r1, %r2; @%p1 bra END; bar.sync 0; add.u32 %r3, %r1, 1;"
                "st.global.u32 [%rd2], %r3; END: ret;"};
    ptx_assert(&launch, ended);
}

static guint32 handed_over(guint t, guint n)
{
    return t < 32 ? n + t : 0;
}

/* Warps that came to a barrier which never was complete count in no later group: there warp 0 reads
 * what warp 1 stores before it arrives. */
static void test_left_open(void)
{
    PtxLaunch launch = {
        .n = 7,
        .block = {64},
        .grid = {2},
        .body = ".shared .align 4 .b8 s[128]; mov.u32 %r4, s; and.b32 %r5, %r1, 31;"
                "shl.b32 %r6, %r5, 2; add.u32 %r6, %r6, %r4; setp.ge.u32 %p1, %r1, 32;"
                "mov.u32 %r7, %ctaid.x; setp.eq.u32 %p2, %r7, 0; @%p2 bra FIRST; @%p1 bra STORE;"
                "bar.sync 1, 64; ld.shared.u32 %r3, [%r6];" PTX_STORE
                "STORE: add.u32 %r8, %r5, %r2; st.shared.u32 [%r6], %r8; bar.arrive 1, 64; ret;"
                "FIRST: @%p1 bra END; bar.arrive 1, 64; END: ret;"};
    ptx_assert(&launch, handed_over);
}

static guint32 exchanged(guint t, guint n)
{
    return n + (t ^ 16);
}

/* Lanes that part, meet at bar.warp.sync and read what the others wrote. */
static void test_warp(void)
{
    PtxLaunch launch = {
        .n = 7,
        .body = ".shared .align 4 .b8 s[128]; mov.u32 %r4, s; shl.b32 %r5, %r1, 2;"
                "add.u32 %r6, %r4, %r5; xor.b32 %r7, %r5, 64; add.u32 %r7, %r7, %r4;"
                "add.u32 %r8, %r1, %r2; setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW;"
                "st.shared.u32 [%r6], %r8; bar.warp.sync 0xffffffff; ld.shared.u32 %r3, [%r7];"
                "bra ALL;"
                "LOW: st.shared.u32 [%r6], %r8; bar.warp.sync 0xffffffff;"
                "ld.shared.u32 %r3, [%r7]; ALL: " PTX_STORE};
    ptx_assert(&launch, exchanged);
}

/* ---- mbarriers ------------------------------------------------------------------------------ */

/* As in test_producer, with an mbarrier for each way. */
static void test_mbarrier(void)
{
    PtxLaunch launch = {
        .n = 50,
        .block = {64},
        .words = 32,
        .body = ".shared .align 4 .b8 s[128]; .shared .align 8 .b8 m[16];"
                "and.b32 %r4, %r1, 31; shl.b32 %r5, %r4, 2; mov.u32 %r6, s; add.u32 %r6, %r6, %r5;"
                "mov.u32 %r7, 0; mov.u32 %r3, 0; mov.u32 %r9, m; setp.eq.u32 %p1, %r1, 0;"
                "@%p1 mbarrier.init.shared.b64 [%r9], 32;"
                "@%p1 mbarrier.init.shared.b64 [%r9+8], 32; bar.sync 0;"
                "setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME;"
                /* room (m[8]) of the phase before; the first time there is room */
                "MAKE: and.b32 %r10, %r7, 1; xor.b32 %r11, %r10, 1;"
                "ROOM: mbarrier.try_wait.parity.shared.b64 %p3, [%r9+8], %r11; @!%p3 bra ROOM;"
                "add.u32 %r8, %r7, %r4; st.shared.u32 [%r6], %r8;"
                "mbarrier.arrive.shared.b64 %rd5, [%r9];"
                "add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r2; @%p2 bra MAKE; ret;"
                "CONSUME: and.b32 %r10, %r7, 1;"
                "FULL: mbarrier.test_wait.parity.shared.b64 %p3, [%r9], %r10; @!%p3 bra FULL;"
                "ld.shared.u32 %r8, [%r6]; add.u32 %r3, %r3, %r8;"
                "mbarrier.arrive.shared.b64 _, [%r9+8], 1;"
                "add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r2; @%p2 bra CONSUME;"
                "mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r3;"
                "ret;"};
    ptx_assert(&launch, produced);
}

static guint32 by_state(guint t, guint n)
{
    return (t + 33) % n;
}

static void test_mbarrier_state(void)
{
    g_autofree char *body =
        g_strconcat(".shared .align 8 .b8 m[8]; mov.u32 %r9, m; setp.eq.u32 %p1, %r1, 0;"
                    "@%p1 mbarrier.init.shared.b64 [%r9], %r2; bar.sync 0;",
                    rotate_head,
                    "mbarrier.arrive.shared.b64 %rd5, [%r9]; mbarrier.pending_count.b64 %r11, %rd5;"
                    "WAIT: mbarrier.test_wait.shared.b64 %p2, [%r9], %rd5; @!%p2 bra WAIT;",
                    rotate_tail, NULL);
    ptx_assert(&(PtxLaunch){.body = body, .n = 128, .block = {128}}, by_state);
}

static guint32 ones(guint t, guint n)
{
    (void)t;
    (void)n;
    return 1;
}

#define TWO_PLACES(barrier)                                                                        \
    "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; mov.u32 %r3, 1; @%p1 bra EVEN;\n" barrier       \
    "\nbra ON; EVEN:\n" barrier "\nON:" PTX_STORE

/* A warp's threads at two places: from sm_70 on both count, and nobody says that they do. */
static void test_two_places(void)
{
    static const char text[] = "x.ptx:14: threads come to this barrier, others of their warp to "
                               "that at x.ptx:12, which has no defined result";
    ptx_assert(&(PtxLaunch){.body = TWO_PLACES("bar.sync 0;"), .block = {64}, .warning = text},
               ones);
    ptx_assert(
        &(PtxLaunch){.body = TWO_PLACES("barrier.sync.aligned 0;"), .block = {64}, .warning = text},
        ones);
    ptx_assert(&(PtxLaunch){.body = TWO_PLACES("barrier.sync 0;"), .block = {64}}, ones);
    ptx_assert(&(PtxLaunch){.body = TWO_PLACES("bar.sync 0;"), .block = {64}, .machine = TRUE},
               ones);
    ptx_assert(&(PtxLaunch){.body = "setp.lt.u32 %p1, %r1, 32; mov.u32 %r3, 1; @%p1 bra A;"
                                    "bar.sync 0; bra ON; A: bar.sync 0; ON:" PTX_STORE,
                            .block = {64}},
               ones);
}

/* ---- for ever ------------------------------------------------------------------------------- */

static void test_deadlocks(void)
{
    ptx_assert_fails(
        &(PtxLaunch){.block = {96},
                     .body = "\nsetp.lt.u32 %p1, %r1, 40; @!%p1 bra ON;\nbar.sync 0;\n"
                             "ON: mov.u32 %r3, 1;" PTX_STORE},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 32 of 32 threads "
        "wait at barrier 0 (x.ptx:13); warp 1: 8 of 32 threads wait at barrier 0 (x.ptx:13), 24 of "
        "32 threads wait for these (x.ptx:14); warp 2: has ended");
    ptx_assert_fails(
        &(PtxLaunch){.block = {128},
                     .body = "setp.lt.u32 %p1, %r1, 64; @%p1 bra A;\nbar.sync 1; ret;\n"
                             "A: bar.sync 2; ret;"},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warps 0 to 1: 32 of 32 "
        "threads wait at barrier 2 (x.ptx:13); warps 2 to 3: 32 of 32 threads wait at barrier 1 "
        "(x.ptx:12)");
    ptx_assert_fails(
        &(PtxLaunch){.block = {32}, .body = "setp.lt.u32 %p1, %r1, 5;\n@%p1 bar.sync 0; ret;"},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 5 of 32 threads "
        "wait "
        "at barrier 0 (x.ptx:12) and 27 for these");
    ptx_assert_fails(
        &(PtxLaunch){.block = {50}, .body = "bar.sync 3, 128; ret;"}, PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 32 of 32 threads "
        "wait at barrier 3 for 128 threads, of which 64 have come (x.ptx:11); warp 1: 18 of 18 "
        "threads wait at barrier 3 for 128 threads, of which 64 have come (x.ptx:11)");
    ptx_assert_fails(
        &(PtxLaunch){.body = "setp.lt.u32 %p1, %r1, 5; @!%p1 bra ON;\nbar.warp.sync 0xffffffff;\n"
                             "ON: mov.u32 %r3, 1;" PTX_STORE},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 5 of 32 threads "
        "wait at bar.warp.sync (x.ptx:12), 27 of 32 threads wait for these (x.ptx:13)");
}

/* What an mbarrier lacks, and who has not come. */
static void test_incomplete_phases(void)
{
    ptx_assert_fails(
        &(PtxLaunch){.body = ".shared .align 8 .b8 m[8]; mov.u32 %r9, m;\n"
                             "mbarrier.arrive.shared.b64 %rd5, [%r9]; ret;"},
        PS_ERROR_VALUE,
        "x.ptx:12: thread (0,0,0) of group (0,0,0) arrives 1 time at an mbarrier that waits for "
        "0 more arrivals in this phase (was it initialised?)");
    ptx_assert_fails(
        &(PtxLaunch){.body = ".shared .align 8 .b8 m[8]; mov.u32 %r9, m;"
                             "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r9], 33;\n"
                             "mbarrier.arrive.shared.b64 %rd5, [%r9];\n"
                             "W: mbarrier.try_wait.shared.b64 %p2, [%r9], %rd5; @!%p2 bra W; ret;"},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 32 of 32 threads "
        "wait for the mbarrier m+0, where 1 arrival and 0 bytes are missing (x.ptx:13)");
    ptx_assert_fails(
        &(PtxLaunch){
            .block = {96},
            .body = ".shared .align 8 .b8 m[16]; mov.u32 %r9, m; setp.eq.u32 %p1, %r1, 32;"
                    "@%p1 mbarrier.init.shared.b64 [%r9+8], 2;\nbar.sync 0;"
                    "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r9+8], 48;\n"
                    "W: mbarrier.try_wait.parity.shared.b64 %p2, [%r9+8], 0; @!%p2 bra W; ret;"},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warps 0 to 2: 32 of 32 "
        "threads wait for the mbarrier m+8, where 1 arrival and 48 bytes are missing, and warps 0, "
        "2 have not arrived (x.ptx:13)");
    ptx_assert_fails(
        &(PtxLaunch){.body =
                         ".shared .align 8 .b8 m[8]; mov.u32 %r9, m; setp.eq.u32 %p1, %r1, 0;"
                         "@%p1 mbarrier.init.shared.b64 [%r9], 1; bar.warp.sync 0xffffffff;\n"
                         "W: mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 0; @!%p2 bra W; ret;"},
        PS_ERROR_VALUE,
        "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 32 of 32 threads "
        "wait for the mbarrier m+0, where 1 arrival and 0 bytes are missing, and no warp has "
        "arrived (x.ptx:12)");
}

static void test_wrong_arguments(void)
{
    ptx_assert_fails(&(PtxLaunch){.body = "bar.sync 0, 33; ret;"}, PS_ERROR_VALUE,
                     "x.ptx:11: thread (0,0,0) of group (0,0,0) comes to barrier 0 with a count of "
                     "33 threads, which is no multiple of 32 from 32 to 1024");
    ptx_assert_fails(&(PtxLaunch){.n = 16, .body = "bar.sync %r2; ret;"}, PS_ERROR_VALUE,
                     "x.ptx:11: thread (0,0,0) of group (0,0,0) comes to barrier 16; there are "
                     "those from 0 to 15");
    ptx_assert_fails(&(PtxLaunch){.body = "bar.sync %r1; ret;"}, PS_ERROR_VALUE,
                     "x.ptx:11: thread (1,0,0) of group (0,0,0) comes to a barrier with number 1, "
                     "another thread of its warp with 0");
    ptx_assert_fails(&(PtxLaunch){.block = {64},
                                  .body = "setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n"
                                          "bar.sync 1, 64; ret;\nA: bar.sync 1; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:12: thread (32,0,0) of group (0,0,0) comes to barrier 1 with a count "
                     "of 64 threads, but those that came before (x.ptx:13) with one of 0 (0: all "
                     "of the group)");
    ptx_assert_fails(&(PtxLaunch){.body = "bar.warp.sync 0xfffffffe; ret;"}, PS_ERROR_VALUE,
                     "x.ptx:11: thread (0,0,0) of group (0,0,0) comes to bar.warp.sync, but is not "
                     "in its mask 0xfffffffe");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run-sync/barrier", test_barrier);
    g_test_add_func("/ptx-run-sync/reductions", test_reductions);
    g_test_add_func("/ptx-run-sync/producer", test_producer);
    g_test_add_func("/ptx-run-sync/ended", test_ended);
    g_test_add_func("/ptx-run-sync/left-open", test_left_open);
    g_test_add_func("/ptx-run-sync/warp", test_warp);
    g_test_add_func("/ptx-run-sync/mbarrier", test_mbarrier);
    g_test_add_func("/ptx-run-sync/mbarrier-state", test_mbarrier_state);
    g_test_add_func("/ptx-run-sync/two-places", test_two_places);
    g_test_add_func("/ptx-run-sync/deadlocks", test_deadlocks);
    g_test_add_func("/ptx-run-sync/incomplete-phases", test_incomplete_phases);
    g_test_add_func("/ptx-run-sync/wrong-arguments", test_wrong_arguments);
    return g_test_run();
}
