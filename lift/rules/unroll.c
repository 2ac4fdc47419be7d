/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "unroll": short innermost counting loops do four iterations at once, then two and one of
 * the remaining ones. It was derived from ptxas's (CUDA 13) code for loops without `nounroll`;
 * docs/reference/build.md has the figures.
 */
#include "lift/rules/rules.h"
#include "lift/values/induction.h"

#include <string.h>

#define AT_ONCE 4
/* Instructions of an iteration, at most, by the memory from which it loads. */
#define MOST_FAR 49
#define MOST_NEAR 26
#define MOST_WITHOUT 21
#define LOOP_NODE 3 /* instructions that a node of class "loop" stands for */
#define MOST_HOPS 4 /* instructions from a counter to the addresses computed from it */

typedef struct {
    gboolean refused;
    guint n;       /* instructions of an iteration */
    guint n_back;  /* number of branches to the header ... */
    guint back;    /* ... and the last of them */
    gboolean far;  /* it loads from global memory, or may, */
    gboolean near; /* or from the group's memory */
} Body;

static const PsPtxMnemonic *mnemonic_of(const PsFacts *facts, guint point)
{
    return ps_facts_instruction(facts, point)->mnemonic;
}

/* TRUE for what all lanes of a warp do together, and for what orders memory. */
static gboolean is_kept_once(const PsFacts *facts, guint point)
{
    static const char *const opcodes[] = {"shfl",  "vote", "match",    "redux", "elect", "membar",
                                          "fence", "call", "mbarrier", "wgmma", "exit",  "ret",
                                          "trap",  "brx",  "tcgen05",  NULL};
    const PsPtxMnemonic *mnemonic = mnemonic_of(facts, point);
    return g_strv_contains(opcodes, mnemonic->opcode) ||
           (strcmp(mnemonic->opcode, "bar") == 0 && ps_ptx_has(mnemonic, "warp")) ||
           (strcmp(mnemonic->opcode, "cp") == 0 && ps_ptx_has(mnemonic, "bulk"));
}

static gboolean may_call(const PsSequence *sequence)
{
    for (guint s = 0; sequence && s < sequence->steps->len; s++)
        if (strcmp(g_array_index(sequence->steps, PsStep, s).class_name, "branch") == 0)
            return TRUE;
    return FALSE;
}

static guint size_of(const PsFact *fact, guint point)
{
    if (fact->role == PS_ROLE_ABSENT)
        return 1;
    if (fact->role != PS_ROLE_NODE)
        return 0;
    if (fact->loop == point)
        return LOOP_NODE;
    return fact->sequence ? fact->sequence->steps->len : 1;
}

static void note_branch(const PsFacts *facts, guint point, Body *body)
{
    const PsPtxPoint *at = &facts->code->points[point];
    if (at->target == facts->code->loops[at->loop].header) {
        body->n_back++;
        body->back = point;
    } else if (!ps_ptx_code_in_loop(facts->code, at->target, at->loop)) {
        body->refused = TRUE;
    }
}

static void note_load(const PsFacts *facts, guint point, Body *body)
{
    const PsPtxSpace space = mnemonic_of(facts, point)->space;
    if (!ps_facts_is(facts, point, "ld"))
        return;
    body->far = body->far || space == PS_PTX_GLOBAL || space == PS_PTX_GENERIC;
    body->near = body->near || space == PS_PTX_SHARED;
}

static void note_point(const PsFacts *facts, guint point, Body *body)
{
    const PsFact *fact = &facts->facts[point];
    body->n += size_of(fact, point);
    body->refused = body->refused || is_kept_once(facts, point) || may_call(fact->sequence);
    if (ps_facts_is(facts, point, "bra"))
        note_branch(facts, point, body);
    note_load(facts, point, body);
}

static gboolean counts_by_constant(const PsFacts *facts, const PsInduction *induction)
{
    gint64 step;
    return induction->back && facts->facts[induction->branch].loop == induction->branch &&
           ps_facts_constant(facts, induction->add, induction->step, &step);
}

static gboolean is_unrolled(const PsFacts *facts, guint loop, const Body *body)
{
    const guint most = body->far ? MOST_FAR : body->near ? MOST_NEAR : MOST_WITHOUT;
    PsInduction induction;
    return !body->refused && body->n_back == 1 && body->n <= most &&
           !ps_facts_instruction(facts, facts->code->loops[loop].header)->rolled &&
           ps_induction_find(facts, body->back, &induction) &&
           counts_by_constant(facts, &induction);
}

/* ---- counters -------------------------------------------------------------------------------- */

