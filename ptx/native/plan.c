/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "ptx/native/plan.h"

#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------------- */

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

/* TRUE for instructions that read other lanes and write only their destinations. */
static gboolean exchanges(const PsPtxInstruction *instruction)
{
    return is(instruction, "shfl") || is(instruction, "vote") || is(instruction, "match") ||
           is(instruction, "redux") || is(instruction, "activemask");
}

/* TRUE for accesses, except loads that read what others write meanwhile: these have more to do
 * (access.c). */
static gboolean is_access(const PsPtxStep *step, const PsPtxInstruction *instruction)
{
    return (is(instruction, "ld") || is(instruction, "st")) && step->flags == 0 && !step->more &&
           step->n_from > 0;
}

/* TRUE for atomic operations that do not wait: a swap lets others come first (run/atomic.c). */
static gboolean is_atomic(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    return (is(instruction, "atom") || is(instruction, "red")) && !ps_ptx_has(mnemonic, "cas") &&
           !ps_ptx_has(mnemonic, "exch") && !ps_ptx_has(mnemonic, "async");
}

static PsNativeKind kind_of(const PsPtxNativeSource *source, guint point)
{
    const PsPtxStep *step = &source->steps[point];
    const PsPtxPoint *at = &source->code->points[point];
    if (source->stops[point])
        return PS_NATIVE_STOPS;
    if (!step->execute)
        return PS_NATIVE_NOTHING;
    if (is(at->instruction, "bra"))
        return PS_NATIVE_BRANCHES;
    if (is_access(step, at->instruction))
        return is(at->instruction, "st") ? PS_NATIVE_WRITES : PS_NATIVE_READS;
    if (is_atomic(at->instruction))
        return PS_NATIVE_ATOMIC;
    return step->straight > 0 || exchanges(at->instruction) ? PS_NATIVE_STEPS : PS_NATIVE_STOPS;
}

/* A segment ends behind a branch, and before a point that begins a block or stops. */
static void find_segments(PsNativePlan *plan)
{
    const PsPtxCode *code = plan->source->code;
    for (guint i = code->n_points; i-- > 0;) {
        const gboolean on = plan->kinds[i] != PS_NATIVE_BRANCHES && i + 1 < code->n_points &&
                            !code->points[i + 1].leader;
        if (plan->kinds[i] != PS_NATIVE_STOPS)
            plan->lengths[i] = 1 + (on ? plan->lengths[i + 1] : 0);
    }
    for (guint i = code->n_points; i-- > 1;)
        if (!code->points[i].leader && plan->kinds[i - 1] != PS_NATIVE_STOPS &&
            plan->kinds[i - 1] != PS_NATIVE_BRANCHES)
            plan->lengths[i] = 0;
}

/* ---- what is read --------------------------------------------------------------------------- */

static void add(guint64 *set, guint slot)
{
    set[slot / 64] |= (guint64)1 << slot % 64;
}

static void take(guint64 *set, guint slot)
{
    set[slot / 64] &= ~((guint64)1 << slot % 64);
}

/* Computes the slots that are read from the step on from those that are read behind it. */
static void pass(guint64 *set, const PsPtxStep *step)
{
    if (step->guard < 0 && step->alone)
        for (guint i = 0; i < step->n_to; i++)
            take(set, step->to[i]);
    if (step->guard >= 0)
        add(set, (guint)step->guard);
    for (guint i = 0; i < step->n_from; i++)
        add(set, step->from[i]);
    for (guint i = 0; i < step->n_both; i++)
        add(set, step->both[i]);
}

/* Slots that lanes read from each other count as read everywhere. */
static void find_shared(const PsNativePlan *plan, guint64 *always)
{
    const PsPtxNativeSource *source = plan->source;
    for (guint i = 0; i < source->n_slots; i++)
        if (source->shared[i])
            add(always, i);
    for (guint i = 0; i < source->code->n_points; i++) {
        const PsPtxStep *step = &source->steps[i];
        if (!step->alone)
            pass(always, step);
    }
}

/* Adds the set of a successor. */
static void join(const PsNativePlan *plan, guint64 *set, guint point)
{
    for (gsize w = 0; point < plan->source->code->n_points && w < plan->words; w++)
        set[w] |= plan->live[point * plan->words + w];
}

/* Computes the set of a point from the sets of its successors. TRUE: it has grown. */
static gboolean grow(const PsNativePlan *plan, guint point, const guint64 *always, guint64 *set)
{
    const PsPtxPoint *at = &plan->source->code->points[point];
    guint64 *live = plan->live + point * plan->words;
    memcpy(set, always, plan->words * sizeof *set);
    join(plan, set, point + 1);
    join(plan, set, at->target);
    for (guint i = 0; at->targets && i < at->targets->len; i++)
        join(plan, set, g_array_index(at->targets, guint, i));
    pass(set, &plan->source->steps[point]);
    const gboolean grown = memcmp(live, set, plan->words * sizeof *set) != 0;
    memcpy(live, set, plan->words * sizeof *set);
    return grown;
}

static void find_live(PsNativePlan *plan)
{
    const guint n = plan->source->code->n_points;
    g_autofree guint64 *always = g_new0(guint64, plan->words);
    g_autofree guint64 *set = g_new0(guint64, plan->words);
    plan->live = g_new0(guint64, plan->words * (n + 1));
    find_shared(plan, always);
    for (gboolean grown = TRUE; grown;) {
        grown = FALSE;
        for (guint i = n; i-- > 0;)
            grown |= grow(plan, i, always, set);
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

void ps_native_plan(PsNativePlan *plan, const PsPtxNativeSource *source)
{
    const guint n = source->code->n_points;
    *plan = (PsNativePlan){.source = source, .words = source->n_slots / 64 + 1};
    plan->kinds = g_new0(guint8, n + 1);
    plan->lengths = g_new0(guint, n + 1);
    plan->written = g_new0(guint8, source->n_slots + 1);
    for (guint i = 0; i < n; i++) {
        const PsPtxStep *step = &source->steps[i];
        plan->kinds[i] = (guint8)kind_of(source, i);
        for (guint k = 0; plan->kinds[i] != PS_NATIVE_STOPS && k < step->n_to; k++)
            plan->written[step->to[k]] = 1;
    }
    find_segments(plan);
    find_live(plan);
}

void ps_native_plan_clear(PsNativePlan *plan)
{
    g_free(plan->kinds);
    g_free(plan->lengths);
    g_free(plan->written);
    g_free(plan->live);
}
