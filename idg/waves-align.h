/* SPDX-License-Identifier: BSD-3-Clause */
/* Which items of two bodies are the same instruction, which their nodes' names do not say. Internal
 * to idg/. */
#ifndef PIPESIM_IDG_WAVES_ALIGN_H
#define PIPESIM_IDG_WAVES_ALIGN_H

#include "idg/idg.h"

/* One item of a body that both have, or one of one of them: the other is NULL. */
typedef struct {
    const PsIdgItem *item[2];
} PsItemPair;

/* The items of both in an order that each of them has, with as many of both as there can be; of
 * barriers above all. PsItemPair; the array belongs to the caller (g_array_unref). NULL where the
 * bodies are too long for that. */
GArray *ps_waves_align(const GPtrArray *a, const GPtrArray *b);

#endif
