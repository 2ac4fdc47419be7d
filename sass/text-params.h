/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the parameters of a kernel whose code alone is known. */
#ifndef PIPESIM_SASS_TEXT_PARAMS_H
#define PIPESIM_SASS_TEXT_PARAMS_H

#include "sass/image.h"

/* The code's reads of constant bank 0, a row for each word of 32 bits. */
typedef struct {
    guint first;     /* the offset of the first parameter */
    GArray *words;   /* guint8, PsTextWord bits; by offset / 4 */
    GArray *targets; /* int, by offset / 4: the register that a move put it into; -1: none */
} PsTextParams;

void ps_text_params_init(PsTextParams *params, guint architecture);
void ps_text_params_clear(PsTextParams *params);

/* An instruction as it is listed, "IMAD.WIDE R2, R0, R3, c[0x0][0x160]". */
void ps_text_params_add(PsTextParams *params, const char *instruction);

/* PsSassParam, in order: 8 bytes if the code reads a pair as one number or address, else 4. Unread
 * words between them are parameters, too, except a word that fills up to a pair (g_array_unref). */
GArray *ps_text_params_list(const PsTextParams *params);

#endif
