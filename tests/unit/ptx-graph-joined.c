/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer instructions and constants as newer assemblers write them: each case was compared with
 * what ptxas of CUDA 12.8 and 13 makes of it for 7.0 to 12.0. */
#include "tests/help/contains.h"
#include "tests/help/graph-text.h"

#include <string.h>

static char *lines_of(const char *ptx, const char *functions)
{
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = ptx, .functions = functions, .arguments = "n=32", .block = {32}});
    return graph_lines(build->idg);
}

static void assert_count(const char *lines, const char *part, guint n)
{
    if (count_of(lines, part) != n)
        g_error("%u, not %u, of \"%s\" in:\n%s", count_of(lines, part), n, part, lines);
}

/* A shift to the left by a number is a product (IMAD.SHL); by a register, or to the right, it is
 * none. */
static void test_left(void)
{
    static const struct {
        const char *shift;
        guint products;
    } list[] = {{"shl.b32 %r3, %r2, 13;", 1},
                {"shl.b32 %r3, %r2, %r2;", 0},
                {"shr.u32 %r3, %r2, 13;", 0},
                {"shl.b16 %h1, %h2, 3;\nmov.u32 %r3, %r2;", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.param.u32 %%r2, [n];\n%s\n"
                                               "xor.b32 %%r4, %%r3, %%r2;\n"
                                               "st.shared.u32 [t], %%r4;\n",
                                               list[i].shift);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, " shift.left", list[i].products);
    }
}

/* A product of floats and all sums of it are multiply-adds, unless one of them is rounded. */
static void test_contraction(void)
{
    static const struct {
        const char *code;
        guint products, both, sums;
    } list[] = {
        {"mul.f32 %f3, %f1, %f2;\nsub.f32 %f4, %f1, %f3;", 0, 1, 0},
        {"mul.ftz.f32 %f3, %f1, %f2;\nadd.ftz.f32 %f4, %f3, %f1;", 0, 1, 0},
        {"mul.f32 %f3, %f1, %f2;\nsub.f32 %f5, %f2, %f3;\nadd.f32 %f6, %f3, %f1;\n"
         "max.f32 %f4, %f5, %f6;",
         0, 2, 0},
        {"mul.f32 %f3, %f1, %f2;\nmul.f32 %f5, %f1, %f1;\nadd.f32 %f4, %f3, %f5;", 1, 1, 0},
        {"mul.rn.f32 %f3, %f1, %f2;\nsub.f32 %f4, %f1, %f3;", 1, 0, 1},
        {"mul.f32 %f3, %f1, %f2;\nsub.rn.f32 %f4, %f1, %f3;", 1, 0, 1},
        {"mul.f32 %f3, %f1, %f2;\nadd.ftz.f32 %f4, %f3, %f1;", 1, 0, 1},
        {"mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f3;", 1, 0, 1},
        {"mul.f32 %f3, %f1, %f2;\nsub.f32 %f5, %f2, %f3;\nmax.f32 %f4, %f5, %f3;", 1, 0, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.param.f32 %%f1, [n];\nmov.u32 %%r1, %%tid.x;\n"
                                               "cvt.rn.f32.u32 %%f2, %%r1;\n%s\n"
                                               "st.shared.f32 [t], %%f4;\n",
                                               list[i].code);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, " fmul", list[i].products);
        assert_count(lines, " fmadd", list[i].both);
        assert_count(lines, " fadd ", list[i].sums);
    }
    g_autofree char *doubles = lines_of("mov.u32 %r1, %tid.x;\ncvt.rn.f64.u32 %fd1, %r1;\n"
                                        "mul.f64 %fd2, %fd1, %fd1;\nsub.f64 %fd3, %fd1, %fd2;\n"
                                        "st.shared.f64 [t], %fd3;\n",
                                        NULL);
    assert_count(doubles, " dfma", 1);
    assert_count(doubles, " dmul", 0);
}

