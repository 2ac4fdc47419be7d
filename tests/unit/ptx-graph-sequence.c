/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PTX does not show: sequences in place of instructions that no GPU has, moves of constants
 * that no operand can hold, and what every warp does once.
 */
#include "idg/edit.h"
#include "tests/help/graph-text.h"

#include <string.h>

/* Counted in what ptxas of CUDA 13 makes for sm_75, without BMOV, on the way of usual operands:
 * ones.
 */
static const struct {
    const char *instruction; /* of registers that are loaded */
    guint nodes;
} counts[] = {
    {"div.rn.f32 %f9, %f1, %f2;", 10},
    {"div.full.f32 %f9, %f1, %f2;", 8},
    {"div.approx.f32 %f9, %f1, %f2;", 5},
    {"div.approx.ftz.f32 %f9, %f1, %f2;", 2},
    {"rcp.rn.f32 %f9, %f1;", 10},
    {"rcp.approx.f32 %f9, %f1;", 8},
    {"rcp.approx.ftz.f32 %f9, %f1;", 1},
    {"sqrt.rn.f32 %f9, %f1;", 10},
    {"sqrt.approx.f32 %f9, %f1;", 4},
    {"sqrt.approx.ftz.f32 %f9, %f1;", 1},
    {"rsqrt.approx.f32 %f9, %f1;", 4},
    {"rsqrt.approx.ftz.f32 %f9, %f1;", 1},
    {"sin.approx.f32 %f9, %f1;", 2},
    {"ex2.approx.f32 %f9, %f1;", 4},
    {"ex2.approx.ftz.f32 %f9, %f1;", 1},
    {"lg2.approx.f32 %f9, %f1;", 4},
    {"add.rn.f32 %f9, %f1, %f2;", 1},
    {"div.u32 %r9, %r1, %r2;", 18},
    {"div.s32 %r9, %r1, %r2;", 24},
    {"rem.u32 %r9, %r1, %r2;", 17},
    {"rem.s32 %r9, %r1, %r2;", 22},
    {"div.u64 %rd9, %rd1, %rd2;", 72},
    {"rem.s64 %rd9, %rd1, %rd2;", 82},
    {"clz.b32 %r9, %r1;", 2},
    {"mul.lo.s64 %rd9, %rd1, %rd2;", 4},
    {"mul.hi.u64 %rd9, %rd1, %rd2;", 7},
    {"mul.hi.s64 %rd9, %rd1, %rd2;", 17},
    {"min.s64 %rd9, %rd1, %rd2;", 4},
    {"sub.s64 %rd9, %rd1, %rd2;", 2},
    {"div.rn.f64 %fd9, %fd1, %fd2;", 16},
    {"rcp.rn.f64 %fd9, %fd1;", 11},
    {"sqrt.rn.f64 %fd9, %fd1;", 18},
    {"rsqrt.approx.f64 %fd9, %fd1;", 14},
    {"max.f64 %fd9, %fd1, %fd2;", 7},
    {"fma.rn.f64 %fd9, %fd1, %fd2, %fd1;", 1},
};

static guint count_nodes(const GPtrArray *body)
{
    guint n = 0;
    for (guint i = 0; i < body->len; i++)
        n += !g_str_has_prefix(((const PsIdgItem *)body->pdata[i])->class_name, "local.");
    return n;
}

/* Nodes of the instruction where the first float has these bits, and all other numbers are ones. */
static PsBuild *build_of(const char *instruction, const char *single, const char *wide)
{
    g_autofree char *ptx = g_strdup_printf(
        "st.shared.u32 [s], %s;\nst.shared.u32 [s+4], 0x3f800000;\nst.shared.u32 [s+8], 1;\n"
        "st.shared.u32 [t], 1;\nst.shared.u64 [s+16], 1;\nst.shared.u64 [s+32], 1;\n"
        "st.shared.u64 [s+48], %s;\nst.shared.u64 [s+64], 0x3ff0000000000000;\n"
        "ld.shared.f32 %%f1, [s];\nld.shared.f32 %%f2, [s+4];\nld.shared.u32 %%r1, [s+8];\n"
        "ld.shared.u32 %%r2, [t];\nld.shared.u64 %%rd1, [s+16];\nld.shared.u64 %%rd2, [s+32];\n"
        "ld.shared.f64 %%fd1, [s+48];\nld.shared.f64 %%fd2, [s+64];\n"
        "mov.u32 %%r9, 1;\nmov.f32 %%f9, %%f1;\nmov.u64 %%rd9, %%rd1;\nmov.f64 %%fd9, %%fd1;\n"
        "%s\nst.shared.f32 [s], %%f9;\nst.shared.u32 [s+12], %%r9;\nst.shared.u64 [s+24], %%rd9;\n"
        "st.shared.f64 [s+40], %%fd9;\n",
        single, wide, instruction);
    return graph_build(&(GraphCase){.ptx = ptx, .block = {32}});
}

