/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which items of two bodies are the same instruction, since their nodes' names do not say so.
 * Internal to idg/. */
#ifndef PIPESIM_IDG_WAVES_ALIGN_H
#define PIPESIM_IDG_WAVES_ALIGN_H

#include "idg/idg.h"

/* An item that both bodies have, or one alone: the other is then NULL. */
typedef struct {
    const PsIdgItem *item[2];
} PsItemPair;

/* The items of both bodies in an order that each of them has, with as many pairs as there can be,
 * barriers first. PsItemPair; the array belongs to the caller (g_array_unref). NULL where the
 * bodies are too long for that. */
GArray *ps_waves_align(const GPtrArray *a, const GPtrArray *b);

#endif
