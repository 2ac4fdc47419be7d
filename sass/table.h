/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What machine instructions do, in PTX: each opcode once, with its operands, its class and how the
 * compiler waits for its result. table.c explains how rows are written.
 */
#ifndef PIPESIM_SASS_TABLE_H
#define PIPESIM_SASS_TABLE_H

#include "sass/operand.h"
#include "sass/sass.h"

G_BEGIN_DECLS

struct PsSassRow {
    const char *opcode; /* with the modifiers that this row is for */
    const char *shape;  /* a letter for each operand */
    const char *text;   /* PTX */
    const char *class;  /* of graphs; NULL: that of its access to memory, or of its product */
};

#define PS_SASS_MOST_OPERANDS 12

/* The row of an instruction with such operands, the first that fits, and which of them each letter
 * of its shape stands for; NULL: nobody knows it. The parts are the opcode and its modifiers, NULL
 * at the end. */
const PsSassRow *ps_sass_row(char *const *parts, const GArray *operands,
                             guint at[PS_SASS_MOST_OPERANDS]);

G_END_DECLS
#endif
