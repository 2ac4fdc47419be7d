/* SPDX-License-Identifier: BSD-3-Clause */
/* See uniform.h. */
#include "lift/values/uniform.h"
#include "lift/values/induction.h"

/* Registers that values are made of. */
typedef struct {
    const PsFacts *facts;
    GArray *registers; /* guint, each once */
    gboolean numbers;  /* of numbers alone */
} Sources;

static gboolean is_of_thread(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_SPECIAL &&
           !(operand->value >= PS_PTX_NTID_X && operand->value <= PS_PTX_NTID_Z) &&
           !(operand->value >= PS_PTX_CTAID_X && operand->value <= PS_PTX_NCTAID_Z);
}

static void add_register(Sources *sources, guint reg)
{
    for (guint i = 0; i < sources->registers->len; i++)
        if (g_array_index(sources->registers, guint, i) == reg)
            return;
    g_array_append_val(sources->registers, reg);
}

/* Adds the registers that an operand reads; FALSE where it differs from thread to thread, or is no
 * number where all have to be. */
static gboolean add_operand(Sources *sources, const PsPtxPoint *at, const PsPtxOperand *operand)
{
    if (sources->numbers ? operand->kind == PS_PTX_OPERAND_SPECIAL : is_of_thread(operand))
        return FALSE;
    for (guint i = 0; i < operand->n_members; i++)
        if (!add_operand(sources, at, &operand->members[i]))
            return FALSE;
    if ((operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
        operand->reg >= 0)
        add_register(sources, ps_ptx_code_register(at, operand->reg));
    return TRUE;
}

/* Adds what a point's result is made of. */
static gboolean add_point(Sources *sources, guint point)
{
    const PsFacts *facts = sources->facts;
    const PsPtxPoint *at = &facts->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const PsClassKind kind = facts->facts[point].class.kind;
    const gboolean parameter = !sources->numbers && ps_facts_is(facts, point, "ld") &&
                               instruction->mnemonic->space == PS_PTX_PARAM;
    if ((kind != PS_CLASS_COMPUTE && !parameter) || ps_facts_is(facts, point, "shfl"))
        return FALSE;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++)
        if (!add_operand(sources, at, &instruction->operands[i]))
            return FALSE;
    if (instruction->guard >= 0)
        add_register(sources, ps_ptx_code_register(at, instruction->guard));
    return TRUE;
}

/* Adds what an access's address is made of, and what that is. */
static gboolean add_address(Sources *sources, guint point)
{
    const PsPtxPoint *at = &sources->facts->code->points[point];
    for (guint i = 0; i < at->instruction->n_operands; i++)
        if (at->instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS &&
            !add_operand(sources, at, &at->instruction->operands[i]))
            return FALSE;
    return TRUE;
}

/* Adds what the registers from the first one on are made of. */
static gboolean follow(Sources *sources, guint first)
{
    const PsFacts *facts = sources->facts;
    for (guint i = first; i < sources->registers->len; i++) {
        const guint reg = g_array_index(sources->registers, guint, i);
        for (guint w = 0; w < ps_facts_n_writers(facts, reg); w++)
            if (!add_point(sources, facts->writers[facts->first_writer[reg] + w]))
                return FALSE;
    }
    return TRUE;
}

gboolean ps_uniform_address(const PsFacts *facts, guint point)
{
    g_autoptr(GArray) registers = g_array_new(FALSE, FALSE, sizeof(guint));
    Sources sources = {facts, registers, FALSE};
    return add_address(&sources, point) && follow(&sources, 0);
}

/* TRUE if one of the registers is another one in each iteration of the loop. */
static gboolean changes_in(const Sources *sources, guint loop)
{
    const PsFacts *facts = sources->facts;
    for (guint i = 0; i < sources->registers->len; i++) {
        const guint reg = g_array_index(sources->registers, guint, i);
        for (guint w = 0; w < ps_facts_n_writers(facts, reg); w++)
            if (ps_ptx_code_in_loop(facts->code, facts->writers[facts->first_writer[reg] + w],
                                    loop))
                return TRUE;
    }
    return FALSE;
}

/* TRUE if the loop counts from a number to a number. */
static gboolean is_counted(Sources *sources, guint loop)
{
    const PsPtxCode *code = sources->facts->code;
    const guint first = sources->registers->len;
    for (guint p = code->loops[loop].header; p < code->n_points; p++) {
        PsInduction induction;
        if (ps_ptx_code_in_loop(code, p, loop) &&
            sources->facts->facts[p].class.kind == PS_CLASS_BRANCH &&
            ps_induction_find(sources->facts, p, &induction) && induction.loop == loop)
            return add_point(sources, induction.compare) && follow(sources, first);
    }
    return FALSE;
}

gboolean ps_known_address(const PsFacts *facts, guint point)
{
    g_autoptr(GArray) registers = g_array_new(FALSE, FALSE, sizeof(guint));
    Sources sources = {facts, registers, TRUE};
    guint loop = facts->code->points[point].loop;
    if (!add_address(&sources, point) || !follow(&sources, 0))
        return FALSE;
    for (; loop != PS_PTX_NOWHERE; loop = facts->code->loops[loop].parent)
        if (changes_in(&sources, loop) && !is_counted(&sources, loop))
            return FALSE;
    return TRUE;
}
