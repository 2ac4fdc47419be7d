/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caches of one group after another, and what groups share.
 *
 * First level: loads that are kept there bring their sectors; other loads pass. Stores write
 * through and bring nothing; atomics are done in L2 and take their sectors out of L1. Without a
 * first level every request's sectors reach L2. Threads' own memory is kept and written back: a
 * sector that comes will leave once, and it never reaches device memory, since the groups that
 * follow use the same.
 *
 * Second level: the first of a group to read a sector fetches it from device memory, unless it
 * finds it written; sectors that are read again come from L2, unless the group alone touches more
 * than L2 holds and lost it (least recently used, as in L1). Each sector that is written reaches
 * device memory once per group, whole; atomics count as writes.
 *
 * Other groups: of the sectors that a group is the first to touch for itself, a share f is touched
 * by its neighbour in direction d, too. If every group of the launch is like that, a row of g
 * groups fetches g (1 - f) + f of what each group touches, so each accounts for 1 - f + f/g. That
 * holds as long as L2 keeps what is touched between a group and its neighbour: in x, by one group;
 * in y, by a row; in z, by a plane. An L2 of unknown size keeps all: traffic is compulsory then.
 * Directions are taken as independent.
 *
 * What groups touched is kept for those that come later, up to a number of lines in all.
 */
#include "idg/ptx/graph/cache.h"

#include <string.h>

#define MOST_LINES (1 << 22) /* of all groups that are kept; one alone may have more */
#define NOBODY G_MAXUINT32

/* What a group did to a line. */
typedef struct {
    guint8 read, written;
    guint32 readers[PS_LINE_SECTORS]; /* pattern that read it first */
    guint32 writers[PS_LINE_SECTORS];
} Line;

typedef struct {
    guint group[3];
    PsLines lines;
    GArray *what; /* Line, by number */
    gint64 place; /* place_of(group) */
} Group;

struct PsGroups {
    PsPatternRules rules;
    Group *now;
    PsCache *l1, *l2;   /* of the group that runs; NULL: none, or without limit */
    GQueue kept;        /* Group: those that are over, newest first */
    GHashTable *places; /* of kept: place_of -> Group */
    guint64 kept_lines; /* of them */
    gint64 n_ended;
    GArray *footprints; /* PsFootprint, by pattern */
    guint fit;          /* directions in which L2 keeps what lies between neighbours */
};

/* One number for a group's three: as long as y and z are below 2^16, which they are. */
static gint64 place_of(const guint group[3])
{
    return (gint64)(((guint64)group[2] << 48) ^ ((guint64)group[1] << 32) ^ group[0]);
}

static Group *group_new(const guint group[3])
{
    Group *fresh = g_new0(Group, 1);
    memcpy(fresh->group, group, sizeof(fresh->group));
    fresh->place = place_of(group);
    fresh->what = g_array_new(FALSE, FALSE, sizeof(Line));
    return fresh;
}

static void group_free(gpointer data)
{
    Group *group = data;
    if (!group)
        return;
    ps_lines_clear(&group->lines);
    g_array_unref(group->what);
    g_free(group);
}

PsGroups *ps_groups_new(const PsPatternRules *rules)
{
    PsGroups *groups = g_new0(PsGroups, 1);
    groups->rules = *rules;
    for (guint d = 0; d < 3; d++)
        groups->rules.grid[d] = MAX(rules->grid[d], 1);
    g_queue_init(&groups->kept);
    groups->places = g_hash_table_new(g_int64_hash, g_int64_equal);
    groups->footprints = g_array_new(FALSE, TRUE, sizeof(PsFootprint));
    return groups;
}

static void end_caches(PsGroups *groups)
{
    g_clear_pointer(&groups->now, group_free);
    g_clear_pointer(&groups->l1, ps_cache_free);
    g_clear_pointer(&groups->l2, ps_cache_free);
}

