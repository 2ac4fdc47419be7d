/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States what nodes compute if their class does not: operations that take several instructions, and
 * conversions. A graph has it in `op`, `part` and `by`.
 */
#ifndef PIPESIM_LIFT_VALUES_OPERATION_H
#define PIPESIM_LIFT_VALUES_OPERATION_H

#include "lift/values/symbol.h"

G_BEGIN_DECLS

/* The operations of a sequence's spots. */
typedef struct PsOperationTable PsOperationTable;

/* What it is made of is borrowed. */
PsOperationTable *ps_operation_table_new(const PsSymbols *symbols, const PsSpots *spots);
void ps_operation_table_free(PsOperationTable *table);

/* The name of the spot with the result of the recognised operation that a spot belongs to, borrowed
 * of the spots; NULL: it belongs to none. */
const char *ps_operation_table_whole(const PsOperationTable *table, guint spot);

/* Whether a spot belongs to a recognised operation on whole numbers: a division, of 64 bits. */
gboolean ps_operation_table_is_of_integers(const PsOperationTable *table, guint spot);

/* States what a spot's node computes; for several nodes, the one with the result has it. */
void ps_operation_table_state(const PsOperationTable *table, guint spot, PsIdgItem *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsOperationTable, ps_operation_table_free)

G_END_DECLS
#endif
