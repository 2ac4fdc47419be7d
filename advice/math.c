/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on divisions, square roots and functions that could be cheaper ones. See strength.h. */
#include "advice/strength.h"

#include "base/class-name.h"
#include "lift/values/sequence.h"

#include <string.h>

/* ---- integer divisions --------------------------------------------------------------------- */

/* By a number that is the same for all, x / n is the upper half of x * m, shifted, where m is
 * computed once. Of all 32 bits an addition more is needed, of signed numbers one for the sign. */
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

static void add_all(PsAdvicePlan *plan, PsStrengthTo to, PsStrengthWhere where, PsAdviceAbout about)
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
 * (__fdividef, __sinf and the like), and everywhere with -use_fast_math, which also takes very
 * small numbers as zeros: as PTX calls it, or the text of a sequence. */
typedef struct {
    const char *exact, *here, *everywhere;
} Approximate;

/* The compute capability from which on there is an instruction for tanhf. */
#define WITH_TANH 75

#define LOG2 "fadd.setp:* fmul:*,0 log2:1 "

static const Approximate APPROXIMATE[] = {
    {"div.rn", "div.approx.f32", "div.approx.ftz.f32"},
    {"rcp.rn", "div.approx.f32", "=rcp:*"},
    {"sqrt.rn", "sqrt.approx.f32", "=sqrt:*"},
    {"sinf", "sin.approx.f32", "sin.approx.f32"},
    {"cosf", "cos.approx.f32", "cos.approx.f32"},
    {"tanf", "fmul:* sin:0 cos:0 fadd.setp:2 fmul:2,3 fmul:1,3 rcp:4 =fmul:5,6",
     "fmul:* sin:0 cos:0 rcp:2 =fmul:1,3"},
    {"logf", LOG2 "fadd:0,2 =fmul:3", "log2:* =fmul:0"},
    {"log10f", LOG2 "fadd:0,2 =fmul:3", "log2:* =fmul:0"},
    {"log2f", LOG2 "=fadd:0,2", "=log2:*"},
    {"powf", LOG2 "fadd:0,2 fmul:*,3 fadd.setp:4 fmul:4,5 exp2:6 =fmul:5,7",
     "log2:* fmul:*,0 =exp2:1"},
    {"tanhf", "=exp2.tanh:*", "=exp2.tanh:*"},
    {"exp", "fmul:* fadd.setp:0 fmul:0,1 exp2:2 =fmul:1,3", "fmul:* =exp2:0"},
};

/* The last product of 2^x, and what adds it to something, stays where that is one instruction. */
static const Approximate ADDED = {"exp", "fmul:* fadd.setp:0 fmul:0,1 exp2:2 =fmadd:*,1,3",
                                  "fmul:* exp2:0 =fadd:*,1"};

static const Approximate *approximate_of(const PsIdgItem *node, const PsGpu *gpu)
{
    const char *op = node->op ? node->op : "";
    if ((!g_str_has_suffix(op, "f") && !g_str_has_suffix(op, ".f32")) ||
        (strcmp(op, "tanhf") == 0 && gpu->capability < WITH_TANH))
        return NULL;
    if (g_str_has_prefix(op, ADDED.exact) && ps_class_covers("fmadd", node->class_name))
        return &ADDED;
    for (gsize i = 0; i < G_N_ELEMENTS(APPROXIMATE); i++)
        if (g_str_has_prefix(op, APPROXIMATE[i].exact))
            return &APPROXIMATE[i];
    return NULL;
}

static const char *text_of(const char *form)
{
    return strchr(form, ':') ? form : ps_sequence_of(form);
}

static const char *here(const PsIdgItem *node, const PsGpu *gpu)
{
    const Approximate *approximate = approximate_of(node, gpu);
    return approximate ? text_of(approximate->here) : NULL;
}

static const char *everywhere(const PsIdgItem *node, const PsGpu *gpu)
{
    const Approximate *approximate = approximate_of(node, gpu);
    return approximate ? text_of(approximate->everywhere) : NULL;
}

void ps_advice_exact_math(PsAdvicePlan *plan)
{
    add_all(plan, here, PS_STRENGTH_SEVERAL,
            (PsAdviceAbout){PS_CAUSE_EXACT_MATH, PS_CHANGE_APPROXIMATE});
    add_all(plan, everywhere, PS_STRENGTH_TOGETHER,
            (PsAdviceAbout){PS_CAUSE_EXACT_MATH, PS_CHANGE_FAST_MATH});
}
