/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of loops, found from the branch that ends or repeats the loop. */
#include "lift/values/induction.h"

#include <string.h>

static gboolean is_integer(PsPtxType type)
{
    return type >= PS_PTX_B8 && type <= PS_PTX_S64;
}

static gboolean is_sum(const PsFacts *facts, guint point)
{
    return (ps_facts_is(facts, point, "add") || ps_facts_is(facts, point, "sub")) &&
           is_integer(ps_facts_instruction(facts, point)->mnemonic->types[0]) &&
           ps_facts_instruction(facts, point)->guard < 0;
}

/* The point in the loop that computes a register's value, through one move. */
static guint source_in(const PsFacts *facts, guint reg, guint loop)
{
    const guint point = ps_facts_writer_in(facts, reg, loop);
    if (point == PS_PTX_NOWHERE || !ps_facts_is(facts, point, "mov"))
        return point;
    const guint from = ps_facts_operand(facts, point, 1);
    return from == PS_PTX_NOWHERE ? from : ps_facts_writer_in(facts, from, loop);
}

/* Finds the counter and its addition, whose result is the next iteration's counter. */
static gboolean find_counter(const PsFacts *facts, PsInduction *induction)
{
    for (guint side = 1; side <= 2; side++) {
        const guint from = ps_facts_operand(facts, induction->add, side);
        const guint other = ps_facts_operand(facts, induction->add, 3 - side);
        if (from == PS_PTX_NOWHERE || source_in(facts, from, induction->loop) != induction->add ||
            (other != PS_PTX_NOWHERE && ps_facts_n_writers_in(facts, other, induction->loop) > 0))
            continue;
        if (side == 2 && ps_facts_is(facts, induction->add, "sub"))
            continue;
        induction->counter = from;
        induction->step = 3 - side;
        return TRUE;
    }
    return FALSE;
}

/* TRUE if the comparison follows the addition in the same iteration. */
static gboolean is_after(const PsFacts *facts, const PsInduction *induction, guint compared)
{
    const guint writer = ps_facts_writer_in(facts, compared, induction->loop);
    return writer < induction->compare;
}

static gboolean find_side(const PsFacts *facts, PsInduction *induction)
{
    for (guint side = 1; side <= 2; side++) {
        const guint reg = ps_facts_operand(facts, induction->compare, side);
        const guint other = ps_facts_operand(facts, induction->compare, 3 - side);
        if (reg == PS_PTX_NOWHERE ||
            (other != PS_PTX_NOWHERE && ps_facts_n_writers_in(facts, other, induction->loop) > 0))
            continue;
        induction->add = source_in(facts, reg, induction->loop);
        if (induction->add == PS_PTX_NOWHERE || !is_sum(facts, induction->add) ||
            !find_counter(facts, induction))
            continue;
        induction->side = side;
        induction->after = is_after(facts, induction, reg);
        return TRUE;
    }
    return FALSE;
}

/* Finds the branch's loop, the innermost one around it. FALSE: the branch neither goes back to the
 * loop's header nor leaves the loop. */
static gboolean find_loop(const PsFacts *facts, guint branch, PsInduction *induction)
{
    const PsPtxCode *code = facts->code;
    const PsPtxPoint *at = &code->points[branch];
    if (at->loop == PS_PTX_NOWHERE || at->target == PS_PTX_NOWHERE)
        return FALSE;
    induction->loop = at->loop;
    induction->branch = branch;
    induction->back = at->target == code->loops[at->loop].header;
    const gboolean leaves = !ps_ptx_code_in_loop(code, at->target, at->loop);
    induction->repeats = (!leaves) != at->instruction->guard_negated;
    return induction->back || leaves;
}

gboolean ps_induction_find(const PsFacts *facts, guint branch, PsInduction *induction)
{
    const PsPtxPoint *at = &facts->code->points[branch];
    if (facts->machine || at->instruction->guard < 0 || !ps_facts_is(facts, branch, "bra") ||
        !find_loop(facts, branch, induction))
        return FALSE;
    const guint guard = ps_ptx_code_register(at, at->instruction->guard);
    induction->compare = ps_facts_definition(facts, guard);
    if (induction->compare == PS_PTX_NOWHERE || !ps_facts_is(facts, induction->compare, "setp"))
        return FALSE;
    const PsPtxInstruction *compare = ps_facts_instruction(facts, induction->compare);
    return facts->code->points[induction->compare].loop == induction->loop && !compare->pair &&
           compare->n_operands == 3 && compare->guard < 0 &&
           is_integer(compare->mnemonic->types[0]) && find_side(facts, induction);
}
