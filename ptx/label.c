/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At the end of a scope, finds operands that name labels of the scope: a label may come after the
 * instructions that name it.
 */
#include "ptx/parser.h"

/* TRUE if the operand's name is a label or a table of the scope that ends; then the operand is set.
 */
static gboolean resolve(PsPtxOperand *operand, guint depth)
{
    const PsPtxBinding *binding = PS_PTX_NAME_OF(operand->name)->binding;
    if (!binding || binding->depth != depth)
        return FALSE;
    if (binding->bound == PS_PTX_BOUND_LABEL) {
        operand->kind = PS_PTX_OPERAND_LABEL;
        operand->value = binding->index;
        operand->name = NULL;
        return TRUE;
    }
    if (binding->bound == PS_PTX_BOUND_OTHER) {
        operand->name = binding->table;
        return TRUE;
    }
    return FALSE;
}

void ps_ptx_labels_resolve(PsPtxParser *parser)
{
    const guint depth = parser->scopes->len - 1;
    guint keep = g_array_index(parser->scopes, PsPtxScope, depth).waiting;
    for (guint i = keep; i < parser->waiting->len; i++) {
        if (resolve(parser->waiting->pdata[i], depth))
            continue;
        parser->waiting->pdata[keep] = parser->waiting->pdata[i];
        g_array_index(parser->waiting_lines, int, keep) =
            g_array_index(parser->waiting_lines, int, i);
        keep++;
    }
    g_ptr_array_set_size(parser->waiting, (gint)keep);
    g_array_set_size(parser->waiting_lines, keep);
}

static void make_table(PsPtxParser *parser, const PsPtxTargets *table)
{
    GArray *indices = g_hash_table_lookup(parser->function->tables, table->name);
    for (guint i = 0; i < table->n; i++) {
        const guint index = (guint)table->targets[i].value;
        if (table->targets[i].kind == PS_PTX_OPERAND_LABEL)
            g_array_append_val(indices, index);
        else
            ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line, "\"%s\" is no label",
                            table->targets[i].name);
    }
}

void ps_ptx_labels_end(PsPtxParser *parser)
{
    for (guint i = 0; i < parser->waiting->len; i++) {
        const int line = g_array_index(parser->waiting_lines, int, i);
        const PsPtxOperand *operand = parser->waiting->pdata[i];
        if (line >= 0)
            ps_ptx_complain(parser, PS_ERROR_VALUE, line,
                            "\"%s\" is not declared: no register, variable, function or label "
                            "has this name here",
                            operand->name);
    }
    g_ptr_array_set_size(parser->waiting, 0);
    g_array_set_size(parser->waiting_lines, 0);
    for (guint i = 0; i < parser->tables->len && !parser->error; i++)
        make_table(parser, &g_array_index(parser->tables, PsPtxTargets, i));
    g_array_set_size(parser->tables, 0);
}
