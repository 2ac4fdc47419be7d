/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values as expressions of the kernel's arguments and the launch: registers that are computed from
 * these alone, and from them how often loops run.
 */
#ifndef PIPESIM_LIFT_SYMBOL_H
#define PIPESIM_LIFT_SYMBOL_H

#include "lift/spots.h"

G_BEGIN_DECLS

typedef struct {
    const PsFacts *facts;
    const PsBuildOptions *options;
    PsScope *scope;   /* values of the arguments that are numbers, by name */
    GHashTable *used; /* of these names, those that an expression has; borrowed names */
} PsSymbols;

/* Names and values of arguments that are integers and whose names can be parameters. */
PsSymbols *ps_symbols_new(const PsBuildOptions *options);
void ps_symbols_free(PsSymbols *symbols);

/* How often a loop's spot runs: an expression that comes out as often as it ran, or that number. */
PsExpr *ps_symbols_trips(PsSymbols *symbols, const PsSpots *spots, guint loop);

/* The text as an expression that comes out as value under the launch, and marks what it uses, else
 * value as a number. text may be NULL. */
PsExpr *ps_symbols_expression(PsSymbols *symbols, const char *text, gint64 value);

/* Names that expressions use, as parameters of the graph. */
void ps_symbols_add_params(const PsSymbols *symbols, PsIdg *idg);

PsExpr *ps_number_expr(gint64 value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSymbols, ps_symbols_free)

/* ---- between symbol.c and trips.c -------------------------------------------------------------
 */

/* A value: its text, and what that is under the launch. text NULL: not known. */
typedef struct {
    char *text;
    gint64 value;
    gboolean sum;      /* brackets are needed around it in a product */
    gboolean constant; /* text is the number alone */
} PsSymbol;

void ps_symbol_clear(PsSymbol *symbol);
PsSymbol ps_symbol_number(gint64 value);
/* Both are taken. op is + - * / (exact) d (rounded down) c (rounded up) % */
PsSymbol ps_symbol_combine(char op, PsSymbol a, PsSymbol b);

/* Of an operand; writers of registers in that loop are left aside (PS_PTX_NOWHERE: of none). */
PsSymbol ps_symbol_of_operand(const PsSymbols *symbols, guint point, guint operand, guint outside);
PsSymbol ps_symbol_of_register(const PsSymbols *symbols, guint reg, guint outside);

G_END_DECLS
#endif