static gboolean makes_addresses(const PsFacts *facts, guint reg, guint but, guint hops);

/* TRUE if a reader has the register in its address, or vanishes into an address. */
static gboolean is_address(const PsFacts *facts, guint reg, guint i, guint hops)
{
    const guint reader = ps_facts_reader(facts, reg, i);
    const PsFact *fact = &facts->facts[reader];
    if (ps_facts_reader_use(facts, reg, i) == PS_USE_ADDRESS)
        return TRUE;
    return hops < MOST_HOPS && fact->role == PS_ROLE_FORWARD && fact->n_to == 1 &&
           makes_addresses(facts, *ps_fact_to(facts, fact), reader, hops + 1);
}

/* TRUE if all readers of the register in the loop, except the point `but`, compute addresses from
 * it, or are the loop's own comparison. */
static gboolean makes_addresses(const PsFacts *facts, guint reg, guint but, guint hops)
{
    const guint loop = facts->code->points[but].loop;
    for (guint i = 0; i < ps_facts_n_readers(facts, reg); i++) {
        const guint reader = ps_facts_reader(facts, reg, i);
        if (reader != but && ps_ptx_code_in_loop(facts->code, reader, loop) &&
            facts->facts[reader].role != PS_ROLE_PART && !is_address(facts, reg, i, hops))
            return FALSE;
    }
    return TRUE;
}

/* TRUE for an addition of a constant to its own result of the iteration before. */
static gboolean is_counter(const PsFacts *facts, guint point, guint loop)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const guint reg = ps_facts_operand(facts, point, 0);
    gint64 step;
    return ps_facts_is(facts, point, "add") && instruction->guard < 0 && reg != PS_PTX_NOWHERE &&
           ps_facts_n_writers_in(facts, reg, loop) == 1 &&
           ((ps_facts_operand(facts, point, 1) == reg &&
             ps_facts_constant(facts, point, 2, &step)) ||
            (ps_facts_operand(facts, point, 2) == reg &&
             ps_facts_constant(facts, point, 1, &step)));
}

static void find_counters(PsFacts *facts)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        const guint loop = facts->code->points[p].loop;
        PsFact *fact = &facts->facts[p];
        if (loop == PS_PTX_NOWHERE || facts->unrolled[loop] == 0 ||
            (fact->role != PS_ROLE_NODE && fact->role != PS_ROLE_PART) ||
            !is_counter(facts, p, loop))
            continue;
        fact->count = makes_addresses(facts, ps_facts_operand(facts, p, 0), p, 0) ? PS_COUNT_ADDRESS
                                                                                  : PS_COUNT_VALUE;
    }
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Instructions between a branch and the meeting of its lanes are executed under its condition. */
static void guard(PsFacts *facts, guint branch)
{
    const PsPtxPoint *at = &facts->code->points[branch];
    if (at->instruction->guard < 0 || at->meet == PS_PTX_NOWHERE)
        return;
    for (guint p = branch + 1; p < at->meet; p++)
        if (facts->facts[p].role != PS_ROLE_ABSENT && facts->code->points[p].loop == at->loop)
            facts->facts[p].under = ps_ptx_code_register(at, at->instruction->guard);
}

/* The assembler turns branches within the loop into guards, or moves the loads of all iterations
 * before them. */
static void drop_branches(PsFacts *facts)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        const guint loop = facts->code->points[p].loop;
        PsFact *fact = &facts->facts[p];
        if (loop == PS_PTX_NOWHERE || facts->unrolled[loop] == 0 || fact->loop == p ||
            fact->role == PS_ROLE_ABSENT || !ps_facts_is(facts, p, "bra"))
            continue;
        fact->role = PS_ROLE_NOTHING;
        guard(facts, p);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void ps_rule_unroll(PsFacts *facts)
{
    const PsPtxCode *code = facts->code;
    g_autofree Body *bodies = g_new0(Body, code->n_loops + 1);
    for (guint p = 0; p < code->n_points; p++)
        if (code->points[p].loop != PS_PTX_NOWHERE)
            note_point(facts, p, &bodies[code->points[p].loop]);
    for (guint l = 0; l < code->n_loops; l++)
        if (code->loops[l].parent != PS_PTX_NOWHERE)
            bodies[code->loops[l].parent].refused = TRUE;
    for (guint l = 0; l < code->n_loops; l++)
        if (is_unrolled(facts, l, &bodies[l]))
            facts->unrolled[l] = AT_ONCE;
    find_counters(facts);
    drop_branches(facts);
}
