/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the loads that join earlier ones. See joins.h. */
#include "lift/memory/joins.h"

#include "lift/memory/cache.h"

#include <string.h>

/* A run of loads in one basic block of which none waits for another. */
typedef struct {
    const PsPtxCode *code;
    guint8 *pending; /* [register]: result of its loads, or, in PTX, computed from one */
    GArray *set;     /* guint: pending registers */
    gboolean any;    /* it has a load */
} Run;

/* TRUE where an instruction waits for a result: it is not reordered any more. */
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

/* TRUE if no later load issues before the instruction: in PTX, which an assembler still orders,
 * also for writes to memory. */
static gboolean holds_back(const Run *run, const PsPtxMnemonic *mnemonic)
{
    return ps_joins_orders(mnemonic) || (!is_ordered(run) && ps_joins_writes(mnemonic));
}

/* Takes the next point into the run; TRUE if it is a load that joins the run's. */
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
