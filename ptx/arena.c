/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An arena: blocks from which pieces are cut off at the front. The first block is small, since most
 * modules are; a piece larger than a quarter of a block gets a block of its own.
 */
#include "ptx/arena.h"

#define FIRST_BLOCK ((gsize)4096)
#define LAST_BLOCK ((gsize)256 * 1024)
#define ALIGNMENT ((gsize)8)

struct PsPtxArena {
    GPtrArray *blocks;
    char *at;
    gsize left, next;
};

PsPtxArena *ps_ptx_arena_new(void)
{
    PsPtxArena *arena = g_new0(PsPtxArena, 1);
    arena->blocks = g_ptr_array_new_with_free_func(g_free);
    arena->next = FIRST_BLOCK;
    return arena;
}

void ps_ptx_arena_free(PsPtxArena *arena)
{
    if (!arena)
        return;
    g_ptr_array_unref(arena->blocks);
    g_free(arena);
}

static gpointer block(PsPtxArena *arena, gsize bytes)
{
    gpointer start = g_malloc0(bytes);
    g_ptr_array_add(arena->blocks, start);
    return start;
}

gpointer ps_ptx_arena_get(PsPtxArena *arena, gsize bytes)
{
    bytes = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (bytes > arena->left) {
        if (bytes > arena->next / 4)
            return block(arena, bytes);
        arena->at = block(arena, arena->next);
        arena->left = arena->next;
        arena->next = MIN(arena->next * 2, LAST_BLOCK);
    }
    gpointer piece = arena->at;
    arena->at += bytes;
    arena->left -= bytes;
    return piece;
}
