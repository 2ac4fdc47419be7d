/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: what a group of a cluster knows of its place, and what it may not do with others.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"
#include <string.h>

#define CLUSTER " .reqnctapercluster 2, 3, 1"
#define GROUP                                                                                      \
    "mov.u32 %r4, %ctaid.y; mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ctaid.x;"                        \
    "mad.lo.u32 %r4, %r4, %r5, %r6; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd1, %rd2;"
#define GRID .grid = {4, 6}, .block = {1}, .words = 24, .directives = CLUSTER

static guint32 rank(guint group, guint n)
{
    (void)n;
    return group % 4 % 2 + group / 4 % 3 * 2;
}

static guint32 places(guint group, guint n)
{
    const guint x = group % 4, y = group / 4;
    (void)n;
    return x % 2 + 10 * (y % 3) + 100 * (x / 2) + 1000 * (y / 3);
}

static guint32 sizes(guint group, guint n)
{
    (void)group;
    (void)n;
    return 2 + 10 * 3 + 100 * 1 + 1000 * 2 + 10000 * 2 + 100000 * 6 + 1000000;
}

static guint32 alone(guint group, guint n)
{
    (void)n;
    return group % 4 + 10 * 0 + 100 * 1 + 1000 * 4;
}

/* Another group's shared memory is that of the cluster alone. */
static guint32 asked(guint group, guint n)
{
    (void)group;
    (void)n;
    return 1 + 8 + 16;
}

#define ASK(question, bit) question "@%p1 add.u32 %r3, %r3, " bit ";"
#define ADD(special, times) "mov.u32 %r7, " special "; mad.lo.u32 %r3, %r7, " times ", %r3;"

static const PtxLaunchCase cases[] = {
    {"/ptx-run-cluster/rank",
     rank,
     {GRID, .body = GROUP "mov.u32 %r3, %cluster_ctarank;" PTX_STORE}},
    {"/ptx-run-cluster/places",
     places,
     {GRID, .body =
                GROUP "mov.u32 %r3, 0;" ADD("%cluster_ctaid.x", "1") ADD("%cluster_ctaid.y", "10")
                    ADD("%clusterid.x", "100") ADD("%clusterid.y", "1000") PTX_STORE}},
    {"/ptx-run-cluster/sizes",
     sizes,
     {GRID, .body = GROUP "mov.u32 %r3, 0; mov.pred %p1, %is_explicit_cluster;"
                          "@%p1 add.u32 %r3, %r3, 1000000;" ADD("%cluster_nctaid.x", "1")
                              ADD("%cluster_nctaid.y", "10") ADD("%cluster_nctaid.z", "100")
                                  ADD("%nclusterid.x", "1000") ADD("%nclusterid.y", "10000")
                                      ADD("%cluster_nctarank", "100000") PTX_STORE}},
    {"/ptx-run-cluster/none",
     alone,
     {.grid = {4},
      .block = {1},
      .words = 4,
      .body = GROUP "mov.u32 %r3, 0; mov.pred %p1, %is_explicit_cluster;"
                    "@%p1 add.u32 %r3, %r3, 1000000;" ADD("%clusterid.x", "1")
                        ADD("%cluster_ctarank", "10") ADD("%cluster_nctarank", "100")
                            ADD("%nclusterid.x", "1000") PTX_STORE}},
    {"/ptx-run-cluster/own",
     rank,
     {GRID, .body = ".shared .b32 s[4]; " GROUP
                    "mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, s; st.shared.u32 [%r9], %r8;"
                    "mapa.shared::cluster.u32 %r10, %r9, %r8; ld.shared::cluster.u32 %r3, "
                    "[%r10];" PTX_STORE}},
    {"/ptx-run-cluster/own-rank",
     rank,
     {GRID, .body = ".shared .b32 s[4]; " GROUP "mov.u32 %r8, %cluster_ctarank; mov.u64 %rd5, s;"
                    "cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, %r8; getctarank.u64 %r3, "
                    "%rd6;" PTX_STORE}},
    {"/ptx-run-cluster/asked",
     asked,
     {GRID, .body = ".shared .b32 s[4]; " GROUP
                    "mov.u32 %r8, %cluster_ctarank; add.u32 %r8, %r8, 1; rem.u32 %r8, %r8, 6;"
                    "mov.u64 %rd5, s; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, %r8;"
                    "mov.u32 %r3, 0;" ASK("isspacep.shared %p1, %rd5;", "1")
                        ASK("isspacep.shared %p1, %rd6;", "2")
                            ASK("isspacep.shared::cta %p1, %rd6;", "4")
                                ASK("isspacep.shared::cluster %p1, %rd5;", "8")
                                    ASK("isspacep.shared::cluster %p1, %rd6;", "16")
                                        ASK("isspacep.global %p1, %rd6;", "32") PTX_STORE}},
    {"/ptx-run-cluster/own-window",
     rank,
     {GRID, .machine = TRUE,
      .body =
          ".shared .b32 s[4]; " GROUP
          "mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, s; st.shared.u32 [%r9], %r8;"
          "shl.b32 %r10, %r8, 24; add.u32 %r10, %r10, %r9; ld.shared.u32 %r3, [%r10];" PTX_STORE}},
};