void ps_groups_free(PsGroups *groups)
{
    if (!groups)
        return;
    end_caches(groups);
    g_hash_table_destroy(groups->places);
    g_queue_clear_full(&groups->kept, group_free);
    g_array_unref(groups->footprints);
    g_free(groups);
}

void ps_groups_begin(PsGroups *groups, const guint group[3])
{
    end_caches(groups);
    groups->now = group_new(group);
    if (groups->rules.l1 > 0)
        groups->l1 = ps_cache_new(groups->rules.l1);
    if (groups->rules.l2 > 0)
        groups->l2 = ps_cache_new(groups->rules.l2);
}

static PsFootprint *footprint_of(const PsGroups *groups, guint number)
{
    if (number >= groups->footprints->len)
        g_array_set_size(groups->footprints, number + 1);
    return &g_array_index(groups->footprints, PsFootprint, number);
}

/* ---- accesses ------------------------------------------------------------------------------ */

static Line *line_of(Group *group, guint64 line)
{
    guint number = ps_lines_find(&group->lines, line);
    if (number == PS_NO_LINE) {
        Line fresh = {0};
        for (guint i = 0; i < PS_LINE_SECTORS; i++)
            fresh.readers[i] = fresh.writers[i] = NOBODY;
        number = ps_lines_add(&group->lines, line);
        g_array_append_val(group->what, fresh);
    }
    return &g_array_index(group->what, Line, number);
}

static void name_first(guint32 first[PS_LINE_SECTORS], guint sectors, guint number)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++)
        if (sectors >> i & 1)
            first[i] = number;
}

/* Sectors that reach L2. */
static void reach_l2(PsGroups *groups, guint number, gboolean write, PsTouch touch)
{
    Line *line = line_of(groups->now, touch.line);
    PsFootprint *footprint = footprint_of(groups, number);
    guint lost = groups->l2 ? ps_cache_bring(groups->l2, touch) : 0;
    guint fresh = touch.sectors & ~line->written;
    if (write) {
        name_first(line->writers, fresh, number);
        line->written |= (guint8)fresh;
        footprint->unique += ps_count_sectors(fresh);
        return;
    }
    fresh &= ~line->read;
    lost &= line->read | line->written;
    footprint->again += ps_count_sectors(lost);
    name_first(line->readers, fresh, number);
    line->read |= (guint8)fresh;
    footprint->unique += ps_count_sectors(fresh);
}

/* Sectors that L1 does not answer for. */
static guint pass_l1(PsGroups *groups, PsAccess access, gboolean keep, PsTouch touch)
{
    if (!groups->l1)
        return touch.sectors;
    if (access == PS_ACCESS_ATOMIC)
        ps_cache_drop(groups->l1, touch);
    if (access != PS_ACCESS_LOAD || !keep)
        return touch.sectors;
    return ps_cache_bring(groups->l1, touch);
}

guint ps_groups_access(PsGroups *groups, guint number, PsAccess access, gboolean keep,
                       const GArray *touches)
{
    guint n = 0;
    for (guint i = 0; i < touches->len; i++) {
        PsTouch touch = g_array_index(touches, PsTouch, i);
        touch.sectors = pass_l1(groups, access, keep, touch);
        if (touch.sectors == 0)
            continue;
        n += ps_count_sectors(touch.sectors);
        reach_l2(groups, number, access != PS_ACCESS_LOAD, touch);
    }
    return n;
}

guint ps_groups_private(PsGroups *groups, const GArray *touches)
{
    guint n = 0;
    for (guint i = 0; i < touches->len; i++) {
        PsTouch touch = g_array_index(touches, PsTouch, i);
        n += ps_count_sectors(pass_l1(groups, PS_ACCESS_LOAD, TRUE, touch));
    }
    return n;
}

/* ---- neighbours ---------------------------------------------------------------------------- */

