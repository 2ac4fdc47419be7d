/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a buffer holds before a kernel runs: zero:BYTES, ramp:BYTES[:TYPE],
 * random:BYTES[:SEED[:TYPE[:BELOW]]], or @FILE. PTX does not say of what type a buffer's elements
 * are, so the text does; f32 where it does not.
 */
#ifndef PIPESIM_LAUNCH_FILL_H
#define PIPESIM_LAUNCH_FILL_H

#include "idg/expr.h"
#include "ptx/run/launch.h"

/* TRUE if the text speaks of a buffer, and of no number. */
gboolean ps_fill_is(const char *text);

/* The bytes (g_free), zero of them allowed. BYTES may be an expression over the names of scope.
 * NULL and *error (`what` stands before the message), also where there is not so much memory. */
guint8 *ps_fill_make(const char *what, const char *text, const PsScope *scope, gsize *size,
                     GError **error);

/* The same, but that *blocks (NULL, or for ps_blocks_free) says which bytes are not there yet. */
guint8 *ps_fill_make_later(const char *what, const char *text, const PsScope *scope, gsize *size,
                           PsPtxBlocks **blocks, GError **error);

/* Whether it is a type of fractions, and a number's bits in such a type, rounded to the nearest. */
gboolean ps_fill_is_float(PsPtxType type);
guint64 ps_fill_float_bits(double value, PsPtxType type);

/* A number as a value of that type: 2.5, -3, 0x10. *bits gets as many bytes as the type has. FALSE
 * and *error for what is none, or does not fit. */
gboolean ps_fill_number(const char *what, const char *text, PsPtxType type, guint64 *bits,
                        GError **error);

#endif
