/* SPDX-License-Identifier: BSD-3-Clause */
/* See uniform.h. */
#include "lift/values/uniform.h"
#include "lift/values/induction.h"

/* Registers that values are computed from. */
typedef struct {
    const PsFacts *facts;
    GArray *registers; /* guint, each once */
    gboolean numbers;  /* they hold numbers only */
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

/* Adds the registers that an operand reads; FALSE if it differs between threads, or is no number
 * and must be one. */
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

/* Adds the inputs of a point's result. */
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

/* Adds the inputs of an access's address. */
static gboolean add_address(Sources *sources, guint point)
{
    const PsPtxPoint *at = &sources->facts->code->points[point];
    for (guint i = 0; i < at->instruction->n_operands; i++)
        if (at->instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS &&
            !add_operand(sources, at, &at->instruction->operands[i]))
            return FALSE;
    return TRUE;
}

/* Adds the inputs of the registers from the first one on. */
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

/* TRUE if one of the registers changes in each iteration of the loop. */
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

/* TRUE if the loop counts from one number to another. */
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

/* TRUE if the branch may leave the loop. */
static gboolean leaves(const PsFacts *facts, guint point, guint loop)
{
    return facts->facts[point].class.kind == PS_CLASS_BRANCH &&
           ps_facts_instruction(facts, point)->guard >= 0 &&
           ps_ptx_code_may_leave(facts->code, point, loop);
}

/* TRUE if the threads of a group leave the loop in the same iteration. */
static gboolean is_left_by_all(const PsFacts *facts, guint loop)
{
    g_autoptr(GArray) registers = g_array_new(FALSE, FALSE, sizeof(guint));
    Sources sources = {facts, registers, FALSE};
    for (guint p = facts->code->loops[loop].header; p < facts->code->n_points; p++) {
        if (!ps_ptx_code_in_loop(facts->code, p, loop) || !leaves(facts, p, loop))
            continue;
        const PsPtxPoint *at = &facts->code->points[p];
        add_register(&sources, ps_ptx_code_register(at, at->instruction->guard));
    }
    return follow(&sources, 0);
}

/* TRUE if the point computes one of these registers. */
static gboolean makes_one(const Sources *sources, guint point)
{
    const PsFacts *facts = sources->facts;
    const PsFact *fact = &facts->facts[point];
    for (guint t = 0; t < fact->n_to; t++)
        for (guint i = 0; i < sources->registers->len; i++)
            if (g_array_index(sources->registers, guint, i) == ps_fact_to(facts, fact)[t])
                return TRUE;
    return FALSE;
}

/* TRUE if the registers are only used for each other, for comparisons and for addresses of
 * constants: other readers of a counter need it in a register of each thread. */
static gboolean only_count(const Sources *sources)
{
    const PsFacts *facts = sources->facts;
    for (guint i = 0; i < sources->registers->len; i++) {
        const guint reg = g_array_index(sources->registers, guint, i);
        for (guint r = 0; r < ps_facts_n_readers(facts, reg); r++) {
            const guint reader = ps_facts_reader(facts, reg, r);
            const gboolean constant =
                ps_facts_instruction(facts, reader)->mnemonic->space == PS_PTX_CONST;
            if (!constant && !ps_facts_is(facts, reader, "setp") && !makes_one(sources, reader))
                return FALSE;
        }
    }
    return TRUE;
}

gboolean ps_counted_address(const PsFacts *facts, guint point)
{
    g_autoptr(GArray) registers = g_array_new(FALSE, FALSE, sizeof(guint));
    Sources sources = {facts, registers, TRUE};
    guint loop = facts->code->points[point].loop;
    if (!add_address(&sources, point) || !follow(&sources, 0) || !only_count(&sources))
        return FALSE;
    for (; loop != PS_PTX_NOWHERE; loop = facts->code->loops[loop].parent)
        if (changes_in(&sources, loop) && !is_left_by_all(facts, loop))
            return FALSE;
    return TRUE;
}