static guint nodes_of(const char *instruction, const char *single, const char *wide)
{
    g_autoptr(PsBuild) build = build_of(instruction, single, wide);
    const PsIdgCode *code = build->idg->codes->pdata[0];
    return count_nodes(code->body);
}

/* No division is a node of a class of its own: an approximate one is a reciprocal and products,
 * without the check and the correction of an exact one. */
static void test_approximate(void)
{
    static const char *const divisions[] = {
        "div.rn.f32 %f9, %f1, %f2;", "div.full.f32 %f9, %f1, %f2;", "div.approx.f32 %f9, %f1, %f2;",
        "div.approx.ftz.f32 %f9, %f1, %f2;"};
    for (gsize i = 0; i < G_N_ELEMENTS(divisions); i++) {
        g_autoptr(PsBuild) build = build_of(divisions[i], "0x3f800000", "0x3ff0000000000000");
        const PsIdgCode *code = build->idg->codes->pdata[0];
        guint reciprocals = 0, others = 0;
        for (guint n = 0; n < code->body->len; n++) {
            const char *name = ((const PsIdgItem *)code->body->pdata[n])->class_name;
            reciprocals += strcmp(name, "rcp") == 0;
            others += strcmp(name, "fmadd") == 0 || strcmp(name, "rcp.check") == 0 ||
                      strcmp(name, "branch") == 0;
            g_assert_false(g_str_has_prefix(name, "fdiv"));
        }
        g_assert_cmpuint(reciprocals, ==, 1);
        g_assert_cmpuint(others, ==, i == 0 ? 7 : 0);
    }
}

/* All but the node with the result are parts of that, which says what they are together. */
static void test_operation(void)
{
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = "ld.shared.u32 %r1, [s];\nld.param.u32 %r2, [n];\n"
                                        "rem.u32 %r3, %r1, %r2;\nmov.u32 %r4, %tid.x;\n"
                                        "div.u32 %r5, %r1, %r4;\ncvt.rn.f32.u32 %f1, %r3;\n"
                                        "st.shared.f32 [s], %f1;\nst.shared.u32 [t], %r5;\n",
                                 .arguments = "n=100",
                                 .block = {32}});
    PsIdg *idg = build->idg;
    const PsIdgItem *rest = ps_idg_find(idg, 0, "r3"), *part = ps_idg_find(idg, 0, "r3__1");
    g_assert_cmpstr(rest->op, ==, "rem.u32");
    g_assert_cmpstr(rest->by, ==, "n");
    g_assert_null(rest->part);
    g_assert_cmpstr(part->part, ==, "r3");
    g_assert_null(part->op);
    g_assert_cmpstr(ps_idg_find(idg, 0, "r5")->op, ==, "div.u32");
    g_assert_null(ps_idg_find(idg, 0, "r5")->by); /* by what threads differ in */
    g_assert_cmpstr(ps_idg_find(idg, 0, "f1")->op, ==, "cvt.rn.f32.u32");
    g_assert_null(ps_idg_find(idg, 0, "r1")->op);
}

static void test_counts(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        const guint nodes = nodes_of(counts[i].instruction, "0x3f800000", "0x3ff0000000000000");
        if (nodes != counts[i].nodes)
            g_test_message("%s", counts[i].instruction);
        g_assert_cmpuint(nodes, ==, counts[i].nodes);
    }
}

/* Counted in the same code with the subroutine, on the way of zeros, and of very small or large
 * numbers, on both sides of where that begins. */
