/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the tree of an expression, for the lexer and the grammar. */
#include "idg/expr-internal.h"
#include <string.h>

guint ps_expr_add(PsExprParser *parser, PsExprOp op, guint a, guint b)
{
    PsExprNode node = {.op = op, .a = a, .b = b};
    g_array_append_val(parser->expr->nodes, node);
    return parser->expr->nodes->len - 1;
}

guint ps_expr_add_number(PsExprParser *parser, PsRational number)
{
    guint index = ps_expr_add(parser, PS_EXPR_NUMBER, 0, 0);
    g_array_index(parser->expr->nodes, PsExprNode, index).number = number;
    return index;
}

guint ps_expr_add_name(PsExprParser *parser, char *name)
{
    g_ptr_array_add(parser->expr->names, name);
    return ps_expr_add(parser, PS_EXPR_NAME, parser->expr->names->len - 1, 0);
}

void ps_expr_complain(PsExprParser *parser, const char *format, ...)
{
    va_list args;
    if (parser->message)
        return;
    va_start(args, format);
    parser->message = g_strdup_vprintf(format, args);
    va_end(args);
}

PsExprOp ps_expr_function(const char *name, gsize length)
{
    static const struct {
        const char *name;
        PsExprOp op;
    } functions[] = {{"ceil", PS_EXPR_CEIL},
                     {"floor", PS_EXPR_FLOOR},
                     {"log2", PS_EXPR_LOG2},
                     {"max", PS_EXPR_MAX},
                     {"min", PS_EXPR_MIN}};

    for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0)
            return functions[i].op;
    }
    return PS_EXPR_NUMBER;
}
