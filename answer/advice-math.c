/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on divisions, square roots and functions that could be cheaper ones. See strength.h. */
#include "answer/strength.h"

#include "base/class-name.h"
#include "lift/sequence.h"

#include <string.h>

/* ---- integer divisions --------------------------------------------------------------------- */

/* By a number that is the same for all, x / n is the upper half of x * m, shifted, where m is
 * computed once. Of all 32 bits an addition more is needed, of signed numbers one for the sign. */
static const char *by_inverse(const PsIdgItem *node)
{
    static const struct {
        const char *op, *to;
    } rows[] = {{"div.u32", "imad.high:* iadd:*,0 =shift:1"},
                {"rem.u32", "imad.high:* iadd:*,0 shift:1 =imad:*,2"},
                {"div.s32", "imad.high:* shift:* shift:0 =iadd:1,2"},
                {"rem.s32", "imad.high:* shift:* shift:0 iadd:1,2 =imad:*,3"}};
    for (gsize i = 0; node->by && i < G_N_ELEMENTS(rows); i++)
        if (g_strcmp0(node->op, rows[i].op) == 0)
            return rows[i].to;
    return NULL;
}

static const char *of_32_bits(const PsIdgItem *node)
{
    static const char *const names[][2] = {{"div.s64", "div.s32"},
                                           {"div.u64", "div.u32"},
                                           {"rem.s64", "rem.s32"},
                                           {"rem.u64", "rem.u32"}};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_strcmp0(node->op, names[i][0]) == 0)
            return ps_sequence_of(names[i][1]);
    return NULL;
}

static void add_all(PsAdvicePlan *plan, const char *(*to)(const PsIdgItem *node),
                    PsStrengthWhere where, PsAdviceAbout about)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    ps_strength_choose(strength, to);
    ps_strength_add(plan, strength, where, &about);
}

void ps_advice_divisions(PsAdvicePlan *plan)
{
    add_all(plan, by_inverse, PS_STRENGTH_LINES,
            (PsAdviceAbout){PS_CAUSE_DIVISION, PS_CHANGE_INVERSE});
    add_all(plan, of_32_bits, PS_STRENGTH_LINES,
            (PsAdviceAbout){PS_CAUSE_DIVISION, PS_CHANGE_NARROW_DIVISION});
}

/* ---- exact functions ----------------------------------------------------------------------- */

/* The exact operations of singles, with what stands for them in code where it is written
 * (__fdividef and the like), and everywhere with -use_fast_math, which also takes very small
 * numbers as zeros. */
typedef struct {
    const char *exact, *here, *everywhere;
} Approximate;

static const Approximate APPROXIMATE[] = {
    {"div.rn", "div.approx.f32", "div.approx.ftz.f32"},
    {"rcp.rn", "div.approx.f32", "rcp.approx.ftz.f32"},
    {"sqrt.rn", "sqrt.approx.f32", "sqrt.approx.ftz.f32"},
};

static const Approximate *approximate_of(const PsIdgItem *node)
{
    for (gsize i = 0; node->op && i < G_N_ELEMENTS(APPROXIMATE); i++)
        if (g_str_has_prefix(node->op, APPROXIMATE[i].exact) && g_str_has_suffix(node->op, ".f32"))
            return &APPROXIMATE[i];
    return NULL;
}

/* expf by 2^x: the last product, or what adds it to something, stays where there is one. */
static const char *exponential(const PsIdgItem *node, gboolean everywhere)
{
    const gboolean adds = ps_class_covers("fmadd", node->class_name);
    if (g_strcmp0(node->op, "expf") != 0)
        return NULL;
    if (everywhere)
        return adds ? "fmul:* exp2:0 =fadd:*,1" : "fmul:* =exp2:0";
    return adds ? "fmul:* fadd.setp:0 fmul:0,1 exp2:2 =fmadd:*,1,3"
                : "fmul:* fadd.setp:0 fmul:0,1 exp2:2 =fmul:1,3";
}

static const char *here(const PsIdgItem *node)
{
    const Approximate *approximate = approximate_of(node);
    if (!approximate)
        return exponential(node, FALSE);
    return ps_sequence_of(approximate->here);
}

/* What is a single instruction then is of the class that a sequence has for it. */
static const char *everywhere(const PsIdgItem *node)
{
    const Approximate *approximate = approximate_of(node);
    const char *steps = approximate ? ps_sequence_of(approximate->everywhere) : NULL;
    if (!approximate)
        return exponential(node, TRUE);
    if (steps)
        return steps;
    return *approximate->exact == 'r' ? "=rcp:*" : "=sqrt:*";
}

void ps_advice_exact_math(PsAdvicePlan *plan)
{
    add_all(plan, here, PS_STRENGTH_SEVERAL,
            (PsAdviceAbout){PS_CAUSE_EXACT_MATH, PS_CHANGE_APPROXIMATE});
    add_all(plan, everywhere, PS_STRENGTH_TOGETHER,
            (PsAdviceAbout){PS_CAUSE_EXACT_MATH, PS_CHANGE_FAST_MATH});
}