static const struct {
    const char *instruction;
    const char *bits; /* of the first operand, the second being one */
    guint nodes;
} slow[] = {
    {"div.rn.f32 %f9, %f1, %f2;", "0x0", 45},
    {"div.rn.f32 %f9, %f1, %f2;", "0x80000000", 45},
    {"div.rn.f32 %f9, %f1, %f2;", "0x7f800000", 45},
    {"div.rn.f32 %f9, %f1, %f2;", "0x7fc00000", 45},
    {"div.rn.f32 %f9, %f1, %f2;", "0x1", 55},
    {"div.rn.ftz.f32 %f9, %f1, %f2;", "0x1", 45},
    {"div.rn.f32 %f9, %f1, %f2;", "0x0c7fffff", 55},
    {"div.rn.f32 %f9, %f1, %f2;", "0x0c800000", 10},
    {"div.rn.f32 %f9, %f1, %f2;", "0x7e7fffff", 10},
    {"div.rn.f32 %f9, %f1, %f2;", "0x7f000000", 55},
    {"div.rn.f32 %f9, %f2, %f1;", "0x0", 45},
    {"div.rn.f32 %f9, %f2, %f1;", "0x00800000", 10},
    {"div.rn.f32 %f9, %f2, %f1;", "0x7e000000", 10},
    {"div.rn.f32 %f9, %f2, %f1;", "0x7e800000", 55},
    {"div.approx.f32 %f9, %f1, %f2;", "0x0", 5},
    {"div.full.f32 %f9, %f1, %f2;", "0x0", 8},
    {"rcp.rn.f32 %f9, %f1;", "0x0", 29},
    {"rcp.rn.f32 %f9, %f1;", "0x00800000", 10},
    {"rcp.rn.f32 %f9, %f1;", "0x7e7fffff", 10},
    {"rcp.rn.f32 %f9, %f1;", "0x7e800000", 52},
    {"rcp.approx.ftz.f32 %f9, %f1;", "0x0", 1},
    {"sqrt.rn.f32 %f9, %f1;", "0x0", 16},
    {"sqrt.rn.f32 %f9, %f1;", "0xbf800000", 16},
    {"sqrt.rn.f32 %f9, %f1;", "0x0cffffff", 32},
    {"sqrt.rn.f32 %f9, %f1;", "0x0d000000", 10},
    {"div.rn.f64 %fd9, %fd1, %fd2;", "0x0", 78},
    {"div.rn.f64 %fd9, %fd1, %fd2;", "0x035fffff00000000", 74},
    {"div.rn.f64 %fd9, %fd1, %fd2;", "0x0360000000000000", 16},
    {"rcp.rn.f64 %fd9, %fd1;", "0x0", 30},
    {"rcp.rn.f64 %fd9, %fd1;", "0x7fe0000000000000", 45},
    {"sqrt.rn.f64 %fd9, %fd1;", "0x0", 33},
    {"sqrt.rn.f64 %fd9, %fd1;", "0x034fffff00000000", 38},
    {"sqrt.rn.f64 %fd9, %fd1;", "0x0350000000000000", 18},
    {"rsqrt.approx.f64 %fd9, %fd1;", "0x0", 26},
    {"rsqrt.approx.f64 %fd9, %fd1;", "0x000fffff00000000", 45},
    {"rsqrt.approx.ftz.f64 %fd9, %fd1;", "0x0", 1},
};

static void test_slow(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(slow); i++) {
        const gboolean wide = strstr(slow[i].instruction, ".f64") != NULL;
        const guint nodes =
            nodes_of(slow[i].instruction, wide ? "0" : slow[i].bits, wide ? slow[i].bits : "0");
        if (nodes != slow[i].nodes)
            g_test_message("%s of %s", slow[i].instruction, slow[i].bits);
        g_assert_cmpuint(nodes, ==, slow[i].nodes);
    }
}

/* One lane is enough; the warps with such a lane must be half of all that come to the point. */
static void test_slow_share(void)
{
    static const struct {
        guint below; /* threads with a zero: the first warps, and the last lane of them */
        guint nodes;
    } cases[] = {{0, 10}, {1, 10}, {32, 10}, {33, 45}, {64, 45}, {128, 45}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = g_strdup_printf(
            "mov.u32 %%r1, %%tid.x;\nsetp.lt.u32 %%p1, %%r1, %u;\nmov.f32 %%f2, 0f3f800000;\n"
            "selp.f32 %%f1, 0f00000000, %%f2, %%p1;\ndiv.rn.f32 %%f3, %%f1, %%f2;\n"
            "st.shared.f32 [s], %%f3;\n",
            cases[i].below);
        g_autoptr(PsBuild) build = graph_build(&(GraphCase){.ptx = ptx, .block = {128}});
        const PsIdgCode *code = build->idg->codes->pdata[0];
        guint n = 0;
        for (guint k = 0; k < code->body->len; k++) {
            const PsIdgItem *item = code->body->pdata[k];
            n += strcmp(item->name, "f3") == 0 || g_str_has_prefix(item->name, "f3__");
        }
        if (n != cases[i].nodes)
            g_test_message("%u zeros", cases[i].below);
        g_assert_cmpuint(n, ==, cases[i].nodes);
    }
}

