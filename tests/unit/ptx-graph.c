/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of small kernels, rule by rule, on and off: what instructions become, and what they wait
 * for.
 */
#include "idg/program.h"
#include "tests/help/graph-text.h"

#include <string.h>

/* ---- rules one at a time ----------------------------------------------------------------------
 */

/* Loads and stores with an address that the thread computes. */
#define OWN_ADDRESS                                                                                \
    "ld.param.u64 %rd1, [a];\n"                                                                    \
    "cvta.to.global.u64 %rd2, %rd1;\n"                                                             \
    "mov.u32 %r1, %tid.x;\n"                                                                       \
    "mul.wide.u32 %rd3, %r1, 4;\n"                                                                 \
    "add.s64 %rd4, %rd2, %rd3;\n"

static const char saxpy_like[] = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                             "mov.f32 %f2, %f1;\n"
                                             "fma.rn.f32 %f3, %f2, %f1, %f2;\n"
                                             "neg.f32 %f4, %f3;\n"
                                             "st.global.f32 [%rd4+128], %f4;\n";

static void test_all_on(void)
{
    graph_assert(&(GraphCase){.ptx = saxpy_like, .arguments = "a:4096", .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "f3 fmadd f1\n"
                 "store global.store rd4 f3\n");
}

static void test_all_off(void)
{
    graph_assert(
        &(GraphCase){.ptx = saxpy_like, .arguments = "a:4096", .block = {32}, .without = "all"},
        "rd1 constant\n"
        "rd2 logic.mov rd1\n"
        "r1 logic.special\n"
        "rd3 imad.wide r1\n"
        "rd4 iadd rd2 rd3\n"
        "f1 global.load rd4\n"
        "f2 logic.mov f1\n"
        "f3 fmadd f1 f2\n"
        "f4 fadd.sign f3\n"
        "store global.store rd4 f4\n");
}

static void test_moves(void)
{
    graph_assert(
        &(GraphCase){.ptx = saxpy_like, .arguments = "a:4096", .block = {32}, .without = "moves"},
        "rd2 logic.mov\n"
        "rd4 imad.wide rd2\n"
        "f1 global.load rd4\n"
        "f2 logic.mov f1\n"
        "f3 fmadd f1 f2\n"
        "f4 fadd.sign f3\n"
        "store global.store rd4 f4\n");
}

static void test_parameters_and_specials(void)
{
    graph_assert(&(GraphCase){.ptx = saxpy_like,
                              .arguments = "a:4096",
                              .block = {32},
                              .without = "parameters specials"},
                 "rd1 constant\n"
                 "r1 logic.special\n"
                 "rd4 imad.wide rd1 r1\n"
                 "f1 global.load rd4\n"
                 "f3 fmadd f1\n"
                 "store global.store rd4 f3\n");
}

static const char integers[] = "ld.param.u64 %rd1, [a];\n"
                               "mov.u32 %r1, %tid.x;\n"
                               "ld.param.u32 %r2, [n];\n"
                               "shl.b32 %r3, %r1, 3;\n" /* into an LEA */
                               "add.s32 %r4, %r3, %r2;\n"
                               "mul.lo.s32 %r5, %r4, %r2;\n" /* into a multiply-add */
                               "add.s32 %r6, %r5, %r1;\n"
                               "add.s32 %r7, %r6, %r2;\n" /* into an addition of three */
                               "add.s32 %r8, %r7, %r4;\n"
                               "and.b32 %r9, %r8, 255;\n" /* into logic of three */
                               "xor.b32 %r10, %r9, %r4;\n"
                               "cvt.u64.u32 %rd2, %r10;\n"
                               "add.s64 %rd3, %rd2, 77;\n" /* 64 bits: two */
                               "st.global.u64 [%rd1], %rd3;\n";

static void test_addresses(void)
{
    graph_assert(&(GraphCase){.ptx = integers, .arguments = "a:64 n=3", .block = {32}},
                 "r4 iadd\n"
                 "r6 imad r4\n"
                 "r8 iadd r4 r6\n"
                 "r10 logic r4 r8\n"
                 "rd3__1 iadd r10\n"
                 "rd3 iadd.carry r10 rd3__1\n"
                 "store global.store.v2 rd3\n");
}

static void test_no_addresses(void)
{
    graph_assert(
        &(GraphCase){
            .ptx = integers, .arguments = "a:64 n=3", .block = {32}, .without = "addresses"},
        "r3 shift.left\n"
        "r4 iadd r3\n"
        "r5 imad.mul r4\n"
        "r6 iadd r5\n"
        "r7 iadd r6\n"
        "r8 iadd r4 r7\n"
        "r9 logic r8\n"
        "r10 logic r4 r9\n"
        "rd3 iadd r10\n"
        "store global.store.v2 rd3\n");
}

static void test_dead(void)
{
    static const char ptx[] = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                          "add.f32 %f2, %f1, %f1;\n"
                                          "mul.f32 %f3, %f2, %f2;\n"
                                          "ld.volatile.global.f32 %f4, [%rd4];\n"
                                          "st.global.f32 [%rd4], %f1;\n";
    graph_assert(&(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "f4 global.load rd4\n"
                 "store global.store rd4 f1\n");
    graph_assert(&(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {32}, .without = "dead"},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "f2 fadd f1\n"
                 "f3 fmul f2\n"
                 "f4 global.load rd4\n"
                 "store global.store rd4 f1\n");
}

/* ---- widths --------------------------------------------------------------------------------- */

/* The width is the last part, behind what the pattern adds: conflicts are those of a quarter of the
 * warp where lanes load 16 bytes. */
static void test_widths(void)
{
    static const char ptx[] = OWN_ADDRESS "mov.u32 %r5, s;\n"
                                          "mad.lo.u32 %r7, %r1, 16, %r5;\n"
                                          "mad.lo.u32 %r9, %r1, 64, %r5;\n"
                                          "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r7];\n"
                                          "ld.shared.v4.f32 {%f5, %f6, %f7, %f8}, [%r9];\n"
                                          "ld.shared.v2.f32 {%f9, %f10}, [%r9];\n"
                                          "ld.shared.f32 %f11, [%r9];\n"
                                          "ld.global.v4.f32 {%f12, %f13, %f14, %f15}, [%rd2];\n"
                                          "st.shared.v4.f32 [%r7], {%f1, %f5, %f9, %f12};\n"
                                          "st.global.f32 [%rd4], %f11;\n";
    graph_assert(&(GraphCase){.ptx = ptx, .arguments = "a:4096", .block = {32}},
                 "rd4 imad.wide\n"
                 "r7 imad\n"
                 "r9 imad\n"
                 "f1 local.load.v4 r7\n"
                 "f5 local.load.c4.v4 r9\n"
                 "f9 local.load.c8.v2 r9\n"
                 "f11 local.load.c16 r9\n"
                 "f12 global.load.broadcast.v4\n"
                 "store local.store.v4 r7 f1 f5 f9 f12\n"
                 "store_2 global.store rd4 f11\n");
}

/* ---- loops ---------------------------------------------------------------------------------- */

#define COUNTED(BODY, STEP)                                                                        \
    "ld.param.u32 %r2, [n];\n"                                                                     \
    "mov.u32 %r11, 0;\n"                                                                           \
    "L1:\n" BODY "add.s32 %r11, %r11, " STEP ";\n"                                                 \
    "setp.lt.s32 %p1, %r11, %r2;\n"                                                                \
    "@%p1 bra L1;\n"

static void test_loop(void)
{
    static const char ptx[] = OWN_ADDRESS "mov.f32 %f1, 0f00000000;\n" COUNTED(
        "cvt.rn.f32.s32 %f2, %r11;\nadd.f32 %f1, %f1, %f2;\n", "4") "st.global.f32 [%rd4], %f1;\n";
    graph_assert(&(GraphCase){.ptx = ptx, .arguments = "a:4096 n=1000003", .block = {32}},
                 "rd4 imad.wide\n"
                 "loop ceil(n/4) {\n"
                 "f2 conversion.i2f loop\n"
                 "f1 fadd f2 f1\n"
                 "loop loop loop\n"
                 "}\n"
                 "store global.store rd4 f1\n");
    graph_assert(
        &(GraphCase){.ptx = ptx, .arguments = "a:4096 n=1003", .block = {32}, .without = "loops"},
        "rd4 imad.wide\n"
        "loop ceil(n/4) {\n"
        "f2 conversion.i2f r11\n"
        "f1 fadd f2 f1\n"
        "r11 iadd r11\n"
        "p1 iadd.setp r11\n"
        "branch branch p1\n"
        "}\n"
        "store global.store rd4 f1\n");
}

/* Which unit converts: integers to singles are quick where 32 bits are rounded to the nearest. */
static void test_conversions(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                                 "cvt.rzi.s32.f32 %r1, %f1;\n"
                                                 "cvt.rn.f32.u32 %f2, %r1;\n"
                                                 "cvt.rzi.s32.f32 %r2, %f2;\n"
                                                 "cvt.rn.f32.u16 %f3, %r2;\n"
                                                 "cvt.rni.f32.f32 %f4, %f3;\n"
                                                 "cvt.rzi.s64.f32 %rd5, %f4;\n"
                                                 "cvt.rp.f32.s32 %f5, %r1;\n"
                                                 "st.global.f32 [%rd4], %f4;\n"
                                                 "st.global.f32 [%rd4], %f5;\n"
                                                 "cvt.u32.u64 %r3, %rd5;\n"
                                                 "st.global.u32 [%rd4], %r3;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "r1 conversion.f2i f1\n"
                 "f2 conversion.i2f r1\n"
                 "r2 conversion.f2i f2\n"
                 "f3 conversion r2\n"
                 "f4 conversion f3\n"
                 "rd5 conversion f4\n"
                 "f5 conversion r1\n"
                 "store global.store rd4 f4\n"
                 "store_2 global.store rd4 f5\n"
                 "store_3 global.store rd4 rd5\n");
}

/* A counter that goes around through a move, tested before its addition. */
static void test_loop_through_move(void)
{
    graph_assert(&(GraphCase){.ptx = "ld.param.u32 %r2, [n];\n"
                                     "mov.u32 %r1, 0;\n"
                                     "L1:\n"
                                     "st.shared.u32 [t], %r1;\n"
                                     "add.s32 %r3, %r1, 1;\n"
                                     "setp.lt.s32 %p1, %r1, %r2;\n"
                                     "mov.u32 %r1, %r3;\n"
                                     "@%p1 bra L1;\n",
                              .arguments = "n=9",
                              .block = {32}},
                 "loop n+1 {\n"
                 "store local.store loop\n"
                 "loop loop loop\n"
                 "}\n");
}

/* The halves of what a compiler unrolls: n - n % 4 in fours, then the rest. */
static void test_trips(void)
{
    static const char rest[] = "ld.param.u32 %r2, [n];\n"
                               "and.b32 %r3, %r2, 3;\n"
                               "sub.s32 %r4, %r2, %r3;\n"
                               "L1:\n"
                               "st.shared.u32 [t], %r4;\n"
                               "add.s32 %r4, %r4, -4;\n"
                               "setp.ne.s32 %p1, %r4, 0;\n"
                               "@%p1 bra L1;\n"
                               "mov.u32 %r5, %r3;\n"
                               "L2:\n"
                               "st.shared.u32 [t], %r5;\n"
                               "add.s32 %r5, %r5, -1;\n"
                               "setp.ne.s32 %p2, %r5, 0;\n"
                               "@%p2 bra L2;\n";
    graph_assert(&(GraphCase){.ptx = rest, .arguments = "n=103", .block = {32}},
                 "r3 logic\n"
                 "r4 iadd r3\n"
                 "loop (n-n%4)/4 {\n"
                 "store local.store r4 loop\n"
                 "loop loop r4 loop\n"
                 "}\n"
                 "loop n%4 {\n"
                 "store_2 local.store r3 loop_2\n"
                 "loop_2 loop r3 loop_2\n"
                 "}\n");
}

/* A grid-stride loop: the launch as the user stated it. */
static void test_launch(void)
{
    const GraphCase graph = {.ptx = "ld.param.u32 %r2, [n];\n"
                                    "mov.u32 %r3, %ntid.x;\n"
                                    "mov.u32 %r4, %nctaid.x;\n"
                                    "mul.lo.s32 %r5, %r3, %r4;\n"
                                    "mov.u32 %r6, %ctaid.x;\n"
                                    "mov.u32 %r7, %tid.x;\n"
                                    "mad.lo.s32 %r1, %r6, %r3, %r7;\n"
                                    "L1:\n"
                                    "st.shared.u32 [t], %r1;\n"
                                    "add.s32 %r1, %r1, %r5;\n"
                                    "setp.lt.s32 %p1, %r1, %r2;\n"
                                    "@%p1 bra L1;\n",
                             .arguments = "n=4096 per=64",
                             .grid = {8},
                             .block = {64},
                             .grid_text = "n/per/8",
                             .block_text = "per"};
    graph_assert(&graph, "r5 imad.mul\n"
                         "r1 imad\n"
                         "loop ceil(n/(per*(n/per/8))) {\n"
                         "store local.store r1 loop\n"
                         "loop loop r5 r1 loop\n"
                         "}\n");
    g_autoptr(PsBuild) build = graph_build(&graph);
    g_assert_cmpstr(ps_expr_text(build->idg->launch.groups), ==, "n/per/8");
    g_assert_cmpstr(ps_expr_text(build->idg->launch.group_size), ==, "per");
    g_assert_cmpuint(build->idg->params->len, ==, 2);
}

/* Inner loops that run more often each time are kinds of iterations of the outer one. */
static void test_nested(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, 0;\n"
                                     "L1:\n"
                                     "mov.u32 %r2, 0;\n"
                                     "mov.f32 %f1, 0f00000000;\n"
                                     "L2:\n"
                                     "ld.shared.f32 %f2, [s];\n"
                                     "add.f32 %f1, %f1, %f2;\n"
                                     "add.s32 %r2, %r2, 1;\n"
                                     "setp.lt.s32 %p1, %r2, 5;\n"
                                     "@%p1 bra L2;\n"
                                     "bar.sync 0;\n"
                                     "st.shared.f32 [t], %f1;\n"
                                     "add.s32 %r1, %r1, 1;\n"
                                     "setp.lt.s32 %p2, %r1, 7;\n"
                                     "@%p2 bra L1;\n",
                              .block = {32}},
                 "loop 7 {\n"
                 "loop 5 {\n"
                 "f2 local.load.broadcast\n"
                 "f1 fadd f2 f1\n"
                 "loop loop loop\n"
                 "}\n"
                 "barrier barrier store\n"
                 "store local.store f1\n"
                 "loop_2 loop loop_2\n"
                 "}\n");
}

