/* SPDX-License-Identifier: BSD-3-Clause */
/* See replay.h: the cache is that which graphs of executed code are made with. */
#include "tests/help/replay.h"

#include "lift/memory/cache.h"

gint64 replay_missed(const GArray *sectors, gint64 bytes)
{
    PsCache *cache = ps_cache_new((guint64)bytes, 0);
    gint64 missed = 0;
    g_assert(REPLAY_SECTOR == PS_SECTOR && REPLAY_LINE == PS_LINE);
    for (guint i = 0; i < sectors->len; i++) {
        const guint32 sector = g_array_index(sectors, guint32, i);
        const PsTouch touch = {.line = sector / PS_LINE_SECTORS,
                               .sectors = 1U << sector % PS_LINE_SECTORS};
        missed += ps_cache_bring(cache, touch, NULL) != 0;
    }
    ps_cache_free(cache);
    return missed;
}