/* The step that has the result has the name, and stands before what ends the sequence. */
static void test_division(void)
{
    graph_assert(&(GraphCase){.ptx = "st.shared.u32 [s], 0x3f800000;\n"
                                     "st.shared.u32 [t], 0x3f800000;\n"
                                     "ld.shared.f32 %f1, [s];\nld.shared.f32 %f2, [t];\n"
                                     "div.rn.f32 %f3, %f1, %f2;\nst.shared.f32 [s], %f3;\n",
                              .block = {32}},
                 "store local.store\n"
                 "store_2 local.store\n"
                 "f1 local.load.broadcast\n"
                 "f2 local.load.broadcast\n"
                 "f3__1 branch.sync\n"
                 "f3__2 rcp f1 f2\n"
                 "f3__3 rcp.check f1 f2\n"
                 "f3__4 fmadd f1 f2 f3__2\n"
                 "f3__5 fmadd f3__2 f3__4\n"
                 "f3__6 fmadd f1 f2 f3__5\n"
                 "f3__7 fmadd f1 f2 f3__6\n"
                 "f3 fmadd f3__5 f3__6 f3__7\n"
                 "f3__9 branch f3__3\n"
                 "f3__10 branch.sync\n"
                 "store_3 local.store f3\n");
}

/* 3 is moved once for both products; of two numbers in a sum of products one; zero is a register.
 */
static void test_constants(void)
{
    graph_assert(&(GraphCase){.ptx = "ld.param.u64 %rd1, [in];\nld.shared.u32 %r1, [s];\n"
                                     "mad.lo.s32 %r2, %r1, 3, 5;\nmad.lo.s32 %r3, %r1, 3, 7;\n"
                                     "mad.lo.s32 %r4, %r1, 9, 0;\nst.shared.u32 [s], %r2;\n"
                                     "st.shared.u32 [s], %r3;\nst.shared.u32 [s], 5;\n"
                                     "st.shared.u32 [s], %r4;\nst.global.u32 [%rd1], 0;\n",
                              .arguments = "in:4096",
                              .block = {32},
                              .with = "constants"},
                 "r1 local.load.broadcast\n"
                 "r2__c1 logic.mov\n"
                 "r2 imad r1 r2__c1\n"
                 "r3 imad r1\n"
                 "r4 imad r1\n"
                 "store local.store r2\n"
                 "store_2 local.store r3\n"
                 "store_3__c1 logic.mov\n"
                 "store_3 local.store store_3__c1\n"
                 "store_4 local.store r4\n"
                 "store_5__c1 logic.mov\n"
                 "store_5 global.store store_5__c1\n");
}

static void test_frame(void)
{
    graph_assert(&(GraphCase){.ptx = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\n"
                                     "mov.u32 %r3, %tid.x;\nadd.s32 %r4, %r1, %r2;\n"
                                     "add.s32 %r5, %r4, %r3;\nst.shared.u32 [s], %r5;\n",
                              .block = {32},
                              .with = "frame"},
                 "frame__1 logic.mov\n"
                 "r1 logic.special\n"
                 "r5 iadd r1\n"
                 "store local.store r5\n"
                 "branch branch\n");
}

