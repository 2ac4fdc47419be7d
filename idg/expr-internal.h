/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the expression's lexer, grammar and evaluation share. An expression is a syntax tree whose
 * nodes lie in one array, operands before what uses them. So evaluating and freeing are loops, and
 * no input, however deep, can exhaust the stack.
 */
#ifndef PIPESIM_IDG_EXPR_INTERNAL_H
#define PIPESIM_IDG_EXPR_INTERNAL_H

#include "idg/expr.h"

typedef enum {
    PS_EXPR_NUMBER,
    PS_EXPR_NAME,
    PS_EXPR_NEGATE,
    PS_EXPR_ADD,
    PS_EXPR_SUBTRACT,
    PS_EXPR_MULTIPLY,
    PS_EXPR_DIVIDE,
    PS_EXPR_MODULO,
    PS_EXPR_POWER,
    PS_EXPR_CEIL,
    PS_EXPR_FLOOR,
    PS_EXPR_LOG2,
    PS_EXPR_MIN,
    PS_EXPR_MAX,
} PsExprOp;

typedef struct {
    PsExprOp op;
    guint a, b;        /* operands: indices of earlier nodes; of a name: a is its index in names */
    PsRational number; /* of PS_EXPR_NUMBER */
} PsExprNode;

struct PsExpr {
    char *text;
    GArray *nodes;    /* PsExprNode; the last is the root */
    GPtrArray *names; /* char *: the parameters, as often as they occur */
};

/* One run of the parser. */
typedef struct {
    PsExpr *expr;  /* under construction */
    gsize at, end; /* the current token lies in text[at..end) */
    char *message; /* the first mistake; NULL if there is none */
} PsExprParser;

/* expr-tree.c. All three append a node and return its index. */
guint ps_expr_add(PsExprParser *parser, PsExprOp op, guint a, guint b);
guint ps_expr_add_number(PsExprParser *parser, PsRational number);
guint ps_expr_add_name(PsExprParser *parser, char *name /* taken */);

/* Sets the message, unless there is one. */
void ps_expr_complain(PsExprParser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The function of that name and length; PS_EXPR_NUMBER if there is none. */
PsExprOp ps_expr_function(const char *name, gsize length);

/* The functions' names, for messages. */
#define PS_EXPR_FUNCTIONS "ceil, floor, log2, max, min"

/* expr-lex.l: a scanner of parser->expr->text, for ps_expr_yyparse. Free with ps_expr_scan_end. */
void *ps_expr_scan_begin(PsExprParser *parser);
void ps_expr_scan_end(void *scanner);

#endif