/* ---- distances ------------------------------------------------------------------------------ */

/* Registers that rotate: what is used was loaded two iterations ago. */
static void test_rotation(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                                 "ld.global.f32 %f2, [%rd4+4];\n"
                                                 "mov.u32 %r2, 0;\n"
                                                 "L1:\n"
                                                 "ld.global.f32 %f3, [%rd4+8];\n"
                                                 "mul.f32 %f4, %f1, %f1;\n"
                                                 "st.shared.f32 [t], %f4;\n"
                                                 "mov.f32 %f1, %f2;\n"
                                                 "mov.f32 %f2, %f3;\n"
                                                 "add.s32 %r2, %r2, 1;\n"
                                                 "setp.lt.s32 %p1, %r2, 100;\n"
                                                 "@%p1 bra L1;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "f2 global.load.s5 rd4\n"
                 "loop 100 {\n"
                 "f3 global.load.s5 rd4\n"
                 "f4 fmul f1 f2 f3@3\n"
                 "store local.store f4\n"
                 "loop loop loop\n"
                 "}\n");
}

/* Copies that are waited for one iteration later. */
static void test_copies(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "mov.u32 %r2, 0;\n"
                                                 "cp.async.ca.shared.global [s], [%rd4], 4;\n"
                                                 "cp.async.commit_group;\n"
                                                 "L1:\n"
                                                 "cp.async.ca.shared.global [s+4], [%rd4], 4;\n"
                                                 "cp.async.commit_group;\n"
                                                 "cp.async.wait_group 1;\n"
                                                 "bar.sync 0;\n"
                                                 "ld.shared.f32 %f1, [s];\n"
                                                 "st.global.f32 [%rd4], %f1;\n"
                                                 "bar.sync 0;\n"
                                                 "add.s32 %r2, %r2, 1;\n"
                                                 "setp.lt.s32 %p1, %r2, 100;\n"
                                                 "@%p1 bra L1;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "copy global.load.async rd4\n"
                 "loop 100 {\n"
                 "copy_2 global.load.async rd4\n"
                 "barrier barrier copy copy_2@2\n"
                 "f1 local.load.broadcast\n"
                 "store global.store rd4 f1\n"
                 "barrier_2 barrier store\n"
                 "loop loop loop\n"
                 "}\n");
}

