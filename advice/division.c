/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on integer divisions that could be cheaper ones. See kind.h. */
#include "advice/strength.h"

#include "lift/values/sequence.h"
#include "tell/format.h"

static char *describe_inverse(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *of = g_strdup_printf(" by %s", cheaper->by);
    g_autofree char *cost = ps_cheaper_cost(cheaper, of);
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("%s (by a power of two, with %s, 1 or 2): a multiplication with its "
                        "inverse, computed once (__umulhi and a shift, %u instructions),",
                        cost, g_str_has_prefix(cheaper->op, "rem.") ? "&" : ">>", cheaper->after));
}

static const PsAdviceChange inverse = PS_CHEAPER_CHANGE("inverse", describe_inverse);

static char *describe_narrow(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *cost = ps_cheaper_cost(cheaper, " of 64-bit integers");
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("%s, of 32 bits %u: where the numbers fit, these", cost, cheaper->after));
}

static const PsAdviceChange narrow = PS_CHEAPER_CHANGE("narrow-division", describe_narrow);

/* If n is the same for all threads, x / n is the upper half of x * m, shifted, with m computed
 * once. All 32 bits take one addition more, signed numbers one for the sign. */
static const char *by_inverse(const PsIdgItem *node, const PsGpu *gpu)
{
    static const struct {
        const char *op, *to;
    } rows[] = {{"div.u32", "imad.high:* iadd:*,0 =shift:1"},
                {"rem.u32", "imad.high:* iadd:*,0 shift:1 =imad:*,2"},
                {"div.s32", "imad.high:* shift:* shift:0 =iadd:1,2"},
                {"rem.s32", "imad.high:* shift:* shift:0 iadd:1,2 =imad:*,3"}};
    (void)gpu;
    for (gsize i = 0; node->by && i < G_N_ELEMENTS(rows); i++)
        if (g_strcmp0(node->op, rows[i].op) == 0)
            return rows[i].to;
    return NULL;
}

static const char *of_32_bits(const PsIdgItem *node, const PsGpu *gpu)
{
    static const char *const names[][2] = {{"div.s64", "div.s32"},
                                           {"div.u64", "div.u32"},
                                           {"rem.s64", "rem.s32"},
                                           {"rem.u64", "rem.u32"}};
    (void)gpu;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_strcmp0(node->op, names[i][0]) == 0)
            return ps_sequence_of(names[i][1]);
    return NULL;
}

static void find(PsAdvicePlan *plan)
{
    ps_strength_try(plan, by_inverse, PS_STRENGTH_LINES,
                    &(PsAdviceAbout){PS_CAUSE_DIVISION, &inverse});
    ps_strength_try(plan, of_32_bits, PS_STRENGTH_LINES,
                    &(PsAdviceAbout){PS_CAUSE_DIVISION, &narrow});
}

const PsAdviceKind ps_advice_kind_division = {.find = find, .copies_graph = TRUE};
