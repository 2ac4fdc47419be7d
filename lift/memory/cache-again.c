/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the sectors that a group has not loaded before in the same loop.
 *
 * What another loop loaded before is fresh here: a tile in local memory is filled by the loop that
 * reads it, and a loop before has filled none. The loop that loads first is served by what the
 * group's lines note anyway (PsLineUse, loaded), so that kernels of one loop pay nothing.
 */
#include "lift/memory/cache-private.h"

/* Sectors that one loop has loaded. */
typedef struct {
    guint loop;
    PsLines lines;
    GArray *sectors; /* guint8, by line number */
} Loaded;

static void loaded_free(void *data)
{
    Loaded *loaded = data;
    ps_lines_clear(&loaded->lines);
    g_array_unref(loaded->sectors);
    g_free(loaded);
}

GPtrArray *ps_again_new(void)
{
    return g_ptr_array_new_with_free_func(loaded_free);
}

static Loaded *loaded_in(GPtrArray *again, guint loop)
{
    for (guint i = 0; i < again->len; i++)
        if (((const Loaded *)again->pdata[i])->loop == loop)
            return again->pdata[i];
    Loaded *fresh = g_new0(Loaded, 1);
    fresh->loop = loop;
    fresh->sectors = g_array_new(FALSE, TRUE, sizeof(guint8));
    g_ptr_array_add(again, fresh);
    return fresh;
}

guint ps_again_fresh(GPtrArray *again, guint loop, PsTouch touch)
{
    Loaded *loaded = loaded_in(again, loop);
    guint number = ps_lines_find(&loaded->lines, touch.line);
    if (number == PS_NO_LINE) {
        number = ps_lines_add(&loaded->lines, touch.line);
        g_array_set_size(loaded->sectors, number + 1);
    }
    guint8 *sectors = &g_array_index(loaded->sectors, guint8, number);
    const guint fresh = touch.sectors & ~(guint)*sectors;
    *sectors |= (guint8)touch.sectors;
    return fresh;
}