static void fails(const char *body, const char *message)
{
    ptx_assert_fails(&(PtxLaunch){GRID, .body = body}, PS_ERROR_VALUE, message);
}

static void test_others(void)
{
    fails("barrier.cluster.wait; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) waits at the barrier of its cluster, where it "
          "did not arrive");
    fails("barrier.cluster.arrive; barrier.cluster.arrive; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) arrives again at the barrier of its cluster, "
          "for which it did not wait since");
    fails("mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p1, %r4, 3; @%p1 bra L;"
          "barrier.cluster.arrive; barrier.cluster.wait; ret; L: bar.sync 1, 64; ret;",
          "kernel \"k\", the cluster of group (0,0,0): its threads wait for each other; rank 0; "
          "warp 0: 1 of 1 threads wait at the barrier of the cluster (x.ptx:11); rank 1; warp 0: "
          "1 of 1 threads wait at the barrier of the cluster (x.ptx:11); rank 2; warp 0: 1 of "
          "1 threads wait at the barrier of the cluster (x.ptx:11); rank 3; warp 0: 1 of 1 "
          "threads wait at barrier 1 for 64 threads, of which 32 have come (x.ptx:11); rank 4; "
          "warp 0: 1 of 1 threads wait at the barrier of the cluster (x.ptx:11); rank 5; warp 0: "
          "1 of 1 threads wait at the barrier of the cluster (x.ptx:11)");
    fails(".shared .b32 s[4]; mov.u32 %r4, s; mapa.shared::cluster.u32 %r3, %r4, 4;"
          "ld.shared.u32 %r3, [%r3]; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) accesses its own shared memory at an address "
          "in that of the group of rank 4 (.shared is .shared::cta, not .shared::cluster)");
    fails(
        ".shared .b32 s[4]; mov.u32 %r4, s; mapa.shared::cluster.u32 %r3, %r4, 4;"
        "ld.shared::cluster.u32 %r3, [%r3+16]; ret;",
        "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x10 of the shared memory (16 "
        "bytes) of the group of rank 4, where no array has them");
    fails(".shared .b32 s[4]; mov.u32 %r4, s; add.u32 %r3, %r4, 0x7000000;"
          "ld.shared::cluster.u32 %r3, [%r3]; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) accesses shared memory of the group of rank "
          "7, but its cluster has 6 groups");
    fails(".shared .b32 s[4]; mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p1, %r4, 0;"
          "mov.u32 %r4, s; mapa.shared::cluster.u32 %r3, %r4, 0; @%p1 ret;"
          "st.shared::cluster.u32 [%r3], 1; ret;",
          "x.ptx:11: thread (0,0,0) of group (1,0,0) accesses shared memory of the group of rank 0 "
          "in its cluster, which has ended; a barrier of the cluster at the end keeps it");
    fails(".shared .b32 s[4]; mov.u32 %r4, s; mapa.shared::cluster.u32 %r3, %r4, 6; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) names rank 6 to mapa.shared::cluster.u32, but "
          "its cluster has 6 groups");
    ptx_assert_fails(&(PtxLaunch){.body = ".shared .b32 s[4]; mov.u32 %r4, s; "
                                          "mapa.shared::cluster.u32 %r3, %r4, 1; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:11: thread (0,0,0) of group (0,0,0) names rank 1 to "
                     "mapa.shared::cluster.u32, but its cluster has 1 group");
}

#define COPY                                                                                       \
    ".shared .align 128 .b8 s[256]; .shared .b64 t; mov.u32 %r4, s; mov.u32 %r5, t;"               \
    "mbarrier.init.shared.b64 [%r5], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 64;"        \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "        \
    "[%r4], [%rd1], 64, [%r5], %h1;"

static guint32 seven(guint word, guint n)
{
    (void)n;
    return word == 0 ? 7 : 0;
}

static void test_multicast(void)
{
    fails("mov.b16 %h1, 65;" COPY "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) names rank 6 to cp.async.bulk."
          "shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster, but its cluster "
          "has 6 groups");
    fails("mov.b16 %h1, 0;" COPY "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) names no group of its cluster to "
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster");
    ptx_assert(&(PtxLaunch){.directives = " .reqnctapercluster 1",
                            .block = {1},
                            .words = 16,
                            .body =
                                "mov.u32 %r3, 7; st.global.u32 [%rd1], %r3; mov.b16 %h1, 1;" COPY
                                "ld.shared.u32 %r3, [%r4];" PTX_STORE},
               seven);
}

/* A store of two words to a group of the cluster pays for both at its mbarrier. */
static void test_store_async(void)
{
    ptx_assert(&(PtxLaunch){.directives = " .reqnctapercluster 1",
                            .block = {1},
                            .words = 1,
                            .n = 7,
                            .body =
                                ".shared .align 8 .b8 s[32]; mov.u32 %r4, s; add.u32 %r5, %r4, 16;"
                                "mbarrier.init.shared.b64 [%r5], 1;"
                                "mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 8;"
                                "mapa.shared::cluster.u32 %r6, %r4, 0; st.async.weak.shared::"
                                "cluster.mbarrier::complete_tx::bytes.v2.u32 [%r6], {%r1, %r2}, "
                                "[%r6+16];\nWAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r5], "
                                "0; @!%p1 bra WAIT; ld.shared.u32 %r3, [%r4+4];" PTX_STORE},
               seven);
}

/* Machine code reads its own rank, and the memory of others by it. */
static void test_machine(void)
{
    ptx_assert_fails(
        &(PtxLaunch){GRID, .machine = TRUE,
                     .body = ".shared .b8 s[64]; mov.u32 %r4, 0x1000004; "
                             "ld.shared.u32 %r3, [%r4]; ret;"},
        PS_ERROR_VALUE,
        "x.ptx at 0xb: thread (0,0,0) of group (0,0,0) accesses its own shared memory at an "
        "address in that of the group of rank 1 (.shared is .shared::cta, not .shared::cluster)");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ptx_add_cases(cases, G_N_ELEMENTS(cases));
    g_test_add_func("/ptx-run-cluster/others", test_others);
    g_test_add_func("/ptx-run-cluster/multicast", test_multicast);
    g_test_add_func("/ptx-run-cluster/store-async", test_store_async);
    g_test_add_func("/ptx-run-cluster/machine", test_machine);
    return g_test_run();
}
