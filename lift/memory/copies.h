/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of which an assembler lays out several iterations at once. Their loads are issued one
 * behind the other: first those of all iterations that wait for nothing, then those that wait for
 * these.
 */
#ifndef PIPESIM_LIFT_MEMORY_COPIES_H
#define PIPESIM_LIFT_MEMORY_COPIES_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

#define PS_COPIES_MOST 4 /* iterations at once */

/* A point of such a loop. loop: PS_PTX_NOWHERE where its requests come in the code's own order;
 * at_once: iterations; wave: how many loads in a row it waits for, at most. */
typedef struct {
    guint loop, point, at_once, wave;
} PsCopy;

/* By point of the code. unrolled: per loop, iterations at once, or 0. Loops stay as they are where
 * something may write what the next iteration's loads read, or where these need a load of the
 * iteration before. Free with g_free. */
PsCopy *ps_copies_new(const PsPtxCode *code, const guint *unrolled);

G_END_DECLS
#endif
