/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which accesses to memory have to keep their order: those that may be of the same place, of which
 * one writes, as far as the code shows. What was executed shows more, but the assembler does not
 * know that.
 */
#ifndef PIPESIM_LIFT_SCHEDULE_MEMORY_H
#define PIPESIM_LIFT_SCHEDULE_MEMORY_H

#include "lift/spots.h"

G_BEGIN_DECLS

typedef struct {
    guint spot;
    PsPtxSpace space;
    gboolean writes;
    gboolean constant; /* never written: .nc, .const, parameters */
    gboolean ordered;  /* volatile, atomic: no other access of its space passes it */
    guint base;        /* register that the address is an offset of; PS_PTX_NOWHERE: a constant */
    guint version;     /* how often that was written in the block */
    gint64 offset;
    guint bytes; /* 0: not known */
} PsMemoryUse;

typedef struct {
    const PsSpots *spots;
    GArray *uses;         /* PsMemoryUse of the block at hand */
    GHashTable *versions; /* register -> how often it was written in the block */
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