/* x << n | y >> (32 - n) is one instruction of two registers (SHF), any other two are three. */
static void test_funnel(void)
{
    static const struct {
        const char *up, *right, *down;
        gboolean one;
    } list[] = {{"7", "shr.u32", "25", TRUE},
                {"7", "shr.b32", "25", TRUE},
                {"7", "shr.u32", "24", FALSE},
                {"7", "shr.s32", "25", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u32 %%r2, [t];\n"
                                               "ld.shared.u32 %%r3, [t+128];\n"
                                               "shl.b32 %%r4, %%r2, %s;\n"
                                               "%s %%r5, %%r3, %s;\n"
                                               "or.b32 %%r6, %%r5, %%r4;\n"
                                               "st.shared.u32 [t], %%r6;\n",
                                               list[i].up, list[i].right, list[i].down);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, "r6 shift ", list[i].one ? 1 : 0);
        assert_count(lines, "\nr4 ", list[i].one ? 0 : 1);
        assert_count(lines, "r6 logic", list[i].one ? 0 : 1);
    }
}

/* A rotation of 64 bits, which compilers write with a sum, is two such shifts, and one that a sum
 * reads is part of that (LEA.HI). */
static void test_rotation(void)
{
    static const struct {
        const char *joins, *other;
        guint shifts;
    } list[] = {{"add.u64", "%rd1", 2},
                {"or.b64", "%rd1", 2},
                {"or.b64", "%rd2", 4},
                {"xor.b64", "%rd1", 4}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u64 %%rd1, [t];\n"
                                               "ld.shared.u64 %%rd2, [t+256];\n"
                                               "shl.b64 %%rd3, %%rd1, 13;\n"
                                               "shr.u64 %%rd4, %s, 51;\n"
                                               "%s %%rd5, %%rd3, %%rd4;\n"
                                               "st.shared.u64 [t], %%rd5;\n",
                                               list[i].other, list[i].joins);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, " shift ", list[i].shifts);
        assert_count(lines, "rd5 logic", list[i].shifts == 4 ? 1 : 0);
    }
    g_autofree char *lines = lines_of("ld.shared.u32 %r1, [t];\n"
                                      "ld.shared.u32 %r2, [t+128];\n"
                                      "shl.b32 %r3, %r1, 7;\n"
                                      "shr.u32 %r4, %r2, 25;\n"
                                      "or.b32 %r5, %r3, %r4;\n"
                                      "add.s32 %r6, %r5, %r2;\n"
                                      "st.shared.u32 [t], %r6;\n",
                                      NULL);
    assert_count(lines, "shift", 0);
    assert_count(lines, "r6 iadd", 1);
}

/* An inversion is part of the logic that reads it, however often; not of a store. */
static void test_inversion(void)
{
    static const char *const others[] = {"", "st.shared.u32 [t+128], %r3;\n"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u32 %%r1, [t];\n"
                                               "ld.shared.u32 %%r2, [t+128];\n"
                                               "not.b32 %%r3, %%r1;\n"
                                               "and.b32 %%r4, %%r3, %%r2;\n"
                                               "xor.b32 %%r5, %%r4, %%r1;\n"
                                               "or.b32 %%r6, %%r3, %%r2;\n"
                                               "add.u32 %%r7, %%r6, %%r5;\n"
                                               "st.shared.u32 [t], %%r7;\n%s",
                                               others[i]);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, " logic ", 2 + i);
        assert_count(lines, "r3 logic", i);
    }
}

/* LOP3 is any function of three registers: a choice of bits and a majority are one each, whatever
 * the order; of four they are two, and a result that something else needs stays. */
