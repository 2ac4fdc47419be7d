/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: from a text to a tree, and its evaluation in exact arithmetic.
 */
#include "base/nearest.h"
#include "idg/expr-parse.tab.h"
#include <string.h>

/* The text in quotes, cut to a length that a message can bear. */
static char *quote(const char *text)
{
    const gsize most = 160;
    g_autofree char *part = g_strndup(text, most);
    g_autofree char *valid = g_utf8_make_valid(part, -1);
    return g_strdup_printf("\"%s%s\"", valid, strlen(text) > most ? "..." : "");
}

PsExpr *ps_expr_new(const char *text, PsPlace place, GError **error)
{
    g_autofree char *quoted = quote(text);
    if (strlen(text) > PS_EXPR_MAX_BYTES) {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "the expression %s is longer than the %d bytes that are allowed", quoted,
                    PS_EXPR_MAX_BYTES);
        return NULL;
    }
    g_autoptr(PsExpr) expr = g_new(PsExpr, 1);
    expr->text = g_strdup(text);
    expr->nodes = g_array_new(FALSE, FALSE, sizeof(PsExprNode));
    expr->names = g_ptr_array_new_with_free_func(g_free);

    PsExprParser parser = {.expr = expr};
    void *scanner = ps_expr_scan_begin(&parser);
    const gboolean good = ps_expr_yyparse(scanner, &parser) == 0;
    ps_expr_scan_end(scanner);
    if (good)
        return g_steal_pointer(&expr);
    g_autofree char *message = g_utf8_make_valid(parser.message, -1);
    ps_error_at(error, PS_ERROR_SYNTAX, place, "%s: %s", quoted, message);
    g_free(parser.message);
    return NULL;
}

void ps_expr_free(PsExpr *expr)
{
    if (!expr)
        return;
    g_free(expr->text);
    g_array_unref(expr->nodes);
    g_ptr_array_unref(expr->names);
    g_free(expr);
}

const char *ps_expr_text(const PsExpr *expr)
{
    return expr->text;
}

gboolean ps_expr_is_name(const char *text)
{
    if (!g_ascii_isalpha(text[0]) && text[0] != '_')
        return FALSE;
    for (const char *c = text; *c != '\0'; c++) {
        if (!g_ascii_isalnum(*c) && *c != '_')
            return FALSE;
    }
    return TRUE;
}

/* ---- evaluation ---------------------------------------------------------------------------- */

/* The reason why an operation has no result. */
typedef enum {
    GOOD,
    TOO_LARGE,
    ZERO_DIVISOR,
    BAD_POWER,
    BAD_LOGARITHM,
} Outcome;

static Outcome fits(gboolean good)
{
    return good ? GOOD : TOO_LARGE;
}

static Outcome modulo(PsRational a, PsRational b, PsRational *result)
{
    PsRational quotient, whole;
    if (b.num == 0)
        return ZERO_DIVISOR;
    if (!ps_rational_div(a, b, &quotient))
        return TOO_LARGE;
    quotient = PS_RATIONAL_INT(ps_rational_floor(quotient));
    return fits(ps_rational_mul(b, quotient, &whole) && ps_rational_sub(a, whole, result));
}

/* Squares repeatedly; the base is squared only while a higher bit of the exponent asks for it, so
 * that no intermediate value exceeds the result. */
static Outcome power(PsRational base, PsRational exponent, PsRational *result)
{
    PsRational product = PS_RATIONAL_INT(1);
    if (!ps_rational_is_int(exponent) || exponent.num < 0)
        return BAD_POWER;
    for (gint64 left = exponent.num; left > 0;) {
        if (left % 2 == 1 && !ps_rational_mul(product, base, &product))
            return TOO_LARGE;
        left /= 2;
        if (left > 0 && !ps_rational_mul(base, base, &base))
            return TOO_LARGE;
    }
    *result = product;
    return GOOD;
}

/* The logarithm of 2^k, for any integer k. */
static Outcome logarithm(PsRational a, PsRational *result)
{
    gint64 more = a.num, less = a.den, k = 0;
    for (; more > 1 && more % 2 == 0; more /= 2)
        k++;
    for (; less > 1 && less % 2 == 0; less /= 2)
        k--;
    *result = PS_RATIONAL_INT(k);
    return more == 1 && less == 1 ? GOOD : BAD_LOGARITHM;
}