/* ---- warps and lanes --------------------------------------------------------------------------
 */

/* Both sides run; what they leave in one register comes from both. */
static void test_divergence(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "and.b32 %r2, %r1, 1;\n"
                                                 "setp.eq.s32 %p1, %r2, 0;\n"
                                                 "@%p1 bra L1;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "bra.uni L2;\n"
                                                 "L1:\n"
                                                 "cvt.rn.f32.s32 %f1, %r1;\n"
                                                 "L2:\n"
                                                 "st.global.f32 [%rd4], %f1;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "r2 logic\n"
                 "p1 iadd.setp r2\n"
                 "branch branch p1\n"
                 "f1 global.load.s4 rd4\n"
                 "branch_2 branch\n"
                 "f1_2 conversion.i2f\n"
                 "store global.store rd4 f1 f1_2\n");
}

/* A guarded write leaves what was there in some lanes. */
static void test_guard(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "ld.global.f32 %f1, [%rd4];\n"
                                                 "setp.gt.s32 %p1, %r1, 7;\n"
                                                 "@%p1 mov.f32 %f1, 0f3f800000;\n"
                                                 "@!%p1 sin.approx.f32 %f1, %f1;\n"
                                                 "st.global.f32 [%rd4], %f1;\n",
                              .arguments = "a:4096",
                              .block = {32}},
                 "rd4 imad.wide\n"
                 "f1 global.load rd4\n"
                 "p1 iadd.setp\n"
                 "f1_2__1 fmul f1 p1\nf1_2 sin f1_2__1\n"
                 "store global.store rd4 f1_2\n");
}