static void test_logic(void)
{
    static const struct {
        const char *code;
        guint n;
    } list[] = {
        {"not.b32 %r4, %r1; and.b32 %r5, %r1, %r2; and.b32 %r6, %r3, %r4; or.b32 %r7, %r6, %r5;",
         1},
        {"xor.b32 %r4, %r2, %r3; and.b32 %r5, %r1, %r4; and.b32 %r6, %r2, %r3;"
         "xor.b32 %r7, %r5, %r6;",
         1},
        {"and.b32 %r4, %r1, %r2; and.b32 %r5, %r1, %r3; and.b32 %r6, %r2, %r3;"
         "xor.b32 %r8, %r4, %r5; xor.b32 %r7, %r8, %r6;",
         1},
        {"xor.b32 %r4, %r1, %r2; and.b32 %r5, %r4, %r3; or.b32 %r7, %r5, %r9;", 2},
        {"xor.b32 %r4, %r1, %r2; and.b32 %r5, %r4, 12; or.b32 %r7, %r5, %r3;", 2},
        {"xor.b32 %r4, %r1, %r2; and.b32 %r5, %r4, 12; or.b32 %r7, %r5, %r1;", 1},
        {"xor.b32 %r4, %r1, %r2; and.b32 %r5, %r4, %r3; or.b32 %r7, %r5, %r1;"
         "st.shared.u32 [t+4], %r5;",
         2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u32 %%r1, [t];\n"
                                               "ld.shared.u32 %%r2, [t+128];\n"
                                               "ld.shared.u32 %%r3, [t+256];\n"
                                               "ld.shared.u32 %%r9, [t+512];\n"
                                               "%s\n"
                                               "st.shared.u32 [t], %%r7;\n",
                                               list[i].code);
        g_autofree char *lines = lines_of(ptx, NULL);
        g_test_message("%s", list[i].code);
        assert_count(lines, " logic ", list[i].n);
    }
}

/* A sum of a product of 64 bits is the product's four instructions; where something else needs the
 * product, the sum has two of its own. */
static void test_long_product(void)
{
    static const char *const others[] = {"", "st.shared.u64 [t+8], %rd2;\n"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u64 %%rd1, [t];\n"
                                               "mul.lo.s64 %%rd2, %%rd1, 6364136223846793005;\n"
                                               "add.s64 %%rd3, %%rd2, 1442695040888963407;\n"
                                               "st.shared.u64 [t], %%rd3;\n%s",
                                               others[i]);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, "\nrd2 ", i);
        assert_count(lines, "iadd.carry", i);
    }
}

/* Moves and sums of a division that ptxas writes as products, beside which stand the sums of
 * another pipeline. */
static void test_moves(void)
{
    static const struct {
        const char *kind;
        guint products, sums;
    } list[] = {{"div.u32", 4, 3}, {"div.s32", 5, 3}, {"rem.u32", 3, 3}, {"rem.s32", 5, 2}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.shared.u32 %%r2, [t];\n"
                                               "%s %%r4, %%r2, %%r2;\n"
                                               "st.shared.u32 [t], %%r4;\n",
                                               list[i].kind);
        g_autofree char *lines = lines_of(ptx, NULL);
        assert_count(lines, " iadd.product", list[i].products);
        assert_count(lines, " iadd ", list[i].sums);
        assert_count(lines, " logic.mov", 0);
    }
}

/* What straight code divided by before has its inverse in a register; another label, another
 * divisor or a divisor that was written since has not. */
static void test_inverse(void)
{
    static const struct {
        const char *between, *divisor;
        guint inverses;
    } list[] = {{"", "%r2", 1},
                {"", "%r3", 2},
                {"add.u32 %r2, %r2, 1;", "%r2", 2},
                {"setp.eq.u32 %p1, %r4, 0;\n@%p1 bra L1;\nL1:", "%r2", 2}};
    static const char *const kinds[] = {"div.u32", "div.s32", "rem.u32", "rem.s32"};
    static const guint nodes[] = {9, 13, 8, 11};
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
            g_autofree char *ptx =
                g_strdup_printf("ld.shared.u32 %%r2, [t];\n"
                                "ld.shared.u32 %%r3, [t+128];\n"
                                "add.u32 %%r2, %%r2, 3;\n"
                                "add.u32 %%r3, %%r3, 5;\n"
                                "%s %%r4, %%r3, %%r2;\n%s\n"
                                "%s %%r5, %%r4, %s;\n"
                                "st.shared.u32 [t], %%r5;\n",
                                kinds[k], list[i].between, kinds[k], list[i].divisor);
            g_autofree char *lines = lines_of(ptx, NULL);
            assert_count(lines, " rcp", list[i].inverses);
            if (list[i].inverses == 1)
                assert_count(lines, "\nr5", nodes[k]);
        }
}

