/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What machine instructions do, as PTX: each opcode with its operands and its class. table.c
 * explains how rows are written.
 */
#ifndef PIPESIM_SASS_TABLE_H
#define PIPESIM_SASS_TABLE_H

#include "sass/operand.h"
#include "sass/sass.h"

G_BEGIN_DECLS

/* The way in which an instruction that needs a result knows that it is there. */
typedef enum {
    PS_SASS_FIXED,     /* after a time that the compiler has waited for by stall counts */
    PS_SASS_SCOREBOARD /* by a scoreboard, its own or that of a later one in the same queue */
} PsSassLatency;

struct PsSassRow {
    const char *opcode; /* opcode with the modifiers that this row is for */
    const char *shape;  /* a letter for each operand */
    const char *text;   /* PTX */
    const char *class;
}; /* class of the graph's node; NULL: the class of its memory access or
      matrix product */

/* All rows (table.c). */
extern const PsSassRow ps_sass_rows[];
extern const gsize ps_sass_n_rows;

/* TRUE for modifiers that products of warpgroups may have (product.c). */
gboolean ps_sass_is_of_product(const char *part);
/* texture.c: TRUE if the operands are those of a look-up in a texture, or an access to a surface.
 */
gboolean ps_sass_is_texture(char *const *parts, const GArray *operands);

#define PS_SASS_MOST_OPERANDS 12

/* The first row that fits an instruction with these operands; at[i] is the number of the operand
 * that letter i of its shape stands for. NULL: the instruction is not known. `parts` is the opcode
 * and its modifiers, and ends in NULL. */
const PsSassRow *ps_sass_row(char *const *parts, const GArray *operands,
                             guint at[PS_SASS_MOST_OPERANDS]);

/* The latency of an instruction with that row, in code for a compute capability (75). */
PsSassLatency ps_sass_latency(const PsSassRow *row, const char *opcode, int capability);

G_END_DECLS
#endif
