/* SPDX-License-Identifier: BSD-3-Clause */
/* Operands of machine instructions, as listings write them. */
#include "sass/operand.h"

#include <string.h>

typedef struct {
    const char *text;
    PsSassOperand is; /* but its text */
} Case;

#define ZERO PS_SASS_ZERO

static const Case cases[] = {
    {"R5", {.kind = PS_SASS_REGISTER, .reg = 5}},
    {"RZ", {.kind = PS_SASS_REGISTER, .reg = ZERO}},
    {"-R12.reuse", {.kind = PS_SASS_REGISTER, .reg = 12, .minus = TRUE}},
    {"-|R4|", {.kind = PS_SASS_REGISTER, .reg = 4, .minus = TRUE, .absolute = TRUE}},
    {"~R3", {.kind = PS_SASS_REGISTER, .reg = 3, .inverted = TRUE}},
    {"R7.H1_H1", {.kind = PS_SASS_REGISTER, .reg = 7, .half = '1'}},
    {"R7.H1_H0", {.kind = PS_SASS_REGISTER, .reg = 7}},
    {"R7.F32", {.kind = PS_SASS_REGISTER, .reg = 7, .single = TRUE}},
    {"R9.B2", {.kind = PS_SASS_REGISTER, .reg = 9, .byte = '2'}},
    {"UR6", {.kind = PS_SASS_UNIFORM, .reg = 6}},
    {"URZ", {.kind = PS_SASS_UNIFORM, .reg = ZERO}},
    {"!P0", {.kind = PS_SASS_PREDICATE, .reg = 0, .inverted = TRUE}},
    {"PT", {.kind = PS_SASS_PREDICATE, .reg = ZERO}},
    {"UP3", {.kind = PS_SASS_UNIFORM_PREDICATE, .reg = 3}},
    {"0x10", {.kind = PS_SASS_NUMBER, .reg = ZERO, .value = 16}},
    {"-0x1", {.kind = PS_SASS_NUMBER, .reg = ZERO, .value = -1}},
    {"+INF", {.kind = PS_SASS_NUMBER, .reg = ZERO}},
    {"c[0x0][0x160]", {.kind = PS_SASS_CONSTANT, .reg = ZERO, .value = 0x160}},
    {"c[0x3][R2+0x4]", {.kind = PS_SASS_CONSTANT, .reg = 2, .bank = 3, .value = 4}},
    {"[R2]", {.kind = PS_SASS_ADDRESS, .reg = 2}},
    {"[R2.X4+0x8]", {.kind = PS_SASS_ADDRESS, .reg = 2, .scale = 4, .value = 8}},
    {"[R2+-0x8]", {.kind = PS_SASS_ADDRESS, .reg = 2, .value = -8}},
    {"[R2+0x10+0x8]", {.kind = PS_SASS_ADDRESS, .reg = 2, .value = 24}},
    {"[R2+UR4+0x10+-0x4]", {.kind = PS_SASS_ADDRESS, .reg = 2, .uniform = 4, .value = 12}},
    {"desc[UR4][R2.64+0x10]", {.kind = PS_SASS_ADDRESS, .reg = 2, .value = 16}},
    {"[R2.U32+UR8]", {.kind = PS_SASS_ADDRESS, .reg = 2, .narrow = TRUE, .uniform = 8}},
    {"SR_TID.X", {.kind = PS_SASS_OTHER, .reg = ZERO}},
    {"`(calls)", {.kind = PS_SASS_OTHER, .reg = ZERO}},
};

static void check(const PsSassOperand *a, const Case *one)
{
    const PsSassOperand *is = &one->is;
    const gboolean address = is->kind == PS_SASS_ADDRESS;
    g_assert_cmpint(a->kind, ==, is->kind);
    g_assert_cmpint(a->reg, ==, is->reg);
    g_assert_cmpint(a->minus, ==, is->minus);
    g_assert_cmpint(a->absolute, ==, is->absolute);
    g_assert_cmpint(a->inverted, ==, is->inverted);
    g_assert_true(a->half == is->half);
    g_assert_true(a->byte == is->byte);
    g_assert_cmpint(a->single, ==, is->single);
    g_assert_cmpint(a->narrow, ==, is->narrow);
    g_assert_cmpuint(a->scale, ==, MAX(is->scale, 1));
    g_assert_cmpuint(a->bank, ==, is->bank);
    g_assert_cmpint(a->value, ==, is->value);
    if (address)
        g_assert_cmpint(a->uniform, ==, is->uniform > 0 ? is->uniform : ZERO);
    g_assert_cmpstr(a->text, ==, one->text);
}

static void test_each(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) kept = NULL;
        g_autoptr(GArray) operands = ps_sass_operands(cases[i].text, &kept);
        g_test_message("%s", cases[i].text);
        g_assert_cmpuint(operands->len, ==, 1);
        check(&g_array_index(operands, PsSassOperand, 0), &cases[i]);
    }
}

/* Two addresses in a row are two; what one is seen through is no other. */
static void test_lists(void)
{
    static const struct {
        const char *text;
        guint n;
    } lists[] = {{NULL, 0},
                 {"", 0},
                 {"R1,c[0x0][0x28]", 2},
                 {"R0, P0, R2, R3, !PT", 5},
                 {"[R5],desc[UR4][R2.64],P1", 3},
                 {"[R5][R6.64]", 2},
                 {"R2,desc[UR4][R2.64]", 2}};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_auto(GStrv) kept = NULL;
        g_autoptr(GArray) operands = ps_sass_operands(lists[i].text, &kept);
        g_test_message("%s", lists[i].text);
        g_assert_cmpuint(operands->len, ==, lists[i].n);
    }
}

/* Whatever stands there is an operand of some kind. */
static void test_strange(void)
{
    static const char *const texts[] = {"[",
                                        "]",
                                        "c[",
                                        "c[0x0]",
                                        "[R",
                                        "R",
                                        "-",
                                        "|",
                                        "||",
                                        "!",
                                        "[[[[",
                                        "c[0x0][",
                                        "R99999999999999999999",
                                        "[+",
                                        "[R2+",
                                        "desc[",
                                        "desc[][",
                                        ",,,",
                                        "[?]",
                                        ".H",
                                        "R1.H",
                                        "R1.B"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(GStrv) kept = NULL;
        g_autoptr(GArray) operands = ps_sass_operands(texts[i], &kept);
        g_assert_cmpuint(operands->len, ==, g_strv_length(kept));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/sass-operand/each", test_each);
    g_test_add_func("/sass-operand/lists", test_lists);
    g_test_add_func("/sass-operand/strange", test_strange);
    return g_test_run();
}
