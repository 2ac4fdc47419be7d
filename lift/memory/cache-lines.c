/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of cache lines: a hash table with chains and numbered entries, so that facts about each
 * line can stand in an array by that number; and the buffer that contains a line.
 */
#include "lift/memory/cache.h"

static guint bucket_of(const PsLines *lines, guint64 line)
{
    return (guint)((line * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> 32) & (lines->n_heads - 1);
}

guint ps_lines_find(const PsLines *lines, guint64 line)
{
    if (lines->n == 0)
        return PS_NO_LINE;
    guint32 at = lines->heads[bucket_of(lines, line)];
    while (at != PS_NO_LINE && lines->lines[at] != line)
        at = lines->next[at];
    return at;
}

static void link_in(PsLines *lines, guint number)
{
    guint32 *head = &lines->heads[bucket_of(lines, lines->lines[number])];
    lines->next[number] = *head;
    *head = number;
}

static void grow(PsLines *lines)
{
    lines->allocated = MAX(64, lines->allocated * 2);
    lines->lines = g_renew(guint64, lines->lines, lines->allocated);
    lines->next = g_renew(guint32, lines->next, lines->allocated);
    lines->n_heads = lines->allocated;
    lines->heads = g_renew(guint32, lines->heads, lines->n_heads);
    for (guint i = 0; i < lines->n_heads; i++)
        lines->heads[i] = PS_NO_LINE;
    for (guint i = 0; i < lines->n; i++)
        link_in(lines, i);
}

guint ps_lines_add(PsLines *lines, guint64 line)
{
    if (lines->n == lines->allocated)
        grow(lines);
    lines->lines[lines->n] = line;
    link_in(lines, lines->n);
    return lines->n++;
}

void ps_lines_replace(PsLines *lines, guint number, guint64 line)
{
    guint32 *link = &lines->heads[bucket_of(lines, lines->lines[number])];
    while (*link != number)
        link = &lines->next[*link];
    *link = lines->next[number];
    lines->lines[number] = line;
    link_in(lines, number);
}

void ps_lines_clear(PsLines *lines)
{
    g_free(lines->lines);
    g_free(lines->next);
    g_free(lines->heads);
    *lines = (PsLines){0};
}

guint ps_extent_at(const PsPatternRules *rules, guint64 line)
{
    guint from = 0, to = rules->n_extents;
    while (from < to) {
        const guint middle = (from + to) / 2;
        const PsPtxExtent *extent = &rules->extents[middle];
        if (line < extent->address / PS_LINE)
            to = middle;
        else if (line > (extent->address + MAX(extent->size, 1) - 1) / PS_LINE)
            from = middle + 1;
        else
            return middle;
    }
    return rules->n_extents;
}