static void test_warps(void)
{
    graph_assert(&(GraphCase){.ptx = OWN_ADDRESS "setp.lt.u32 %p1, %r1, 64;\n"
                                                 "@%p1 bra L1;\n"
                                                 "st.global.u32 [%rd4], %r1;\n"
                                                 "L1:\n",
                              .arguments = "a:4096",
                              .block = {160}},
                 "code 0..1\n"
                 "p1 iadd.setp\n"
                 "branch branch p1\n"
                 "code 2..4\n"
                 "rd4 imad.wide\n"
                 "p1 iadd.setp\n"
                 "branch branch p1\n"
                 "store global.store rd4\n");
}

/* ---- what else stands in a graph --------------------------------------------------------------
 */

static void test_traffic(void)
{
    g_autoptr(PsBuild) build = graph_build(&(GraphCase){
        .ptx = "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 32;\n"
               "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n"
               "st.shared.f32 [t], %f1;\n",
        .arguments = "a:4096",
        .block = {32}});
    const PsIdgCode *code = build->idg->codes->pdata[0];
    const PsIdgItem *load = code->body->pdata[1];
    g_assert_cmpstr(load->class_name, ==, "global.load.s32");
    g_assert_cmpstr(ps_expr_text(load->bytes), ==, "4");
    g_assert_cmpstr(ps_expr_text(load->share[PS_LEVEL_L2]), ==, "8"); /* 32 bytes for 4 */
    g_assert_cmpstr(ps_expr_text(load->share[PS_LEVEL_DEVICE]), ==, "8");
    g_assert_cmpstr(ps_expr_text(build->idg->launch.local_memory), ==, "1024");
    g_autoptr(PsKernel) kernel = ps_kernel_new(build->idg, NULL, NULL);
    g_assert_nonnull(kernel);
}

