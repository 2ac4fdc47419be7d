/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as bits of a type of PTX. */
#ifndef PIPESIM_LAUNCH_VALUE_H
#define PIPESIM_LAUNCH_VALUE_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

/* Whether the type is one of fractions. The next one gives a number's bits in such a type, rounded
 * to the nearest. */
gboolean ps_value_is_float(PsPtxType type);
guint64 ps_value_float_bits(double value, PsPtxType type);

/* TRUE if the type tells the meaning of its bits: .b32 is an int or a float. */
gboolean ps_value_is_element(PsPtxType type);

/* The text with each whole number that has K, M or G behind it, as sizes of buffers have them, in
 * full: "-16M", "16M/block.x" (g_free). */
char *ps_value_expand(const char *text);

/* A number as a value of that type: 2.5, -3, 0x10, 16M. *bits gets as many bytes as the type has.
 * FALSE and *error if it is none, or does not fit. */
gboolean ps_value_parse(const char *what, const char *text, PsPtxType type, guint64 *bits,
                        GError **error);

G_END_DECLS
#endif