/* A loop over constants that counts to an argument loads them to uniform registers, two at once,
 * and its addresses have 32 bits. A load for each thread remains where threads may leave on their
 * own, or something else needs the counter. */
static void test_constants(void)
{
    static const struct {
        const char *more, *end;
        gboolean uniform;
    } list[] = {{"", "%r2", TRUE},
                {"setp.gt.f32 %p2, %f3, 0f42C80000;\n@%p2 bra L2;", "%r2", FALSE},
                {"cvt.rn.f32.u32 %f4, %r4;\nadd.f32 %f3, %f3, %f4;", "%r2", TRUE},
                {"cvt.rn.f32.u64 %f4, %rd1;\nadd.f32 %f3, %f3, %f4;", "%r2", FALSE},
                {"", "%r6", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *ptx = g_strdup_printf("ld.param.u32 %%r2, [n];\n"
                                               "mov.u32 %%r5, %%tid.x;\n"
                                               "add.u32 %%r6, %%r5, 8;\n"
                                               "mov.u32 %%r4, 0;\n"
                                               "mov.u64 %%rd1, c;\n"
                                               "mov.f32 %%f3, 0f00000000;\n"
                                               "L1:\n"
                                               "ld.const.f32 %%f1, [%%rd1];\n"
                                               "ld.const.f32 %%f2, [%%rd1+4];\n"
                                               "fma.rn.f32 %%f3, %%f1, %%f2, %%f3;\n"
                                               "%s\n"
                                               "add.u64 %%rd1, %%rd1, 8;\n"
                                               "add.s32 %%r4, %%r4, 1;\n"
                                               "setp.lt.s32 %%p1, %%r4, %s;\n"
                                               "@%%p1 bra L1;\n"
                                               "L2:\n"
                                               "st.shared.f32 [t], %%f3;\n",
                                               list[i].more, list[i].end);
        g_autofree char *lines = lines_of(ptx, ".const .align 4 .b8 c[512];\n");
        assert_count(lines, " constant.uniform", list[i].uniform ? 1 : 0);
        assert_count(lines, "iadd.carry", strstr(list[i].more, "rd1") ? 1 : 0);
    }
}

/* The first of several constants begins at 0, another only where its own alignment says so. */
static void test_alignment(void)
{
    static const struct {
        const char *constants;
        guint loads;
    } list[] = {{".const .align 4 .b8 c[512];\n", 1},
                {".const .align 4 .b8 b[4];\n.const .align 4 .b8 c[512];\n", 2},
                {".const .align 4 .b8 b[4];\n.const .align 8 .b8 c[512];\n", 1}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *lines = lines_of("mov.u32 %r2, %tid.x;\n"
                                          "mul.wide.u32 %rd2, %r2, 8;\n"
                                          "mov.u64 %rd1, c;\n"
                                          "add.u64 %rd3, %rd1, %rd2;\n"
                                          "ld.const.f32 %f1, [%rd3];\n"
                                          "ld.const.f32 %f2, [%rd3+4];\n"
                                          "add.f32 %f3, %f1, %f2;\n"
                                          "st.shared.f32 [t], %f3;\n",
                                          list[i].constants);
        assert_count(lines, " constant", list[i].loads);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-graph-joined/left", test_left);
    g_test_add_func("/ptx-graph-joined/contraction", test_contraction);
    g_test_add_func("/ptx-graph-joined/funnel", test_funnel);
    g_test_add_func("/ptx-graph-joined/rotation", test_rotation);
    g_test_add_func("/ptx-graph-joined/inversion", test_inversion);
    g_test_add_func("/ptx-graph-joined/logic", test_logic);
    g_test_add_func("/ptx-graph-joined/long-product", test_long_product);
    g_test_add_func("/ptx-graph-joined/moves", test_moves);
    g_test_add_func("/ptx-graph-joined/inverse", test_inverse);
    g_test_add_func("/ptx-graph-joined/constants", test_constants);
    g_test_add_func("/ptx-graph-joined/alignment", test_alignment);
    return g_test_run();
}