/* A matrix of 16 x 16 singles is 32 bytes per lane, however many accesses that takes; here each
 * reads 8 bytes of two lanes of a row, a sector: no more than needed. */
static void test_several_accesses(void)
{
    g_autoptr(PsBuild) build = graph_build(&(GraphCase){
        .ptx = "ld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, 16;\n"
               "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 "
               "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%rd2], %r1;\n"
               "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2+1024], "
               "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, %r1;\n",
        .arguments = "a:4096",
        .block = {32}});
    const PsIdgCode *code = build->idg->codes->pdata[0];
    g_assert_cmpuint(code->body->len, ==, 2);
    for (guint i = 0; i < code->body->len; i++) {
        const PsIdgItem *node = code->body->pdata[i];
        g_assert_cmpstr(node->class_name, ==, i == 0 ? "global.load" : "global.store");
        g_assert_cmpstr(ps_expr_text(node->bytes), ==, "32");
        g_assert_cmpstr(ps_expr_text(node->share[PS_LEVEL_DEVICE]), ==, "1");
    }
}

/* A copy reads as many bytes as its last operand says: here all 4 of 8 lanes in the first warp and
 * none in the second one, and 4 of 16 in all lanes, which takes all their sectors. */
static void test_copies_of_less(void)
{
    g_autoptr(PsBuild) build = graph_build(&(GraphCase){
        .ptx = OWN_ADDRESS "mul.wide.u32 %rd3, %r1, 12;\nadd.s64 %rd5, %rd4, %rd3;\n"
                           "setp.lt.u32 %p1, %r1, 8;\nselp.u32 %r2, 4, 0, %p1;\nmov.u32 %r3, 4;\n"
                           "cp.async.ca.shared.global [s], [%rd4], 4, %r2;\n"
                           "cp.async.ca.shared.global [t], [%rd5+1024], 16, %r3;\n"
                           "cp.async.wait_all;\n",
        .arguments = "a:4096",
        .block = {64}});
    static const char *const shares[][2] = {{"0.25", "1"}, {"0", "1"}};
    g_assert_cmpuint(build->idg->codes->len, ==, G_N_ELEMENTS(shares));
    for (guint warp = 0; warp < G_N_ELEMENTS(shares); warp++) {
        const GPtrArray *body = ((const PsIdgCode *)build->idg->codes->pdata[warp])->body;
        for (guint copy = 0; copy < 2; copy++) {
            const PsIdgItem *node = body->pdata[body->len - 2 + copy];
            g_assert_cmpstr(node->class_name, ==, "global.load.async");
            g_assert_cmpstr(ps_expr_text(node->bytes), ==, copy == 0 ? "4" : "16");
            g_assert_cmpstr(ps_expr_text(node->share[PS_LEVEL_L1]), ==, shares[warp][copy]);
            g_assert_cmpstr(ps_expr_text(node->share[PS_LEVEL_L2]), ==, shares[warp][copy]);
            g_assert_cmpstr(ps_expr_text(node->share[PS_LEVEL_DEVICE]), ==, shares[warp][copy]);
        }
    }
}

