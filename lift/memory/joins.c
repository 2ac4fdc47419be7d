/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loads join those before them. See joins.h. */
#include "lift/memory/joins.h"

#include "lift/memory/cache.h"

#include <string.h>

/* A run of loads in one basic block, none of which waits for another. */
typedef struct {
    const PsPtxCode *code;
    guint8 *pending; /* by register: its loads' results and, in PTX, what follows from them */
    GArray *set;     /* guint: registers that are pending */
    gboolean any;    /* there is a load */
} Run;

/* An instruction that waits for a result waits there: nobody reorders it any more. */
static gboolean is_ordered(const Run *run)
{
    return run->code->module && run->code->module->machine;
}

static void end_run(Run *run)
{
    for (guint i = 0; i < run->set->len; i++)
        run->pending[g_array_index(run->set, guint, i)] = FALSE;
    g_array_set_size(run->set, 0);
    run->any = FALSE;
}

static void add_register(Run *run, guint reg)
{
    if (run->pending[reg])
        return;
    run->pending[reg] = TRUE;
    g_array_append_val(run->set, reg);
}

static gboolean is_list(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
}

static void add_operand(Run *run, const PsPtxPoint *point, const PsPtxOperand *operand)
{
    for (guint i = 0; is_list(operand) && i < operand->n_members; i++)
        add_operand(run, point, &operand->members[i]);
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        add_register(run, ps_ptx_code_register(point, operand->reg));
}

static void add_results(Run *run, const PsPtxPoint *point)
{
    for (guint i = 0; i < ps_ptx_n_destinations(point->instruction); i++)
        add_operand(run, point, &point->instruction->operands[i]);
}

static gboolean is_pending(const Run *run, const PsPtxPoint *point, gint reg)
{
    return reg >= 0 && run->pending[ps_ptx_code_register(point, reg)];
}

static gboolean reads_operand(const Run *run, const PsPtxPoint *point, const PsPtxOperand *operand)
{
    for (guint i = 0; is_list(operand) && i < operand->n_members; i++)
        if (reads_operand(run, point, &operand->members[i]))
            return TRUE;
    return (operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
           is_pending(run, point, operand->reg);
}

static gboolean reads(const Run *run, const PsPtxPoint *point)
{
    const PsPtxInstruction *instruction = point->instruction;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++)
        if (reads_operand(run, point, &instruction->operands[i]))
            return TRUE;
    return is_pending(run, point, instruction->guard);
}

static gboolean is_global(const PsPtxMnemonic *mnemonic)
{
    return mnemonic->space == PS_PTX_GLOBAL || mnemonic->space == PS_PTX_GENERIC;
}

gboolean ps_joins_is_load(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "ld") == 0 && is_global(mnemonic);
}

gboolean ps_joins_orders(const PsPtxMnemonic *mnemonic)
{
    static const char *const opcodes[] = {"bar", "barrier", "membar", "fence"};
    for (guint i = 0; i < G_N_ELEMENTS(opcodes); i++)
        if (strcmp(mnemonic->opcode, opcodes[i]) == 0)
            return TRUE;
    return FALSE;
}

gboolean ps_joins_writes(const PsPtxMnemonic *mnemonic)
{
    return is_global(mnemonic) && ps_access_of(mnemonic) != PS_ACCESS_LOAD;
}

/* Whether no load behind it is issued before it: in PTX, which an assembler still orders, also what
 * writes to memory. */
static gboolean holds_back(const Run *run, const PsPtxMnemonic *mnemonic)
{
    return ps_joins_orders(mnemonic) || (!is_ordered(run) && ps_joins_writes(mnemonic));
}

/* Takes the next point into the run; TRUE where it is a load that joins those of it. */
static gboolean take(Run *run, const PsPtxPoint *point)
{
    const PsPtxMnemonic *mnemonic = point->instruction->mnemonic;
    const gboolean load = ps_joins_is_load(mnemonic);
    if (point->leader || holds_back(run, mnemonic))
        end_run(run);
    const gboolean follows = reads(run, point);
    if (follows && (load || is_ordered(run)))
        end_run(run);
    const gboolean joins = load && run->any;
    if (load || (follows && run->any))
        add_results(run, point);
    run->any = run->any || load;
    return joins;
}

guint8 *ps_joins_new(const PsPtxCode *code)
{
    guint8 *joins = g_new0(guint8, MAX(code->n_points, 1));
    g_autofree guint8 *pending = g_new0(guint8, MAX(code->n_registers, 1));
    g_autoptr(GArray) set = g_array_new(FALSE, FALSE, sizeof(guint));
    Run run = {.code = code, .pending = pending, .set = set};
    for (guint i = 0; i < code->n_points; i++)
        joins[i] = take(&run, &code->points[i]);
    return joins;
}
