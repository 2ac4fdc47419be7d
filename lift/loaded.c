/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose trip count comes from loaded values: rows of a sparse matrix, lists of neighbours. If
 * the user gave no content for the buffers, their time is not known either.
 */
#include "lift/build-private.h"

#include <string.h>

/* Product of points and registers; kernels beyond it get no warning. */
#define MOST_BITS (G_GUINT64_CONSTANT(1) << 28)
#define WORD 64

/* What registers may hold before each point: a bit says that a register's value comes from loaded
 * values. */
typedef struct {
    const PsFacts *facts;
    gsize words; /* words of one point */
    guint64 *bits;
    guint64 *after;  /* after the present point */
    gboolean shared; /* shared memory holds such values */
    gboolean grown;
} Flow;

static gboolean is_loaded(const guint64 *bits, guint reg)
{
    return (bits[reg / WORD] >> (reg % WORD) & 1) != 0;
}

static void set(guint64 *bits, guint reg, gboolean loaded)
{
    const guint64 bit = G_GUINT64_CONSTANT(1) << (reg % WORD);
    bits[reg / WORD] = loaded ? bits[reg / WORD] | bit : bits[reg / WORD] & ~bit;
}

static guint64 *before(const Flow *flow, guint point)
{
    return flow->bits + flow->words * point;
}

static gboolean is_of(const PsPtxMnemonic *mnemonic, const char *opcode, gboolean shared)
{
    return strcmp(mnemonic->opcode, opcode) == 0 &&
           (shared ? mnemonic->space == PS_PTX_SHARED
                   : mnemonic->space == PS_PTX_GLOBAL || mnemonic->space == PS_PTX_GENERIC);
}

/* TRUE if an instruction reads such a value other than as an address. */
static gboolean reads(const Flow *flow, guint point)
{
    const PsFact *fact = &flow->facts->facts[point];
    for (guint i = 0; i < fact->n_from; i++) {
        const PsUse *use = &ps_fact_from(flow->facts, fact)[i];
        if (use->kind != PS_USE_ADDRESS && is_loaded(before(flow, point), use->reg))
            return TRUE;
    }
    return FALSE;
}

static void join(Flow *flow, guint point)
{
    guint64 *to = point < flow->facts->code->n_points ? before(flow, point) : NULL;
    for (gsize w = 0; to && w < flow->words; w++) {
        flow->grown |= (flow->after[w] & ~to[w]) != 0;
        to[w] |= flow->after[w];
    }
}

/* Passes the registers' state behind an executed point on to the points that may follow. */
static void follow(Flow *flow, guint point)
{
    const PsPtxPoint *at = &flow->facts->code->points[point];
    const PsFact *fact = &flow->facts->facts[point];
    const PsPtxMnemonic *mnemonic = at->instruction->mnemonic;
    const gboolean guarded = at->instruction->guard >= 0;
    if (fact->role == PS_ROLE_ABSENT)
        return; /* its result is unknown, and no thread came there */
    const gboolean loaded = is_of(mnemonic, "ld", FALSE) || reads(flow, point) ||
                            (flow->shared && is_of(mnemonic, "ld", TRUE));
    memcpy(flow->after, before(flow, point), flow->words * sizeof *flow->after);
    for (guint i = 0; i < fact->n_to; i++)
        if (loaded || !guarded)
            set(flow->after, ps_fact_to(flow->facts, fact)[i], loaded);
    if (is_of(mnemonic, "st", TRUE) && reads(flow, point) && !flow->shared)
        flow->shared = flow->grown = TRUE;
    if (at->target != PS_PTX_NOWHERE)
        join(flow, at->target);
    for (guint i = 0; at->targets && i < at->targets->len; i++)
        join(flow, g_array_index(at->targets, guint, i));
    if (at->target == PS_PTX_NOWHERE || guarded)
        join(flow, point + 1);
}

/* A loop that no group ran and that a branch skips; or PS_PTX_NOWHERE. */
static guint passed_by(const Flow *flow, guint point)
{
    const PsPtxCode *code = flow->facts->code;
    const guint target = code->points[point].target;
    for (guint l = 0; target != PS_PTX_NOWHERE && l < code->n_loops; l++) {
        const guint header = code->loops[l].header;
        if (header > point && header < target && flow->facts->facts[header].role == PS_ROLE_ABSENT)
            return l;
    }
    return PS_PTX_NOWHERE;
}

/* The first loop that such a value ends, continues, or skips; PS_PTX_NOWHERE: there is none. */
static guint find_loop(const Flow *flow)
{
    const PsPtxCode *code = flow->facts->code;
    for (guint p = 0; p < code->n_points; p++) {
        const guint loop = code->points[p].loop;
        if (!reads(flow, p))
            continue;
        if (loop != PS_PTX_NOWHERE && ps_build_leaves(code, p, loop))
            return loop;
        const guint passed = passed_by(flow, p);
        if (passed != PS_PTX_NOWHERE)
            return passed;
    }
    return PS_PTX_NOWHERE;
}

void ps_build_warn_of_loaded(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings)
{
    const PsPtxCode *code = facts->code;
    Flow flow = {facts, (gsize)facts->n_registers / WORD + 1, NULL, NULL, FALSE, TRUE};
    if (!samples->options->made_up || code->n_loops == 0 ||
        flow.words * WORD * code->n_points > MOST_BITS)
        return;
    g_autofree guint64 *bits = g_new0(guint64, flow.words * code->n_points);
    g_autofree guint64 *after = g_new0(guint64, flow.words);
    flow.bits = bits;
    flow.after = after;
    while (flow.grown) {
        flow.grown = FALSE;
        for (guint p = 0; p < code->n_points; p++)
            follow(&flow, p);
    }
    const char *name = samples->options->content_name;
    const guint loop = find_loop(&flow);
    if (loop == PS_PTX_NOWHERE)
        return;
    g_autofree char *where = ps_ptx_code_where(code, code->loops[loop].header);
    g_ptr_array_add(
        warnings,
        g_strdup_printf("%s: how often this loop runs follows from what is loaded from global "
                        "memory, and all buffers are made up (zero, ramp or random): the time is "
                        "for that content alone; %s%sNAME=@FILE gives a buffer its own",
                        where, name ? name : "", name ? " " : ""));
}
