/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions, labels and tables of labels. A name that is not known yet may be a label that comes
 * later, in this scope or one around it, so it waits until the scopes end.
 */
#include "ptx/parser.h"
#include <string.h>

void ps_ptx_guard(PsPtxParser *parser, PsPtxName *name, gboolean negated)
{
    const PsPtxBinding *binding = ps_ptx_look_up(parser, name);
    if (!binding || binding->bound != PS_PTX_BOUND_REGISTER || binding->type != PS_PTX_PRED) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"@\" stands before a predicate, and \"%s\" is %s", name->text,
                        binding ? "none" : "not declared");
        return;
    }
    parser->guard = binding->index;
    parser->guard_negated = negated;
}

/* Adds the operands whose names are not known yet to those that wait. line: for the error if the
 * name stays unknown; negative: it may. */
static void wait_for(PsPtxParser *parser, PsPtxOperand *operands, guint n, int line)
{
    for (guint i = 0; i < n; i++) {
        PsPtxOperand *operand = &operands[i];
        if (operand->kind == PS_PTX_OPERAND_OTHER) {
            g_ptr_array_add(parser->waiting, operand);
            g_array_append_val(parser->waiting_lines, line);
        } else if (operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST) {
            wait_for(parser, operand->members, operand->n_members, line);
        }
    }
}

static gboolean is_pair(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_LIST && operand->literal == PS_PTX_PAIR;
}

static void check_operand(PsPtxParser *parser, const PsPtxValue *value, guint nth)
{
    if (value->sum)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->instruction_line,
                        "a register plus a number is an address, which stands in [ ]");
    if (value->masked || value->generic)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->instruction_line,
                        "generic() and masks of addresses stand in initial values only");
    if (is_pair(&value->operand) && nth > 0)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->instruction_line,
                        "only the destination, which comes first, can be a pair a|b");
}

/* Adds the brackets that may be left out around a variable: ld.u32 a, x. */
static void add_brackets(PsPtxInstruction *instruction)
{
    static const struct {
        const char *opcode;
        guint nth;
    } rows[] = {{"ld", 1}, {"ldu", 1}, {"st", 0}, {"atom", 1}, {"red", 0}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(instruction->mnemonic->opcode, rows[i].opcode) == 0 &&
            rows[i].nth < instruction->n_operands &&
            instruction->operands[rows[i].nth].kind == PS_PTX_OPERAND_VARIABLE)
            instruction->operands[rows[i].nth].kind = PS_PTX_OPERAND_ADDRESS;
}

/* Makes the values from `first` on the instruction's operands. */
static void take_operands(PsPtxParser *parser, guint first, PsPtxInstruction *instruction)
{
    const guint n = parser->values->len - first;
    const gboolean call = strcmp(instruction->mnemonic->opcode, "call") == 0;
    guint at = 0;
    if (n >= PS_PTX_MAX_OPERANDS) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->instruction_line,
                        "the instruction has more than %d operands", PS_PTX_MAX_OPERANDS - 1);
        return;
    }
    PsPtxValue *values = &g_array_index(parser->values, PsPtxValue, first);
    instruction->pair = n > 0 && is_pair(&values[0].operand) && values[0].operand.n_members == 2;
    instruction->operands =
        ps_ptx_arena_get(parser->arena, (n + instruction->pair) * sizeof(PsPtxOperand));
    for (guint i = 0; i < n; i++) {
        check_operand(parser, &values[i], i);
        const PsPtxOperand operand =
            call ? values[i].operand : ps_ptx_value_unwrap(values[i]).operand;
        if (i == 0 && instruction->pair) {
            instruction->operands[at++] = operand.members[0];
            instruction->operands[at++] = operand.members[1];
        } else {
            instruction->operands[at++] = operand;
        }
    }
    instruction->n_operands = (guint8)at;
    add_brackets(instruction);
    wait_for(parser, instruction->operands, at,
             instruction->mnemonic->known ? parser->instruction_line : -1);
}

void ps_ptx_instruction(PsPtxParser *parser, PsPtxName *opcode, guint first)
{
    PsPtxInstruction instruction = {
        .mnemonic = ps_ptx_mnemonic(parser, opcode),
        .guard = parser->guard,
        .guard_negated = parser->guard_negated,
        .file = parser->file,
        .source_line = parser->source_line,
        .rolled = parser->rolled_module || parser->rolled_function || parser->rolled_next,
        .near = parser->near && parser->source_line > 0,
        .call = parser->call,
        .line = parser->instruction_line,
    };
    take_operands(parser, first, &instruction);
    g_array_set_size(parser->values, first);
    g_array_append_val(parser->function->instructions, instruction);
    parser->guard = -1;
    parser->guard_negated = FALSE;
    parser->rolled_next = FALSE;
}

void ps_ptx_pragma(PsPtxParser *parser, const char *text, gsize length)
{
    if (length != strlen("nounroll") || memcmp(text, "nounroll", length) != 0)
        return;
    gboolean *rolled = !parser->function         ? &parser->rolled_module
                       : !parser->function->body ? &parser->rolled_function
                                                 : &parser->rolled_next;
    *rolled = TRUE;
}

void ps_ptx_label(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_LABEL);
    if (binding)
        binding->index = (gint32)parser->function->instructions->len;
}

void ps_ptx_other(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_OTHER);
    if (binding)
        binding->table = name->text;
}

void ps_ptx_table(PsPtxParser *parser, PsPtxName *name, guint first_word)
{
    const guint n = parser->words->len - first_word;
    PsPtxTargets table = {name->text, ps_ptx_arena_get(parser->temporary, n * sizeof(PsPtxOperand)),
                          n};
    GHashTable *tables = parser->function->tables;
    for (guint i = 0; i < n; i++) {
        const PsPtxName *word = g_array_index(parser->words, PsPtxName *, first_word + i);
        table.targets[i] =
            (PsPtxOperand){.kind = PS_PTX_OPERAND_OTHER, .reg = -1, .name = word->text};
    }
    wait_for(parser, table.targets, n, parser->token_line);
    g_array_set_size(parser->words, first_word);
    /* two blocks, one after another, may have tables of the same name */
    if (g_hash_table_contains(tables, table.name)) {
        g_autofree char *other = g_strdup_printf("%s@%d", name->text, parser->token_line);
        table.name = ps_ptx_intern(parser, other, strlen(other))->text;
    }
    g_hash_table_insert(tables, (gpointer)table.name, g_array_new(FALSE, FALSE, sizeof(guint)));
    g_array_append_val(parser->tables, table);
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_OTHER);
    if (binding)
        binding->table = table.name;
}
