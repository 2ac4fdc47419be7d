/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the accesses to memory that have to keep their order: those that may touch the same place,
 * one of them a store, as far as the code shows. The execution would show more, but the assembler
 * does not know that.
 */
#ifndef PIPESIM_LIFT_RULES_SCHEDULE_MEMORY_H
#define PIPESIM_LIFT_RULES_SCHEDULE_MEMORY_H

#include "lift/values/spots.h"

G_BEGIN_DECLS

typedef struct {
    guint spot;
    PsPtxSpace space;
    gboolean writes;
    gboolean barrier;  /* no access itself: it keeps its order to all of them */
    gboolean constant; /* of memory that is never written: .nc, .const, parameters */
    gboolean ordered;  /* volatile or atomic: it keeps its order to all accesses of its space */
    guint base;    /* register to which the address adds an offset; PS_PTX_NOWHERE: the address is a
                      constant */
    guint version; /* how often that register was written before in the block */
    gint64 offset;
    guint bytes; /* 0: not known */
} PsMemoryUse;

typedef struct {
    const PsSpots *spots;
    GArray *uses;         /* PsMemoryUse: accesses of the present block */
    GHashTable *versions; /* register -> how often it was written in the block, */
    GHashTable *moved;    /* ... without the constants that were added to it -> their sum, gint64 */
} PsMemoryUses;

PsMemoryUses *ps_memory_uses_new(const PsSpots *spots);
void ps_memory_uses_free(PsMemoryUses *uses);

/* Begins a block; goes on to the next spot of it. */
void ps_memory_uses_clear(PsMemoryUses *uses);
void ps_memory_uses_add(PsMemoryUses *uses, guint spot);

static inline const PsMemoryUse *ps_memory_use(const PsMemoryUses *uses, guint i)
{
    return &g_array_index(uses->uses, PsMemoryUse, i);
}

gboolean ps_memory_keeps_order(const PsMemoryUses *uses, guint first, guint second);

G_END_DECLS
#endif
