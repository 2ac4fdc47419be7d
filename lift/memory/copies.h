/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of which an assembler lays out several iterations at once. Their loads are issued one
 * behind the other: first the loads of all iterations that wait for nothing, then those that wait
 * for these.
 */
#ifndef PIPESIM_LIFT_MEMORY_COPIES_H
#define PIPESIM_LIFT_MEMORY_COPIES_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

#define PS_COPIES_MOST 4 /* iterations at once */

/* A point of such a loop. loop: PS_PTX_NOWHERE if its requests come in the code's own order;
 * at_once: iterations; wave: the most loads in a row for which it waits. */
typedef struct {
    guint loop, point, at_once, wave;
} PsCopy;

/* By point of the code. unrolled: per loop, iterations at once, or 0. A loop stays as it is if
 * something may write what the next iteration's loads read, or if these need a load of the
 * iteration before. Free with g_free. */
PsCopy *ps_copies_new(const PsPtxCode *code, const guint *unrolled);

G_END_DECLS
#endif