static void test_mix(void)
{
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = saxpy_like, .arguments = "a:4096", .block = {64}});
    gint64 before = 0, after = 0;
    for (guint i = 0; i < build->mix->len; i++) {
        const PsBuildMix *mix = build->mix->pdata[i];
        before += mix->before;
        after += mix->after;
        if (i == 0)
            continue;
        const PsBuildMix *more = build->mix->pdata[i - 1];
        g_assert_cmpint(mix->after, <=, more->after);
        if (mix->after == more->after && mix->before == more->before)
            g_assert_cmpstr(mix->class_name, >, more->class_name);
    }
    g_assert_cmpint(before, ==, 2 * 10);
    g_assert_cmpint(after, ==, 2 * 4);
    g_assert_cmpuint(build->warp_instructions, ==, 2 * 11);
}

static void test_unknown(void)
{
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = "mov.u32 %r1, 1;\nfrobnicate.b32 %r2, %r1;\nst.shared.u32 [t], %r2;\n",
                     .block = {32}});
    g_autofree char *lines = graph_lines(build->idg);
    g_assert_cmpstr(lines, ==, "r2 unknown\nstore local.store r2\n");
    g_assert_cmpuint(build->warnings->len, >, 0);
}

/* Nobody waits for these arrivals, and all warps meet at the mbarrier: there is nothing to say. */
static void test_waits(void)
{
    g_autoptr(PsBuild) build = graph_build(&(GraphCase){
        .ptx = "bar.arrive 1, 64;\nbar.arrive 2, 64;\nmov.u32 %r1, %tid.x;\n"
               "setp.eq.u32 %p3, %r1, 0;\n@%p3 mbarrier.init.shared.b64 [t], 64;\nbar.sync 0;\n"
               "mbarrier.arrive.shared.b64 %rd4, [t];\n"
               "mbarrier.test_wait.shared.b64 %p1, [t], %rd4;\n"
               "mbarrier.test_wait.shared.b64 %p2, [t], %rd4;\n",
        .block = {64}});
    g_assert_cmpuint(build->warnings->len, ==, 0);
}