static Outcome apply(PsExprOp op, PsRational a, PsRational b, PsRational *result)
{
    switch (op) {
    case PS_EXPR_NEGATE:
        return fits(ps_rational_sub(PS_RATIONAL_INT(0), a, result));
    case PS_EXPR_ADD:
        return fits(ps_rational_add(a, b, result));
    case PS_EXPR_SUBTRACT:
        return fits(ps_rational_sub(a, b, result));
    case PS_EXPR_MULTIPLY:
        return fits(ps_rational_mul(a, b, result));
    case PS_EXPR_DIVIDE:
        return b.num == 0 ? ZERO_DIVISOR : fits(ps_rational_div(a, b, result));
    case PS_EXPR_MODULO:
        return modulo(a, b, result);
    case PS_EXPR_POWER:
        return power(a, b, result);
    case PS_EXPR_CEIL:
        *result = PS_RATIONAL_INT(ps_rational_ceil(a));
        return GOOD;
    case PS_EXPR_FLOOR:
        *result = PS_RATIONAL_INT(ps_rational_floor(a));
        return GOOD;
    case PS_EXPR_LOG2:
        return logarithm(a, result);
    case PS_EXPR_MIN:
        *result = ps_rational_cmp(a, b) <= 0 ? a : b;
        return GOOD;
    case PS_EXPR_MAX:
        *result = ps_rational_cmp(a, b) >= 0 ? a : b;
        return GOOD;
    case PS_EXPR_NUMBER:
    case PS_EXPR_NAME:
        break;
    }
    g_assert_not_reached();
}

/* The operation with its values: "2 ^ 70". Only operations that can fail have a spelling. */
static char *spell(PsExprOp op, PsRational a, PsRational b)
{
    static const char *const symbols[] = {
        [PS_EXPR_ADD] = "+",    [PS_EXPR_SUBTRACT] = "-", [PS_EXPR_MULTIPLY] = "*",
        [PS_EXPR_DIVIDE] = "/", [PS_EXPR_MODULO] = "%",   [PS_EXPR_POWER] = "^",
    };
    g_autofree char *left = ps_rational_format(a);
    g_autofree char *right = ps_rational_format(b);
    if (op == PS_EXPR_NEGATE)
        return g_strdup_printf("-(%s)", left);
    if (op == PS_EXPR_LOG2)
        return g_strdup_printf("log2(%s)", left);
    return g_strdup_printf("%s %s %s", left, symbols[op], right);
}

static void report(const PsExpr *expr, PsPlace place, char *operation, Outcome outcome,
                   GError **error)
{
    static const char *const reasons[] = {
        [TOO_LARGE] = "does not fit in 64 bits",
        [ZERO_DIVISOR] = "divides by zero",
        [BAD_POWER] = "has an exponent that is no whole number of at least 0",
        [BAD_LOGARITHM] = "is no whole number (log2 takes powers of two)",
    };
    g_autofree char *quoted = quote(expr->text);
    g_autofree char *owned = operation;
    ps_error_at(error, PS_ERROR_VALUE, place, "%s: %s %s", quoted, owned, reasons[outcome]);
}

static void report_unknown(const PsExpr *expr, const char *name, const PsScope *scope,
                           PsPlace place, GError **error)
{
    g_autofree char *quoted = quote(expr->text);
    g_autofree char *known = ps_scope_describe(scope);
    g_autoptr(GPtrArray) names = ps_scope_names(scope);
    g_autofree char *near = ps_did_you_mean(name, names);
    ps_error_at(error, PS_ERROR_VALUE, place, "%s: there is no parameter \"%s\"; known here: %s%s",
                quoted, name, known, near);
}

gboolean ps_expr_eval(const PsExpr *expr, const PsScope *scope, PsPlace place, PsRational *value,
                      GError **error)
{
    g_autofree PsRational *values = g_new0(PsRational, expr->nodes->len);
    for (guint i = 0; i < expr->nodes->len; i++) {
        const PsExprNode *node = &g_array_index(expr->nodes, PsExprNode, i);
        if (node->op == PS_EXPR_NUMBER) {
            values[i] = node->number;
        } else if (node->op == PS_EXPR_NAME) {
            const char *name = g_ptr_array_index(expr->names, node->a);
            if (!ps_scope_get(scope, name, &values[i])) {
                report_unknown(expr, name, scope, place, error);
                return FALSE;
            }
        } else {
            PsRational a = values[node->a], b = values[node->b];
            Outcome outcome = apply(node->op, a, b, &values[i]);
            if (outcome != GOOD) {
                report(expr, place, spell(node->op, a, b), outcome, error);
                return FALSE;
            }
        }
    }
    *value = values[expr->nodes->len - 1];
    return TRUE;
}

gboolean ps_expr_eval_int(const PsExpr *expr, const PsScope *scope, PsPlace place,
                          const PsIntRange *range, gint64 *value, GError **error)
{
    PsRational exact;
    if (!ps_expr_eval(expr, scope, place, &exact, error))
        return FALSE;
    if (ps_rational_is_int(exact) && exact.num >= range->min && exact.num <= range->max) {
        *value = exact.num;
        return TRUE;
    }
    g_autofree char *quoted = quote(expr->text);
    g_autofree char *text = ps_rational_format(exact);
    if (!ps_rational_is_int(exact))
        ps_error_at(error, PS_ERROR_VALUE, place, "the %s %s is %s; it must be a whole number%s",
                    range->what, quoted, text,
                    strchr(expr->text, '/') ? "; write floor(A/B) or ceil(A/B), which round" : "");
    else if (exact.num < range->min)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the %s %s is %s; it must be at least %" G_GINT64_FORMAT, range->what, quoted,
                    text, range->min);
    else
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the %s %s is %s; it must be at most %" G_GINT64_FORMAT, range->what, quoted,
                    text, range->max);
    return FALSE;
}
