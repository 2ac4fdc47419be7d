/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions over a graph's parameters: trip counts, launches, attributes.
 *
 *     size/8      (size/8)^2      2*8*8*4      ceil(n/256)      max(1, rows-2)
 *
 * Numbers are plain decimals, names are parameters; operators by falling precedence: ^ (to a
 * non-negative integer power; binds to the right), unary -, then * / %, then + -; functions:
 * ceil(x), floor(x), min(x,y,...), max(x,y,...), log2(x) (exact powers of two only). Everything is
 * exact: 7/2 is 3.5, and a trip count that comes out as 3.5 is an error, not 3. a % b is
 * a - b*floor(a/b).
 */
#ifndef PIPESIM_IDG_EXPR_H
#define PIPESIM_IDG_EXPR_H

#include "base/message.h"
#include "base/rational.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The longest expression that is read, in bytes. */
#define PS_EXPR_MAX_BYTES 4096

/* An expression over parameters, as it was written. */
typedef struct PsExpr PsExpr;

/* Parses text. The result belongs to the caller (ps_expr_free). On failure NULL, and *error
 * (PS_ERROR_SYNTAX, at place) quotes the expression and says what is wrong with it. */
PsExpr *ps_expr_new(const char *text, PsPlace place, GError **error);
void ps_expr_free(PsExpr *expr);

/* The text of the expression, borrowed. */
const char *ps_expr_text(const PsExpr *expr);

/* Values of parameters by name. The caller of ps_scope_new owns the empty scope, and frees it with
 * ps_scope_free (NULL is fine). */
typedef struct PsScope PsScope;
PsScope *ps_scope_new(void);
void ps_scope_free(PsScope *scope);
/* Gives a name, which is copied, its value; one that it had is replaced. */
void ps_scope_set(PsScope *scope, const char *name, PsRational value);
/* FALSE, and *value unchanged, if there is no such name. */
gboolean ps_scope_get(const PsScope *scope, const char *name, PsRational *value);
/* Names in the order in which they were first set. The array is the caller's (g_ptr_array_unref),
 * the strings are the scope's and live as long as it. */
GPtrArray *ps_scope_names(const PsScope *scope);
/* These names for a message: "size, ilp", or "none". Free with g_free. */
char *ps_scope_describe(const PsScope *scope);

/* Evaluates. FALSE and *error (PS_ERROR_VALUE, at place, naming the expression) for an unknown
 * parameter (the message lists the known ones), a division by zero, an overflow. */
gboolean ps_expr_eval(const PsExpr *expr, const PsScope *scope, PsPlace place, PsRational *value,
                      GError **error);

/* What an integer may be. */
typedef struct {
    const char *what; /* for messages: "trip count" */
    gint64 min, max;
} PsIntRange;

/* Does the same, and the value must be an integer in range. */
gboolean ps_expr_eval_int(const PsExpr *expr, const PsScope *scope, PsPlace place,
                          const PsIntRange *range, gint64 *value, GError **error);

/* A name: a letter or '_', then letters, digits, '_'. */
gboolean ps_expr_is_name(const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsExpr, ps_expr_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsScope, ps_scope_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
