/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values as expressions of the kernel's arguments and the launch, for registers that are computed
 * from these alone; and from such values, how often loops run.
 */
#ifndef PIPESIM_LIFT_VALUES_SYMBOL_H
#define PIPESIM_LIFT_VALUES_SYMBOL_H

#include "lift/values/spots.h"

G_BEGIN_DECLS

typedef struct {
    const PsFacts *facts;
    const PsBuildOptions *options;
    PsScope *scope;   /* values of the arguments that are numbers, by name */
    GHashTable *used; /* names that some expression uses; borrowed */
    gboolean fixed;   /* how often loops run is no expression but a number */
} PsSymbols;

/* Names and values of arguments that are integers and whose names can be parameters. */
PsSymbols *ps_symbols_new(const PsBuildOptions *options);
void ps_symbols_free(PsSymbols *symbols);

/* How often a loop runs: an expression whose value is the number of times that it ran, or that
 * number. */
PsExpr *ps_symbols_trips(PsSymbols *symbols, const PsSpots *spots, guint loop);

/* Removes the remaining iterations of unrolled loops if the number of iterations is no expression
 * and leaves none, and clears `rest` of the other loops of that kind. Call it before the walk. */
void ps_symbols_settle_rests(const PsSymbols *symbols, PsSpots *spots);

/* The text as an expression, if its value under the launch is `value`; notes the names that it
 * uses. Else, or if text is NULL, value as a number. */
PsExpr *ps_symbols_expression(PsSymbols *symbols, const char *text, gint64 value);

/* Adds the names that expressions use to the graph, as its parameters. */
void ps_symbols_add_params(const PsSymbols *symbols, PsIdg *idg);

PsExpr *ps_number_expr(gint64 value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSymbols, ps_symbols_free)

/* ---- between symbol.c and trips.c -------------------------------------------------------------
 */

/* A value: its text, and its number under the launch. text NULL: not known. */
typedef struct {
    char *text;
    gint64 value;
    gboolean sum;      /* it is a sum, which needs brackets in a product */
    gboolean constant; /* the text is just the number */
} PsSymbol;

void ps_symbol_clear(PsSymbol *symbol);
PsSymbol ps_symbol_number(gint64 value);
/* Applies an operation; takes both. op: + - * / (exact), d (division, rounded down), c (rounded
 * up), % (remainder). */
PsSymbol ps_symbol_combine(char op, PsSymbol a, PsSymbol b);

/* The value of an operand. Points in that loop that write registers are left aside, so that it is
 * the value before the loop (PS_PTX_NOWHERE: none are). */
PsSymbol ps_symbol_of_operand(const PsSymbols *symbols, guint point, guint operand, guint outside);
PsSymbol ps_symbol_of_register(const PsSymbols *symbols, guint reg, guint outside);

G_END_DECLS
#endif
