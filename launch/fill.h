/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of a buffer before a kernel runs: zero:BYTES, ramp:BYTES[:TYPE],
 * random:BYTES[:SEED[:TYPE[:BELOW]]], or @FILE. PTX does not state the type of a buffer's elements,
 * so the text does; f32 if it does not.
 */
#ifndef PIPESIM_LAUNCH_FILL_H
#define PIPESIM_LAUNCH_FILL_H

#include "idg/expr.h"
#include "ptx/run/launch.h"

/* TRUE if the text describes a buffer and not a number. */
gboolean ps_fill_is(const char *text);

/* The bytes (g_free), zero of them allowed. BYTES may be an expression over the names of scope.
 * NULL and *error (`what` stands before the message), also if there is not enough memory. */
guint8 *ps_fill_make(const char *what, const char *text, const PsScope *scope, gsize *size,
                     GError **error);

/* Whether the text can be right, with any names in its size. FALSE and *error as from
 * ps_fill_make_later. */
gboolean ps_fill_check(const char *what, const char *text, GError **error);

/* The same for ps_fill_free, but *blocks says which bytes are not there yet; NULL: all are. */
guint8 *ps_fill_make_later(const char *what, const char *text, const PsScope *scope, gsize *size,
                           PsPtxBlocks **blocks, GError **error);
void ps_fill_free(guint8 *data, PsPtxBlocks *blocks);

#endif
