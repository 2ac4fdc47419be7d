/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for many small things that go together, in blocks.
 */
#ifndef PIPESIM_PTX_ARENA_H
#define PIPESIM_PTX_ARENA_H

#include <glib.h>

typedef struct PsPtxArena PsPtxArena;

PsPtxArena *ps_ptx_arena_new(void);
void ps_ptx_arena_free(PsPtxArena *arena);

/* Allocates so many bytes, all 0, aligned for any type. */
gpointer ps_ptx_arena_get(PsPtxArena *arena, gsize bytes);

#endif
