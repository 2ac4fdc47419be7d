/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instruction as PTX text. The names of labels are lost: $L_7 stands before instruction 7.
 */
#include "ptx/parser.h"

typedef struct {
    const PsPtxFunction *function;
    GString *text;
} Spelling;

static void spell(const Spelling *spelling, const PsPtxOperand *operand);

static void spell_register(const Spelling *spelling, gint32 reg)
{
    g_string_append(spelling->text,
                    g_array_index(spelling->function->registers, PsPtxRegister, reg).name);
}

static gboolean is_predicate(const Spelling *spelling, gint32 reg)
{
    return g_array_index(spelling->function->registers, PsPtxRegister, reg).type == PS_PTX_PRED;
}

static void spell_immediate(GString *text, const PsPtxOperand *operand)
{
    if (operand->literal == PS_PTX_SINGLE)
        g_string_append_printf(text, "0f%08X", (guint32)operand->value);
    else if (operand->literal == PS_PTX_DOUBLE)
        g_string_append_printf(text, "0d%016" G_GINT64_MODIFIER "X", (guint64)operand->value);
    else
        g_string_append_printf(text, "%" G_GINT64_FORMAT, operand->value);
}

/* Appends the text in [ ]. */
static void spell_address(const Spelling *spelling, const PsPtxOperand *operand)
{
    GString *text = spelling->text;
    if (operand->reg >= 0)
        spell_register(spelling, operand->reg);
    else if (operand->variable)
        g_string_append(text, operand->variable->name);
    if ((operand->reg < 0 && !operand->variable) || operand->value != 0)
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT,
                               operand->reg >= 0 || operand->variable ? "+" : "", operand->value);
}

static void spell_list(const Spelling *spelling, const PsPtxOperand *operand, const char *brackets)
{
    g_string_append_c(spelling->text, brackets[0]);
    for (guint i = 0; i < operand->n_members; i++) {
        if (i > 0)
            g_string_append(spelling->text, ", ");
        if (operand->literal == PS_PTX_SQUARE && operand->members[i].kind == PS_PTX_OPERAND_ADDRESS)
            spell_address(spelling, &operand->members[i]);
        else
            spell(spelling, &operand->members[i]);
    }
    g_string_append_c(spelling->text, brackets[1]);
}

static void spell_named(GString *text, const char *name, gint64 offset)
{
    g_string_append(text, name);
    if (offset != 0)
        g_string_append_printf(text, "+%" G_GINT64_FORMAT, offset);
}

static void spell(const Spelling *spelling, const PsPtxOperand *operand)
{
    GString *text = spelling->text;
    switch ((PsPtxOperandKind)operand->kind) {
    case PS_PTX_OPERAND_REGISTER:
        if (operand->negated)
            g_string_append_c(text, is_predicate(spelling, operand->reg) ? '!' : '-');
        spell_register(spelling, operand->reg);
        break;
    case PS_PTX_OPERAND_IMMEDIATE:
        spell_immediate(text, operand);
        break;
    case PS_PTX_OPERAND_VARIABLE:
        spell_named(text, operand->variable->name, operand->value);
        break;
    case PS_PTX_OPERAND_FUNCTION:
        spell_named(text, operand->function->name, operand->value);
        break;
    case PS_PTX_OPERAND_ADDRESS:
        g_string_append_c(text, '[');
        spell_address(spelling, operand);
        g_string_append_c(text, ']');
        break;
    case PS_PTX_OPERAND_VECTOR:
        spell_list(spelling, operand, "{}");
        break;
    case PS_PTX_OPERAND_LIST:
        spell_list(spelling, operand, operand->literal == PS_PTX_SQUARE ? "[]" : "()");
        break;
    case PS_PTX_OPERAND_LABEL:
        g_string_append_printf(text, "$L_%" G_GINT64_FORMAT, operand->value);
        break;
    case PS_PTX_OPERAND_SINK:
        g_string_append_c(text, '_');
        break;
    case PS_PTX_OPERAND_SPECIAL:
    case PS_PTX_OPERAND_OTHER:
        g_string_append(text, operand->name);
        break;
    }
}

char *ps_ptx_spell(const PsPtxFunction *function, const PsPtxInstruction *instruction)
{
    const Spelling spelling = {function, g_string_new(NULL)};
    GString *text = spelling.text;
    if (instruction->guard >= 0) {
        g_string_append(text, instruction->guard_negated ? "@!" : "@");
        spell_register(&spelling, instruction->guard);
        g_string_append_c(text, ' ');
    }
    g_string_append(text, instruction->mnemonic->text);
    for (guint i = 0; i < instruction->n_operands; i++) {
        g_string_append(text, i == 0 ? " " : i == 1 && instruction->pair ? "|" : ", ");
        spell(&spelling, &instruction->operands[i]);
    }
    return g_string_free(text, FALSE);
}
