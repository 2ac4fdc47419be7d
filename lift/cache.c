/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cache of lines whose sectors come one by one. It is fully associative, since it is not public
 * which sets a GPU's caches have. The lines are a ring, from the one used last to the next one to
 * be replaced.
 */
#include "lift/cache.h"

typedef struct {
    guint sectors;
    guint32 newer, older;
} Entry;

struct PsCache {
    guint most; /* lines */
    PsLines lines;
    GArray *entries; /* Entry, by number of the line */
    guint32 newest;
};

PsCache *ps_cache_new(guint64 bytes)
{
    PsCache *cache = g_new0(PsCache, 1);
    cache->most = (guint)CLAMP(bytes / PS_LINE, 1, G_MAXINT32);
    cache->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    return cache;
}

void ps_cache_free(PsCache *cache)
{
    if (!cache)
        return;
    ps_lines_clear(&cache->lines);
    g_array_unref(cache->entries);
    g_free(cache);
}

static Entry *entry_of(PsCache *cache, guint32 number)
{
    return &g_array_index(cache->entries, Entry, number);
}

/* Makes a line that is not in the ring its newest one. */
static void make_newest(PsCache *cache, guint32 number)
{
    Entry *entry = entry_of(cache, number);
    if (cache->entries->len == 1) {
        entry->newer = entry->older = number;
    } else {
        Entry *newest = entry_of(cache, cache->newest);
        guint32 oldest = newest->newer;
        entry->older = cache->newest;
        entry->newer = oldest;
        newest->newer = number;
        entry_of(cache, oldest)->older = number;
    }
    cache->newest = number;
}

static void use(PsCache *cache, guint32 number)
{
    if (cache->newest == number)
        return;
    Entry *entry = entry_of(cache, number);
    entry_of(cache, entry->newer)->older = entry->older;
    entry_of(cache, entry->older)->newer = entry->newer;
    make_newest(cache, number);
}

guint ps_cache_look(PsCache *cache, guint64 line)
{
    guint number = ps_lines_find(&cache->lines, line);
    return number == PS_NO_LINE ? 0 : entry_of(cache, number)->sectors;
}

static guint32 add_line(PsCache *cache, guint64 line)
{
    if (cache->lines.n == cache->most) {
        guint32 oldest = entry_of(cache, cache->newest)->newer;
        ps_lines_replace(&cache->lines, oldest, line);
        entry_of(cache, oldest)->sectors = 0;
        cache->newest = oldest; /* turns the ring by one: its oldest line becomes the newest */
        return oldest;
    }
    Entry entry = {0};
    guint32 number = ps_lines_add(&cache->lines, line);
    g_array_append_val(cache->entries, entry);
    make_newest(cache, number);
    return number;
}

guint ps_cache_bring(PsCache *cache, PsTouch touch)
{
    guint number = ps_lines_find(&cache->lines, touch.line);
    if (number == PS_NO_LINE)
        number = add_line(cache, touch.line);
    else
        use(cache, number);
    Entry *entry = entry_of(cache, number);
    guint missing = touch.sectors & ~entry->sectors;
    entry->sectors |= touch.sectors;
    return missing;
}

void ps_cache_drop(PsCache *cache, PsTouch touch)
{
    guint number = ps_lines_find(&cache->lines, touch.line);
    if (number != PS_NO_LINE)
        entry_of(cache, number)->sectors &= ~touch.sectors;
}
