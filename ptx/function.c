/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions: first declared, perhaps several times, then with a body; and aliases, other names of
 * functions.
 */
#include "ptx/parser.h"
#include <string.h>

static PsPtxFunction *new_function(gboolean entry, int line)
{
    PsPtxFunction *function = g_new0(PsPtxFunction, 1);
    function->entry = entry;
    function->line = line;
    function->params = g_ptr_array_new_with_free_func(ps_ptx_variable_free);
    function->returns = g_ptr_array_new_with_free_func(ps_ptx_variable_free);
    function->variables = g_ptr_array_new_with_free_func(ps_ptx_variable_free);
    function->registers = g_array_new(FALSE, FALSE, sizeof(PsPtxRegister));
    function->instructions = g_array_new(FALSE, FALSE, sizeof(PsPtxInstruction));
    function->tables = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                             (GDestroyNotify)(void (*)(void))g_array_unref);
    return function;
}

static void clear(PsPtxFunction *function)
{
    g_ptr_array_unref(function->params);
    g_ptr_array_unref(function->returns);
    g_ptr_array_unref(function->variables);
    g_array_unref(function->registers);
    g_array_unref(function->instructions);
    g_hash_table_unref(function->tables);
}

void ps_ptx_function_free(gpointer function)
{
    clear(function);
    g_free(function);
}

void ps_ptx_function_begin(PsPtxParser *parser, gboolean entry)
{
    parser->function = new_function(entry, parser->token_line);
    parser->loose = TRUE;
    parser->params = parser->function->params;
    ps_ptx_loc_begin(parser);
    ps_ptx_scope_open(parser);
}

/* Replaces the declaration of the same name by the function. */
static void replace_declaration(PsPtxParser *parser, PsPtxFunction *declared)
{
    PsPtxFunction *function = parser->function;
    function->name = declared->name;
    clear(declared);
    *declared = *function;
    g_free(function);
    parser->function = declared;
    parser->params = declared->params;
    parser->loose = FALSE;
}

void ps_ptx_function_name(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxBinding *binding = name->binding;
    parser->function->name = name->text;
    parser->function->line = parser->token_line;
    parser->params = parser->function->params;
    if (binding && binding->bound == PS_PTX_BOUND_FUNCTION) {
        if (!binding->function->body) /* a declaration that follows the body is dropped */
            replace_declaration(parser, binding->function);
        return;
    }
    binding = ps_ptx_bind_outside(parser, name, PS_PTX_BOUND_FUNCTION);
    if (!binding)
        return;
    binding->function = parser->function;
    g_ptr_array_add(parser->module->functions, parser->function);
    parser->loose = FALSE;
}

void ps_ptx_function_body(PsPtxParser *parser)
{
    if (parser->loose)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line, "\"%s\" is defined twice",
                        parser->function->name);
    parser->function->body = TRUE;
}

void ps_ptx_function_end(PsPtxParser *parser)
{
    ps_ptx_scope_close(parser);
    ps_ptx_labels_end(parser);
    if (parser->loose)
        ps_ptx_function_free(parser->function);
    parser->loose = FALSE;
    parser->function = NULL;
    parser->rolled_function = FALSE;
}

/* Dimensions that are not stated are 1. */
static void take_sizes(PsPtxParser *parser, const char *what, guint *sizes, guint first)
{
    const guint n = parser->numbers->len - first;
    if (n > 3)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "%s has at most 3 dimensions, not %u", what, n);
    for (guint i = 0; i < 3; i++) {
        const guint64 size = i < n ? g_array_index(parser->numbers, guint64, first + i) : 1;
        if (size == 0 || size > G_MAXINT32)
            ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                            "%s cannot be %" G_GUINT64_FORMAT " wide", what, size);
        sizes[i] = (guint)size;
    }
    g_array_set_size(parser->numbers, first);
}

void ps_ptx_function_threads(PsPtxParser *parser, guint *threads, guint first)
{
    take_sizes(parser, "a group of threads", threads, first);
}

void ps_ptx_function_cluster(PsPtxParser *parser, guint first)
{
    take_sizes(parser, "a cluster of groups", parser->function->cluster, first);
}

void ps_ptx_function_registers(PsPtxParser *parser, guint first)
{
    const guint64 registers = g_array_index(parser->numbers, guint64, first);
    if (parser->numbers->len != first + 1 || registers == 0 || registers > 256)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "a kernel's .maxnreg is one number from 1 to 256");
    parser->function->most_registers = (guint)MIN(registers, 256);
    g_array_set_size(parser->numbers, first);
}

/* ---- other names ---------------------------------------------------------------------------- */

void ps_ptx_alias(PsPtxParser *parser, PsPtxName *name, PsPtxName *of)
{
    PsPtxName *const both[] = {name, of};
    for (gsize i = 0; i < G_N_ELEMENTS(both); i++) {
        if (both[i]->binding && both[i]->binding->bound == PS_PTX_BOUND_FUNCTION)
            continue;
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is no function that was declared before the .alias", both[i]->text);
        return;
    }
    if (!parser->aliases)
        parser->aliases = g_hash_table_new(NULL, NULL);
    if (name->binding->function->body)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is defined, so it cannot be another function's .alias", name->text);
    else
        g_hash_table_insert(parser->aliases, name->binding->function, of->binding->function);
}

static void replace(GHashTable *aliases, PsPtxOperand *operands, guint n)
{
    for (guint i = 0; i < n; i++) {
        PsPtxOperand *operand = &operands[i];
        const PsPtxFunction *other = operand->kind == PS_PTX_OPERAND_FUNCTION
                                         ? g_hash_table_lookup(aliases, operand->function)
                                         : NULL;
        if (other)
            operand->function = other;
        else if (operand->kind == PS_PTX_OPERAND_LIST || operand->kind == PS_PTX_OPERAND_VECTOR)
            replace(aliases, operand->members, operand->n_members);
    }
}

static void replace_addresses(GHashTable *aliases, const GPtrArray *variables)
{
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        for (guint k = 0; variable->relocations && k < variable->relocations->len; k++) {
            PsPtxRelocation *part = &g_array_index(variable->relocations, PsPtxRelocation, k);
            const PsPtxFunction *other = g_hash_table_lookup(aliases, part->function);
            if (other)
                part->function = other;
        }
    }
}

void ps_ptx_aliases_resolve(PsPtxParser *parser)
{
    if (!parser->aliases)
        return;
    replace_addresses(parser->aliases, parser->module->variables);
    for (guint i = 0; i < parser->module->functions->len; i++) {
        const PsPtxFunction *function = parser->module->functions->pdata[i];
        replace_addresses(parser->aliases, function->variables);
        for (guint k = 0; k < function->instructions->len; k++) {
            PsPtxInstruction *instruction =
                &g_array_index(function->instructions, PsPtxInstruction, k);
            replace(parser->aliases, instruction->operands, instruction->n_operands);
        }
    }
}
