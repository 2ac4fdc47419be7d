/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "constants": an instruction holds one operand that is a number or lies in constant
 * memory, as parameters do; zero is a register. Of two such operands one has to be moved to a
 * register first; of what is stored, and of addresses, all. A register holds it until the straight
 * code ends: the assembler rather moves a constant again than keep a register for it.
 */
#include "lift/rules/rules.h"

#include <string.h>

#define MOST_HOPS 16

/* A constant that is in a register, or that an instruction needs. */
typedef struct {
    guint reg; /* register that it was loaded into, or PS_PTX_NOWHERE: a number */
    gint64 value;
} Constant;

typedef struct {
    const PsSpots *spots;
    GArray *held;    /* Constant: those in registers */
    GArray *wanted;  /* Constant: those that the present instruction needs ... */
    guint n_numbers; /* ... of which so many, the first, are numbers */
} Constants;

static gboolean is_loaded(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    return ps_facts_is(facts, point, "ld") ||
           (ps_facts_is(facts, point, "mov") &&
            instruction->operands[1].kind == PS_PTX_OPERAND_SPECIAL);
}

static gboolean is_rename(const PsFacts *facts, guint point)
{
    return ps_facts_is(facts, point, "mov") || ps_facts_is(facts, point, "cvta") ||
           ps_facts_is(facts, point, "cvt");
}

/* TRUE, and *constant, if an operand is a constant, followed back through moves that are no
 * instructions. */
static gboolean find_constant(const PsFacts *facts, guint point, const PsPtxOperand *operand,
                              Constant *constant)
{
    guint64 at = 0;
    for (int hops = 0; hops < MOST_HOPS; hops++) {
        *constant = (Constant){PS_PTX_NOWHERE, operand->value};
        if (operand->kind == PS_PTX_OPERAND_IMMEDIATE)
            return TRUE;
        if (operand->kind == PS_PTX_OPERAND_VARIABLE) {
            constant->value += ps_facts_shared_at(facts, operand->variable, &at) ? (gint64)at : 0;
            return TRUE;
        }
        if (operand->reg < 0 ||
            (operand->kind != PS_PTX_OPERAND_REGISTER && operand->kind != PS_PTX_OPERAND_ADDRESS))
            return FALSE;
        constant->reg = ps_ptx_code_register(&facts->code->points[point], operand->reg);
        point = ps_facts_definition(facts, constant->reg);
        if (point == PS_PTX_NOWHERE || facts->facts[point].role != PS_ROLE_FORWARD)
            return FALSE;
        if (is_loaded(facts, point))
            return TRUE;
        if (!is_rename(facts, point))
            return FALSE;
        operand = &ps_facts_instruction(facts, point)->operands[1];
    }
    return FALSE;
}

/* ---- what an instruction wants ------------------------------------------------------------------
 */

static gboolean has(const GArray *list, const Constant *constant)
{
    for (guint i = 0; i < list->len; i++) {
        const Constant *other = &g_array_index(list, Constant, i);
        if (other->reg == constant->reg &&
            (constant->reg != PS_PTX_NOWHERE || other->value == constant->value))
            return TRUE;
    }
    return FALSE;
}

/* Adds a constant that the instruction needs. Numbers come first: they move to registers, while a
 * constant in memory stays an operand. */
static void want(Constants *constants, const Constant *constant)
{
    if ((constant->reg == PS_PTX_NOWHERE && constant->value == 0) ||
        has(constants->held, constant) || has(constants->wanted, constant))
        return;
    if (constant->reg == PS_PTX_NOWHERE)
        g_array_insert_val(constants->wanted, constants->n_numbers++, *constant);
    else
        g_array_append_val(constants->wanted, *constant);
}

static void want_operands(Constants *constants, guint point, guint first, guint end);

/* Adds an operand. If a product became part of the sum, the product's factors are operands of the
 * sum. */
static void want_operand(Constants *constants, guint point, guint i)
{
    const PsFacts *facts = constants->spots->facts;
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    Constant constant;
    if (find_constant(facts, point, &instruction->operands[i], &constant)) {
        want(constants, &constant);
        return;
    }
    const guint reg = ps_facts_operand(facts, point, i);
    const guint from = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
    if (from != PS_PTX_NOWHERE && facts->facts[from].role == PS_ROLE_FORWARD &&
        ps_facts_is(facts, from, "mul"))
        want_operands(constants, from, 1, 3);
}

static void want_operands(Constants *constants, guint point, guint first, guint end)
{
    const guint n = ps_facts_instruction(constants->spots->facts, point)->n_operands;
    for (guint i = first; i < MIN(n, end); i++)
        want_operand(constants, point, i);
}

/* Adds the address and the value of an access to memory. */
static void want_access(Constants *constants, guint point)
{
    const PsFacts *facts = constants->spots->facts;
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const gboolean loads = facts->facts[point].class.kind == PS_CLASS_LOAD;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const gboolean address = operand->kind == PS_PTX_OPERAND_ADDRESS;
        Constant constant;
        if ((address ? operand->reg >= 0 : !loads) &&
            find_constant(facts, point, operand, &constant))
            want(constants, &constant);
    }
}

/* Collects the constants that an instruction needs; returns how many of them it can hold itself. */
static guint gather(Constants *constants, guint point)
{
    const PsFacts *facts = constants->spots->facts;
    const PsClass *class = &facts->facts[point].class;
    static const char *const holds_all[] = {"shfl", "vote", "match", "prmt", "shf",
                                            "bfe",  "bfi",  "cvt",   NULL};
    g_array_set_size(constants->wanted, 0);
    constants->n_numbers = 0;
    if (class->kind == PS_CLASS_LOAD || class->kind == PS_CLASS_STORE ||
        class->kind == PS_CLASS_ATOMIC) {
        want_access(constants, point);
        return 0;
    }
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    if (class->kind == PS_CLASS_COMPUTE && facts->facts[point].n_to > 0 &&
        !g_strv_contains(holds_all, instruction->mnemonic->opcode))
        want_operands(constants, point, instruction->pair ? 2 : 1,
                      ps_facts_is(facts, point, "lop3") ? 4 : instruction->n_operands);
    return 1;
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

static void count_moves(Constants *constants, PsSpot *spot)
{
    const guint holds = gather(constants, spot->point);
    const guint n = constants->wanted->len;
    spot->moves = n > holds ? n - holds : 0;
    if (spot->moves > 0)
        g_array_append_vals(constants->held, constants->wanted->data, spot->moves);
}

void ps_rule_constants(PsSpots *spots)
{
    g_autoptr(GArray) held = g_array_new(FALSE, FALSE, sizeof(Constant));
    g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(Constant));
    Constants constants = {spots, held, wanted, 0};
    for (guint i = 0; i < spots->spots->len; i++) {
        PsSpot *spot = ps_spot(spots, i);
        if (spot->kind != PS_SPOT_STEP || ps_spot_leads(spots, i))
            g_array_set_size(held, 0);
        if (spot->kind == PS_SPOT_STEP && spot->role == PS_ROLE_NODE && spot->alive &&
            !ps_spot_fact(spots, i)->sequence)
            count_moves(&constants, spot);
    }
}