static void count_shared(PsGroups *groups, const guint32 *first, guint theirs, int direction)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++) {
        if (first[i] == NOBODY)
            continue;
        PsFootprint *footprint = footprint_of(groups, first[i]);
        footprint->base[direction]++;
        footprint->shared[direction] += theirs >> i & 1;
    }
}

/* Counts which of the group's sectors its neighbour touched as well. */
static void compare(PsGroups *groups, const Group *group, const Group *neighbour, int direction)
{
    for (guint i = 0; i < group->what->len; i++) {
        const Line *line = &g_array_index(group->what, Line, i);
        guint other = ps_lines_find(&neighbour->lines, group->lines.lines[i]);
        const Line none = {0};
        const Line *there =
            other == PS_NO_LINE ? &none : &g_array_index(neighbour->what, Line, other);
        count_shared(groups, line->readers, there->read, direction);
        count_shared(groups, line->writers, there->written, direction);
    }
}

/* The part of a row of groups' sectors in direction d that one group accounts for. */
static double part_of(const PsGroups *groups, const PsFootprint *footprint, guint d)
{
    if (footprint->base[d] == 0)
        return 1;
    double share = (double)footprint->shared[d] / (double)footprint->base[d];
    return 1 - share + share / groups->rules.grid[d];
}

/* Directions in which L2 keeps what lies between a group and its neighbour. */
static guint fitting_directions(const PsGroups *groups)
{
    double between[3] = {0};
    for (guint i = 0; i < groups->footprints->len; i++) {
        const PsFootprint *footprint = &g_array_index(groups->footprints, PsFootprint, i);
        double bytes = (double)footprint->unique * PS_SECTOR / (double)MAX(groups->n_ended, 1);
        for (guint d = 0; d < 3; d++) {
            between[d] += bytes;
            bytes *= part_of(groups, footprint, d) * groups->rules.grid[d];
        }
    }
    guint fit = 0;
    for (guint d = 0; d < 3; d++)
        if (groups->rules.l2 == 0 || between[d] <= (double)groups->rules.l2)
            fit |= 1U << d;
    return fit;
}

static void compare_neighbours(PsGroups *groups, const Group *now)
{
    for (guint i = 0; i < 6; i++) {
        guint place[3];
        memcpy(place, now->group, sizeof(place));
        place[i / 2] += i % 2 ? 1 : G_MAXUINT; /* none has the number before 0 */
        gint64 key = place_of(place);
        const Group *other = g_hash_table_lookup(groups->places, &key);
        if (!other)
            continue;
        compare(groups, now, other, (int)(i / 2));
        compare(groups, other, now, (int)(i / 2));
    }
}

static void keep(PsGroups *groups, Group *group)
{
    groups->kept_lines += group->lines.n;
    g_queue_push_head(&groups->kept, group);
    g_hash_table_replace(groups->places, &group->place, group);
    while (groups->kept_lines > MOST_LINES && groups->kept.length > 1) {
        Group *oldest = g_queue_pop_tail(&groups->kept);
        groups->kept_lines -= oldest->lines.n;
        if (g_hash_table_lookup(groups->places, &oldest->place) == oldest)
            g_hash_table_remove(groups->places, &oldest->place);
        group_free(oldest);
    }
}

void ps_groups_end(PsGroups *groups)
{
    Group *now = g_steal_pointer(&groups->now);
    if (!now)
        return;
    compare_neighbours(groups, now);
    groups->n_ended++;
    keep(groups, now);
    end_caches(groups);
    groups->fit = fitting_directions(groups);
}

double ps_groups_device(const PsGroups *groups, guint number)
{
    if (number >= groups->footprints->len)
        return 0;
    const PsFootprint *footprint = &g_array_index(groups->footprints, PsFootprint, number);
    double sectors = (double)footprint->unique;
    for (guint d = 0; d < 3; d++)
        if (groups->fit >> d & 1)
            sectors *= part_of(groups, footprint, d);
    return sectors + (double)footprint->again;
}
