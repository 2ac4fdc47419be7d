/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on square roots and functions with cheaper approximations. See kind.h. */
#include "advice/strength.h"

#include "base/class-name.h"
#include "lift/values/sequence.h"

#include <string.h>

/* The approximate form's name: __sinf for sinf. */
static char *written(const char *op)
{
    return g_str_has_prefix(op, "sqrt.") ? g_strdup("-prec-sqrt=false")
           : strchr(op, '.')             ? g_strdup("__fdividef")
                                         : g_strconcat("__", op, NULL);
}

static char *describe_one(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *cost = ps_cheaper_cost(cheaper, ""), *form = written(cheaper->op);
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("%s, approximate (%s) %u, which", cost, form, cheaper->after));
}

static const PsAdviceChange approximate = PS_CHEAPER_CHANGE("approximate", describe_one);

static char *describe_all(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *cost = ps_cheaper_cost(cheaper, "");
    g_autofree char *lines = ps_cheaper_lines(cheaper);
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("%s, approximate %u: -use_fast_math%s", cost, cheaper->after, lines));
}

static const PsAdviceChange fast_math = PS_CHEAPER_CHANGE("fast-math", describe_all);

/* An exact operation on singles and its approximation, as PTX calls it or as the text of a
 * sequence. Source has it as __fdividef, __sinf and the like; -use_fast_math puts it everywhere,
 * and flushes subnormal numbers to zero. */
typedef struct {
    const char *exact, *here, *everywhere;
} Approximate;

/* The least compute capability with an instruction for tanhf. */
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

/* The last product of 2^x and an addition to it stay, if they are one instruction. */
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
    const Approximate *form = approximate_of(node, gpu);
    return form ? text_of(form->here) : NULL;
}

static const char *everywhere(const PsIdgItem *node, const PsGpu *gpu)
{
    const Approximate *form = approximate_of(node, gpu);
    return form ? text_of(form->everywhere) : NULL;
}

static void find(PsAdvicePlan *plan)
{
    ps_strength_try(plan, here, PS_STRENGTH_SEVERAL,
                    &(PsAdviceAbout){PS_CAUSE_EXACT_MATH, &approximate});
    ps_strength_try(plan, everywhere, PS_STRENGTH_TOGETHER,
                    &(PsAdviceAbout){PS_CAUSE_EXACT_MATH, &fast_math});
}

const PsAdviceKind ps_advice_kind_exact_math = {.find = find, .copies_graph = TRUE};
