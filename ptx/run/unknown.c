/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions that the executor does not know. A launch either skips them, and counts how often,
 * or ends at the first one where its result would have decided something; the code behind it tells
 * what.
 */
#include "ptx/run/warp.h"

#include <string.h>

/* ---- what its results decide ---------------------------------------------------------------- */

/* Uses of a result, the least important first. */
typedef enum { NOTHING, STORED, BARRIER, ADDRESS, BRANCH } Part;

typedef struct {
    const PsPtxCode *code;
    guint8 *from_it; /* per register: its value comes from the instruction */
    Part part;
    guint point; /* the point of that use */
} Search;

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

static gboolean reads(const Search *search, guint point, const PsPtxOperand *operand)
{
    const gboolean list =
        operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
    const gboolean has_register =
        operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS;
    for (guint i = 0; list && i < operand->n_members; i++)
        if (reads(search, point, &operand->members[i]))
            return TRUE;
    return has_register && operand->reg >= 0 &&
           search->from_it[ps_ptx_code_register(&search->code->points[point], operand->reg)];
}

static void mark(const Search *search, guint point, const PsPtxOperand *operand, gboolean from_it)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        search->from_it[ps_ptx_code_register(&search->code->points[point], operand->reg)] = from_it;
    for (guint i = 0; operand->kind == PS_PTX_OPERAND_VECTOR && i < operand->n_members; i++)
        mark(search, point, &operand->members[i], from_it);
}

/* The use that an instruction makes of its operand i. */
static Part part_of(const PsPtxInstruction *instruction, guint i)
{
    if (is(instruction, "brx"))
        return BRANCH;
    if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
        return ADDRESS;
    if (is(instruction, "bar") || is(instruction, "barrier"))
        return BARRIER;
    return is(instruction, "st") || is(instruction, "red") || is(instruction, "atom") ? STORED
                                                                                      : NOTHING;
}

static void note(Search *search, guint point, Part part)
{
    if (part <= search->part)
        return;
    search->part = part;
    search->point = point;
}

static void pass(Search *search, guint point)
{
    const PsPtxPoint *at = &search->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const guint n_to = ps_ptx_n_destinations(instruction);
    const gboolean guarded = instruction->guard >= 0;
    const gboolean guard = guarded && search->from_it[ps_ptx_code_register(at, instruction->guard)];
    gboolean any = guard;
    if (guard && (at->target != PS_PTX_NOWHERE || is(instruction, "exit")))
        note(search, point, BRANCH);
    for (guint i = n_to; i < instruction->n_operands; i++)
        if (reads(search, point, &instruction->operands[i])) {
            note(search, point, part_of(instruction, i));
            any = TRUE;
        }
    for (guint i = 0; i < n_to && (any || !guarded); i++)
        mark(search, point, &instruction->operands[i], any);
}

/* The first point of the outermost loop around the point; where there is no loop, the point behind
 * it. */
static guint loop_of(const PsPtxCode *code, guint point)
{
    guint loop = code->points[point].loop, header = point + 1;
    for (; loop != PS_PTX_NOWHERE; loop = code->loops[loop].parent)
        header = code->loops[loop].header;
    return header;
}

/* The decisions that depend on the results of the instruction, for a message (g_free). The code is
 * searched in the order of its text, and from the loop's beginning once more. */
static char *decided_by(const PsPtxCode *code, guint point)
{
    static const char *const names[] = {[STORED] = "what is stored",
                                        [BARRIER] = "the barrier",
                                        [ADDRESS] = "the address",
                                        [BRANCH] = "the branch"};
    const PsPtxInstruction *instruction = code->points[point].instruction;
    const guint n_to = ps_ptx_n_destinations(instruction);
    g_autofree guint8 *from_it = g_malloc0((gsize)code->n_registers + 1);
    Search search = {code, from_it, NOTHING, 0};
    for (guint i = 0; i < n_to; i++)
        mark(&search, point, &instruction->operands[i], TRUE);
    for (guint p = point + 1; n_to > 0 && p < code->n_points; p++)
        pass(&search, p);
    for (guint p = loop_of(code, point); n_to > 0 && p < code->n_points; p++)
        pass(&search, p);
    if (search.part == NOTHING)
        return g_strdup(n_to > 0 ? "what the kernel computes"
                                 : "what memory holds and who waits for it");
    g_autofree char *where = ps_ptx_code_where(code, search.point);
    return g_strdup_printf("%s at %s", names[search.part], where);
}

/* ---- executing ------------------------------------------------------------------------------ */

static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const PsPtxLaunch *launch = &machine->launch;
    const char *what = step->more, *option = launch->partial_name;
    (void)mask;
    step->tally->skipped++;
    if (launch->partial || warp->error)
        return;
    machine->fault = PS_PTX_FAULT_UNKNOWN;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    g_autofree char *decides = decided_by(machine->code, step->point);
    warp->error = g_error_new(PS_ERROR, PS_ERROR_VALUE,
                              "%s: %s is not known to pipesim, and its results decide %s%s%s%s",
                              where, what, decides, option ? "; " : "", option ? option : "",
                              option ? " answers without what it does" : "");
}

void ps_ptx_skip_step(PsPtxStep *step, char *what)
{
    g_free(step->more);
    step->more = what;
    step->execute = execute;
    step->straight = 0;
    step->alone = FALSE;
    step->n_to = step->n_from = 0;
    step->tally = g_new0(PsPtxTally, 1);
}