static void test_sleep(void)
{
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = "nanosleep.u32 10;\nnanosleep.u32 20;\n", .block = {32}});
    g_autofree char *lines = graph_lines(build->idg);
    g_assert_cmpstr(lines, ==, "nanosleep branch.sync\nnanosleep_2 branch.sync\n");
    g_assert_cmpuint(build->warnings->len, ==, 1);
    const char *text = strchr(build->warnings->pdata[0], ' ') + 1;
    g_assert_cmpstr(text, ==, "the time that threads sleep here is not in the answer");
}

/* Global memory adds halves by twos: one alone is a loop of compare-and-swap (ptxas of CUDA 13 for
 * compute capabilities 8.0, 9.0 and 10.0), of which the graph has the loop. What other groups make
 * of it is said once. */
static void test_halves(void)
{
    static const struct {
        const char *added;
        guint told;
    } cases[] = {{"atom.add.noftz.f16 %h1, [%rd4], %h2;\n", 1},
                 {"red.global.add.noftz.bf16 [%rd4], %h2;\n", 1},
                 {"red.global.add.noftz.f16x2 [%rd4], %r2;\n", 0},
                 {"red.global.add.noftz.v2.f16 [%rd4], {%h1, %h2};\n", 0},
                 {"red.global.add.f32 [%rd4], %f2;\n", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx =
            g_strconcat(OWN_ADDRESS "mov.b16 %h2, 1;\nmov.b16 %h1, 1;\nmov.b32 %r2, 1;\n"
                                    "mov.f32 %f2, 1.0;\n",
                        cases[i].added, cases[i].added, NULL);
        g_autoptr(PsBuild) build =
            graph_build(&(GraphCase){.ptx = ptx, .block = {32}, .arguments = "a:4096"});
        guint told = 0;
        for (guint w = 0; w < build->warnings->len; w++)
            told += strstr(build->warnings->pdata[w], "this loop tries an atomic operation") != 0;
        g_assert_cmpuint(told, ==, cases[i].told);
    }
}

/* Shared memory that the code names, and nothing of what the launch adds. */
static void test_static(void)
{
    static const char *const accesses[] = {"ret;", "st.shared.u32 [t], 1;",
                                           "st.shared.u32 [t], 1;\nst.shared.u32 [s], 1;"};
    static const guint64 bytes[] = {0, 1024, 5120};
    for (guint i = 0; i < G_N_ELEMENTS(accesses); i++) {
        g_autoptr(PsBuild) build = graph_build(&(GraphCase){.ptx = accesses[i], .block = {32}});
        g_assert_cmpuint(build->static_local, ==, bytes[i]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph/all-on", test_all_on);
    g_test_add_func("/ptx-graph/all-off", test_all_off);
    g_test_add_func("/ptx-graph/moves", test_moves);
    g_test_add_func("/ptx-graph/parameters-and-specials", test_parameters_and_specials);
    g_test_add_func("/ptx-graph/addresses", test_addresses);
    g_test_add_func("/ptx-graph/no-addresses", test_no_addresses);
    g_test_add_func("/ptx-graph/dead", test_dead);
    g_test_add_func("/ptx-graph/widths", test_widths);
    g_test_add_func("/ptx-graph/loop", test_loop);
    g_test_add_func("/ptx-graph/conversions", test_conversions);
    g_test_add_func("/ptx-graph/loop-through-move", test_loop_through_move);
    g_test_add_func("/ptx-graph/trips", test_trips);
    g_test_add_func("/ptx-graph/launch", test_launch);
    g_test_add_func("/ptx-graph/nested", test_nested);
    g_test_add_func("/ptx-graph/rotation", test_rotation);
    g_test_add_func("/ptx-graph/copies", test_copies);
    g_test_add_func("/ptx-graph/divergence", test_divergence);
    g_test_add_func("/ptx-graph/guard", test_guard);
    g_test_add_func("/ptx-graph/warps", test_warps);
    g_test_add_func("/ptx-graph/traffic", test_traffic);
    g_test_add_func("/ptx-graph/several-accesses", test_several_accesses);
    g_test_add_func("/ptx-graph/copies-of-less", test_copies_of_less);
    g_test_add_func("/ptx-graph/mix", test_mix);
    g_test_add_func("/ptx-graph/unknown", test_unknown);
    g_test_add_func("/ptx-graph/waits", test_waits);
    g_test_add_func("/ptx-graph/sleep", test_sleep);
    g_test_add_func("/ptx-graph/halves", test_halves);
    g_test_add_func("/ptx-graph/static", test_static);
    return g_test_run();
}
