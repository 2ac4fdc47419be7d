/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cache of lines whose sectors come one by one. It is fully associative, since it is not public
 * which sets a GPU's caches have. The lines are a ring, from the one used last to the next one to
 * be replaced. Some of those that were used last are near: a smaller cache would have what they got
 * since they came near.
 */
#include "lift/memory/cache.h"

typedef struct {
    guint8 sectors;
    guint8 near;    /* sectors that a cache of the near lines alone would hold */
    guint8 written; /* sectors that nothing behind the cache has */
    gboolean is_near;
    guint32 writer; /* writer of these */
    guint32 newer, older;
} Entry;

struct PsCache {
    guint most;              /* lines */
    guint most_near, n_near; /* lines that are near; 0: none */
    PsLines lines;
    GArray *entries;          /* Entry, by line number */
    guint32 newest, farthest; /* farthest: the oldest near line */
    PsLeaving leaving;
};

PsCache *ps_cache_new(guint64 bytes, guint64 near)
{
    PsCache *cache = g_new0(PsCache, 1);
    cache->most = (guint)CLAMP(bytes / PS_LINE, 1, G_MAXINT32);
    if (near > 0 && near < bytes)
        cache->most_near = (guint)MIN(MAX(near / PS_LINE, 1), cache->most - 1);
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

/* Makes a line outside of the ring its newest one. */
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

/* The newest line becomes near; if too many are, the farthest ceases to be. */
static void come_near(PsCache *cache)
{
    Entry *entry = entry_of(cache, cache->newest);
    if (cache->most_near == 0 || entry->is_near)
        return;
    entry->is_near = TRUE;
    if (cache->n_near++ == 0)
        cache->farthest = cache->newest;
    if (cache->n_near <= cache->most_near)
        return;
    Entry *farthest = entry_of(cache, cache->farthest);
    farthest->is_near = FALSE;
    farthest->near = 0;
    cache->farthest = farthest->newer;
    cache->n_near--;
}

static void use(PsCache *cache, guint32 number)
{
    if (cache->newest == number)
        return;
    Entry *entry = entry_of(cache, number);
    if (entry->is_near && cache->farthest == number)
        cache->farthest = entry->newer;
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
        Entry *entry = entry_of(cache, oldest);
        if (entry->written)
            cache->leaving = (PsLeaving){.line = cache->lines.lines[oldest],
                                         .sectors = entry->written,
                                         .writer = entry->writer};
        ps_lines_replace(&cache->lines, oldest, line);
        entry->sectors = entry->written = 0;
        cache->newest = oldest; /* turns the ring by one: its oldest line becomes the newest */
        return oldest;
    }
    Entry entry = {0};
    guint32 number = ps_lines_add(&cache->lines, line);
    g_array_append_val(cache->entries, entry);
    make_newest(cache, number);
    return number;
}

guint ps_cache_bring(PsCache *cache, PsTouch touch, guint *crowded)
{
    guint number = ps_lines_find(&cache->lines, touch.line);
    if (number == PS_NO_LINE)
        number = add_line(cache, touch.line);
    else
        use(cache, number);
    come_near(cache);
    Entry *entry = entry_of(cache, number);
    const guint missing = touch.sectors & ~(guint)entry->sectors;
    if (crowded)
        *crowded = touch.sectors & entry->sectors & ~(guint)entry->near;
    entry->sectors |= (guint8)touch.sectors;
    entry->near |= (guint8)touch.sectors;
    return missing;
}

void ps_cache_drop(PsCache *cache, PsTouch touch)
{
    guint number = ps_lines_find(&cache->lines, touch.line);
    if (number != PS_NO_LINE)
        entry_of(cache, number)->sectors &= (guint8)~touch.sectors;
}

void ps_cache_write(PsCache *cache, PsTouch touch, guint writer)
{
    const guint number = ps_lines_find(&cache->lines, touch.line);
    if (number == PS_NO_LINE)
        return;
    Entry *entry = entry_of(cache, number);
    entry->written |= (guint8)touch.sectors & entry->sectors;
    entry->writer = writer;
}

void ps_cache_give_up(PsCache *cache, PsTouch touch)
{
    const guint number = ps_lines_find(&cache->lines, touch.line);
    if (number == PS_NO_LINE)
        return;
    Entry *entry = entry_of(cache, number);
    entry->sectors &= (guint8)~touch.sectors;
    entry->written &= entry->sectors;
    if (entry->sectors != 0)
        return;
    use(cache, number);
    cache->newest =
        entry->older; /* turns the ring back by one: its newest line becomes the oldest */
}

PsLeaving ps_cache_take_leaving(PsCache *cache)
{
    const PsLeaving leaving = cache->leaving;
    cache->leaving = (PsLeaving){0};
    return leaving;
}