/* A product of four warps is one node of its shape, and says where its first factor is. */
static void test_products(void)
{
    static const struct {
        const char *shape, *factor, *class_name;
        guint n;
    } cases[] = {{"m64n128k16", "%rd2", "m64n128k16", 64},
                 {"m64n16k16", "%rd2", "m64n16k16", 8},
                 {"m64n8k16", "%rd2", "m64n8k16", 4},
                 {"m64n8k16", "{%r1, %r2, %r3, %r4}", "held.m64n8k16", 4}};
    for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
        g_autoptr(GString) ptx = g_string_new(NULL);
        g_autofree char *name = g_strconcat("tensor.wgmma.f16.f32.", cases[c].class_name, NULL);
        g_string_printf(ptx, "wgmma.mma_async.sync.aligned.%s.f32.f16.f16 {", cases[c].shape);
        for (guint i = 0; i < cases[c].n; i++)
            g_string_append_printf(ptx, "%s%%f%u", i ? "," : "", i % 40);
        g_string_append(ptx, "}");
        g_string_append_printf(ptx, ", %s, %%rd3, 1, 1, 1, 0%s;\nst.shared.f32 [s], %%f0;\n",
                               cases[c].factor, cases[c].factor[0] == '{' ? "" : ", 0");
        g_autoptr(PsBuild) build = graph_build(&(GraphCase){.ptx = ptx->str, .block = {128}});
        const PsIdgCode *code = build->idg->codes->pdata[0];
        const PsIdgItem *product = code->body->pdata[0];
        g_assert_cmpstr(product->class_name, ==, name);
        g_assert_nonnull(product->ops);
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Loads come first, one that a store waits for before all; a store keeps loads of what may be the
 * same place behind it, and lets pass those of other memory, of another place of the same base, and
 * of what nobody writes. */
static void test_schedule(void)
{
    graph_assert(&(GraphCase){.ptx = "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
                                     "ld.shared.f32 %f1, [s];\nadd.f32 %f2, %f1, %f1;\n"
                                     "st.global.f32 [%rd2], %f2;\n"
                                     "ld.global.f32 %f3, [%rd1];\nadd.f32 %f4, %f3, %f2;\n"
                                     "ld.global.f32 %f5, [%rd2+4];\nadd.f32 %f6, %f4, %f5;\n"
                                     "ld.global.nc.f32 %f7, [%rd1];\nadd.f32 %f8, %f6, %f7;\n"
                                     "ld.shared.f32 %f9, [t];\nadd.f32 %f10, %f8, %f9;\n"
                                     "st.global.f32 [%rd2], %f10;\n",
                              .arguments = "in:4096 out:4096",
                              .block = {32},
                              .with = "schedule"},
                 "f1 local.load.broadcast\n"
                 "f5 global.load.broadcast\n"
                 "f7 global.load.broadcast\n"
                 "f9 local.load.broadcast\n"
                 "f2 fadd f1\n"
                 "store global.store f2\n"
                 "f3 global.load.broadcast\n"
                 "f4 fadd f2 f3\n"
                 "f6 fadd f4 f5\n"
                 "f8 fadd f6 f7\n"
                 "f10 fadd f8 f9\n"
                 "store_2 global.store f10\n");
}

/* No access to memory crosses a barrier, and nothing a branch, or a division that may call a
 * subroutine. */
static void test_schedule_ends(void)
{
    graph_assert(&(GraphCase){.ptx = "ld.param.u64 %rd1, [in];\nst.shared.u32 [s], 0x3f800000;\n"
                                     "ld.shared.f32 %f1, [s];\n"
                                     "div.approx.ftz.f32 %f2, %f1, %f1;\n"
                                     "ld.global.f32 %f3, [%rd1];\nbar.sync 0;\n"
                                     "add.f32 %f4, %f2, %f3;\nld.global.f32 %f5, [%rd1+4];\n"
                                     "rcp.rn.f32 %f6, %f4;\nld.global.f32 %f7, [%rd1+8];\n"
                                     "add.f32 %f8, %f5, %f6;\nadd.f32 %f9, %f8, %f7;\n"
                                     "st.shared.f32 [s], %f9;\n",
                              .arguments = "in:4096",
                              .block = {32},
                              .with = "schedule"},
                 "store local.store\n"
                 "f3 global.load.broadcast\n"
                 "f1 local.load.broadcast\n"
                 "barrier barrier store\n"
                 "f5 global.load.broadcast\n"
                 "f2__1 rcp f1\n"
                 "f2 fmul f1 f2__1\n"
                 "f4 fadd f2 f3\n"
                 "f6__1 branch.sync\n"
                 "f6__2 iadd f4\n"
                 "f6__3 logic f6__2\n"
                 "f6__4 iadd.setp f6__3\n"
                 "f6__5 branch f6__4\n"
                 "f6__6 rcp f4\n"
                 "f6__7 fmadd f4 f6__6\n"
                 "f6__8 fadd f6__7\n"
                 "f6 fmadd f6__6 f6__8\n"
                 "f6__10 branch.sync\n"
                 "f7 global.load.broadcast\n"
                 "f8 fadd f5 f6\n"
                 "f9 fadd f7 f8\n"
                 "store_2 local.store f9\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-sequence/approximate", test_approximate);
    g_test_add_func("/ptx-graph-sequence/counts", test_counts);
    g_test_add_func("/ptx-graph-sequence/operation", test_operation);
    g_test_add_func("/ptx-graph-sequence/slow", test_slow);
    g_test_add_func("/ptx-graph-sequence/slow-share", test_slow_share);
    g_test_add_func("/ptx-graph-sequence/division", test_division);
    g_test_add_func("/ptx-graph-sequence/constants", test_constants);
    g_test_add_func("/ptx-graph-sequence/frame", test_frame);
    g_test_add_func("/ptx-graph-sequence/products", test_products);
    g_test_add_func("/ptx-graph-sequence/schedule", test_schedule);
    g_test_add_func("/ptx-graph-sequence/schedule-ends", test_schedule_ends);
    return g_test_run();
}
