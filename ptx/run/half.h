/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of 16 bits, for atomics and immediates: IEEE half precision and bfloat16. Sums of two are
 * exact in double, so that one rounding remains.
 */
#ifndef PIPESIM_PTX_RUN_HALF_H
#define PIPESIM_PTX_RUN_HALF_H

#include <glib.h>

G_BEGIN_DECLS

double ps_ptx_from_half(guint16 bits);
double ps_ptx_from_bfloat(guint16 bits);
/* Rounded to nearest, ties to even. */
guint16 ps_ptx_to_half(double value);
guint16 ps_ptx_to_bfloat(double value);

G_END_DECLS
#endif
