/* SPDX-License-Identifier: BSD-3-Clause */
/* See merge.h. */
#include "sweep/merge.h"

#include "base/hearer.h"
#include "base/usage.h"
#include "sweep/part.h"

#include <string.h>

/* ---- the parts ----------------------------------------------------------------------------- */

/* Parts in order of their shards; parts without a row, whose shard is unknown, at the end. */
static int by_shard(const void *a, const void *b)
{
    const PsSweepPart *one = *(PsSweepPart *const *)a, *other = *(PsSweepPart *const *)b;
    const guint x = one->is_over ? G_MAXUINT : one->row.shard;
    const guint y = other->is_over ? G_MAXUINT : other->row.shard;
    return (x > y) - (x < y);
}

static GPtrArray *open_parts(const PsSweepMerge *merge, GError **error)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_part_free);
    for (guint i = 0; merge->files[i]; i++) {
        PsSweepPart *part = ps_sweep_part_open(merge->files[i], merge->prefix, error);
        if (!part)
            return NULL;
        g_ptr_array_add(parts, part);
    }
    g_ptr_array_sort(parts, by_shard);
    return g_steal_pointer(&parts);
}

static gboolean check_same(const PsSweepPart *first, const PsSweepPart *part, GError **error)
{
    if (strcmp(first->header, part->header) != 0)
        return ps_value_error(error,
                              "%s and %s are parts of different sweeps: their columns differ",
                              first->path, part->path);
    if (part->is_over)
        return TRUE;
    if (strcmp(first->id, part->id) != 0 || first->row.points != part->row.points)
        return ps_value_error(
            error,
            "%s and %s are parts of different sweeps: of other options, files or another "
            "version of pipesim",
            first->path, part->path);
    return first->row.shards == part->row.shards ||
           ps_value_error(error, "%s is one of %u shards, and %s one of %u", first->path,
                          first->row.shards, part->path, part->row.shards);
}

static gboolean is_missing(const PsSweepPart *first, guint shard, const PsSweepPart *empty,
                           GError **error)
{
    return ps_value_error(error, "shard %u/%u is missing among the parts%s%s%s", shard,
                          first->row.shards, empty ? "; " : "", empty ? empty->path : "",
                          empty ? " has no point: was it cut off?" : "");
}

/* Checks that the parts are all shards of one sweep. A shard beyond the last point has no rows, and
 * may be missing. */
static gboolean check_parts(const GPtrArray *parts, GError **error)
{
    const PsSweepPart *first = parts->pdata[0], *last = parts->pdata[parts->len - 1];
    if (first->is_over)
        return ps_value_error(error, "%s: there is no point in %s", first->path,
                              parts->len > 1 ? "this part, nor in any other" : "this part");
    const guint needed = MIN(first->row.shards, first->row.points);
    for (guint i = 0; i < parts->len; i++) {
        const PsSweepPart *part = parts->pdata[i];
        if (!check_same(first, part, error))
            return FALSE;
        if (part->is_over && i < needed)
            return is_missing(first, i + 1, last, error);
        if (!part->is_over && part->row.shard <= i)
            return ps_value_error(error, "%s and %s are both shard %u/%u",
                                  ((const PsSweepPart *)parts->pdata[i - 1])->path, part->path,
                                  part->row.shard, part->row.shards);
        if (!part->is_over && part->row.shard != i + 1)
            return is_missing(first, i + 1, last->is_over ? last : NULL, error);
    }
    return parts->len >= needed || is_missing(first, parts->len + 1, NULL, error);
}

/* ---- the points ---------------------------------------------------------------------------- */

static gboolean check_point(const PsSweepPart *part, guint point, guint points, GError **error)
{
    if (part->is_over)
        return ps_value_error(
            error,
            "%s: the part is cut off before point %u of %u: run its sweep again with "
            "%sresume",
            part->path, point, points, part->prefix);
    return part->row.point == point ||
           ps_value_error(error, "%s:%u: this is point %u, and point %u is due", part->path,
                          part->reader.line, part->row.point, point);
}

static gboolean put_line(const PsSweepMerge *merge, const char *text, GError **error)
{
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    return merge->put(line, merge->data, error);
}

static gboolean say_progress(const PsSweepMerge *merge, guint done, guint of, gint64 since,
                             GError **error)
{
    const PsProgress progress = {PS_PHASE_POINTS, done, of, (double)done / of, since};
    return ps_hearer_tell(&merge->hearer, &progress, error);
}

static gboolean put_points(const PsSweepMerge *merge, const GPtrArray *parts, GError **error)
{
    const PsSweepPart *first = parts->pdata[0];
    const guint points = first->row.points, shards = first->row.shards;
    const gint64 since = g_get_monotonic_time();
    if (!put_line(merge, first->header, error))
        return FALSE;
    for (guint point = 1; point <= points; point++) {
        PsSweepPart *part = parts->pdata[(point - 1) % shards];
        if (!check_point(part, point, points, error) || !put_line(merge, part->text->str, error) ||
            !ps_sweep_part_next(part, error) || !say_progress(merge, point, points, since, error))
            return FALSE;
    }
    for (guint i = 0; i < parts->len; i++) {
        const PsSweepPart *part = parts->pdata[i];
        if (!part->is_over)
            return ps_value_error(error, "%s:%u: point %u is there twice", part->path,
                                  part->reader.line, part->row.point);
    }
    return TRUE;
}

gboolean ps_sweep_merge(const PsSweepMerge *merge, GError **error)
{
    g_autoptr(GPtrArray) parts = open_parts(merge, error);
    return parts && check_parts(parts, error) && merge->begin(merge->data, error) &&
           put_points(merge, parts, error);
}
