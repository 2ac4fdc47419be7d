/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which buffers groups touch at random. Groups far apart that each touch n of a buffer's N sectors
 * have n * n / N in common where places are drawn independently of each other, each as likely as
 * any other, and none where each group has its own. What groups that were executed have in common
 * is counted, and compared with what chance would make of it: it counts as chance within three
 * standard deviations of that, where these do not include that there is nothing in common. Sectors
 * beside each other that a group touches together are one place. Of k * N touches that are drawn so
 * the launch makes N * (1 - exp(-k)) different ones. Where groups near each other have no more in
 * common than that, either, that is all that they share. Where accesses at several points of the
 * code touch places of very different sizes, one of them may stream, and the buffer is none of
 * these.
 */
#include "lift/memory/cache-private.h"

#include <math.h>

#define MOST_GROUPS 256
#define NEAR 16      /* groups, in all directions: these may share for other reasons */
#define ALIKE 2      /* times as large as the smallest places of a point, the largest */
#define DEVIATIONS 3 /* of a number of places in common, about its expectation */
#define LEAST_PLACES (DEVIATIONS * DEVIATIONS) /* expected: more than that excludes none */

/* What one of the groups touched of a line. */
typedef struct {
    guint group;
    guint sectors;
} Touched;

/* What accesses at a point of the code touched first of a buffer, in all groups. */
typedef struct {
    guint point;
    gint64 sectors, places;
} Share;

/* Sectors that pairs of groups have in common. */
typedef struct {
    double expected, found;
} Common;

typedef struct {
    GArray *shares; /* Share */
    Common far, near;
} Buffer;

typedef struct {
    const PsGroups *groups;
    const guint *points;
    const PsLineGroup *list[MOST_GROUPS];
    guint n;
    Buffer *buffers;
    gint64 *sectors;   /* [group * (n_extents + 1) + buffer] */
    GHashTable *lines; /* line -> GArray of Touched */
} Looking;

static gboolean is_far(const PsLineGroup *a, const PsLineGroup *b)
{
    for (guint d = 0; d < 3; d++)
        if (ABS((gint64)a->group[d] - (gint64)b->group[d]) > NEAR)
            return TRUE;
    return FALSE;
}

static Share *share_of(const Buffer *buffer, guint point)
{
    for (guint i = 0; i < buffer->shares->len; i++)
        if (g_array_index(buffer->shares, Share, i).point == point)
            return &g_array_index(buffer->shares, Share, i);
    const Share share = {.point = point};
    g_array_append_val(buffer->shares, share);
    return &g_array_index(buffer->shares, Share, buffer->shares->len - 1);
}

/* The point of the code that touched the line first. */
static guint point_of(const Looking *looking, const PsLineUse *use)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++) {
        const guint32 by = use->readers[i] != PS_NOBODY ? use->readers[i] : use->writers[i];
        if (by != PS_NOBODY)
            return looking->points[by];
    }
    return PS_NOBODY;
}

static void note_line(const Looking *looking, guint g, guint number)
{
    const PsGroups *groups = looking->groups;
    const PsLineGroup *group = looking->list[g];
    const PsLineUse *use = &g_array_index(group->what, PsLineUse, number);
    const guint64 *line = &group->lines.lines[number];
    const Touched touched = {g, use->read | use->written};
    const guint extent = ps_extent_at(&groups->rules, *line), n = ps_count_sectors(touched.sectors);
    Share *share = share_of(&looking->buffers[extent], point_of(looking, use));
    share->sectors += n;
    share->places += ps_lines_find(&group->lines, *line - 1) == PS_NO_LINE;
    looking->sectors[g * (groups->rules.n_extents + 1) + extent] += n;
    GArray *there = g_hash_table_lookup(looking->lines, line);
    if (!there) {
        there = g_array_new(FALSE, FALSE, sizeof(Touched));
        g_hash_table_insert(looking->lines, (gpointer)line, there);
    }
    g_array_append_val(there, touched);
}

static Common *common_of(const Looking *looking, guint extent, guint a, guint b)
{
    Buffer *buffer = &looking->buffers[extent];
    return is_far(looking->list[a], looking->list[b]) ? &buffer->far : &buffer->near;
}

static void count_common(const Looking *looking)
{
    GHashTableIter iter;
    gpointer line, value;
    g_hash_table_iter_init(&iter, looking->lines);
    while (g_hash_table_iter_next(&iter, &line, &value)) {
        const GArray *there = value;
        const guint extent = ps_extent_at(&looking->groups->rules, *(const guint64 *)line);
        for (guint a = 1; a < there->len; a++)
            for (guint b = 0; b < a; b++) {
                const Touched *one = &g_array_index(there, Touched, a);
                const Touched *other = &g_array_index(there, Touched, b);
                common_of(looking, extent, one->group, other->group)->found +=
                    ps_count_sectors(one->sectors & other->sectors);
            }
    }
}

static void expect_common(const Looking *looking)
{
    const PsPatternRules *rules = &looking->groups->rules;
    for (guint a = 1; a < looking->n; a++)
        for (guint b = 0; b < a; b++) {
            const gint64 *one = &looking->sectors[a * (rules->n_extents + 1)];
            const gint64 *other = &looking->sectors[b * (rules->n_extents + 1)];
            for (guint e = 0; e < rules->n_extents; e++)
                common_of(looking, e, a, b)->expected +=
                    (double)one[e] * (double)other[e] /
                    MAX((double)rules->extents[e].size / PS_SECTOR, 1);
        }
}

/* Sectors of a place that the buffer's accesses touch; 0: none, or these differ too much. */
static double sectors_of_place(const Buffer *buffer)
{
    gint64 sectors = 0, places = 0;
    double least = G_MAXDOUBLE, most = 0;
    for (guint i = 0; i < buffer->shares->len; i++) {
        const Share *share = &g_array_index(buffer->shares, Share, i);
        const double one = (double)share->sectors / (double)MAX(share->places, 1);
        least = MIN(least, one);
        most = MAX(most, one);
        sectors += share->sectors;
        places += share->places;
    }
    return places > 0 && most <= ALIKE * least ? (double)sectors / (double)places : 0;
}

static gboolean is_chance(const Buffer *buffer)
{
    const double of_place = sectors_of_place(buffer);
    if (of_place == 0)
        return FALSE;
    const double expected = buffer->far.expected / of_place, found = buffer->far.found / of_place;
    return expected > LEAST_PLACES && fabs(found - expected) <= DEVIATIONS * sqrt(expected);
}

/* TRUE if groups near each other have no more in common than chance makes of it, either. */
static gboolean is_alone(const Buffer *buffer)
{
    const double of_place = sectors_of_place(buffer);
    const double expected = buffer->near.expected / MAX(of_place, 1);
    return buffer->near.found / MAX(of_place, 1) <= expected + DEVIATIONS * sqrt(expected);
}

void ps_chance_find(PsGroups *groups, const guint *points)
{
    const guint n_extents = groups->rules.n_extents;
    Looking looking = {.groups = groups,
                       .points = points,
                       .buffers = g_new0(Buffer, n_extents + 1),
                       .lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
                                                      (GDestroyNotify)g_array_unref)};
    for (const GList *at = groups->kept.head; at && looking.n < MOST_GROUPS; at = at->next)
        looking.list[looking.n++] = at->data;
    looking.sectors = g_new0(gint64, (gsize)looking.n * (n_extents + 1) + 1);
    for (guint e = 0; e <= n_extents; e++)
        looking.buffers[e].shares = g_array_new(FALSE, FALSE, sizeof(Share));
    for (guint g = 0; g < looking.n; g++)
        for (guint i = 0; i < looking.list[g]->what->len; i++)
            note_line(&looking, g, i);
    count_common(&looking);
    expect_common(&looking);
    for (guint e = 0; e <= n_extents; e++) {
        groups->extents[e].chance = e < n_extents && is_chance(&looking.buffers[e]);
        groups->extents[e].alone = groups->extents[e].chance && is_alone(&looking.buffers[e]);
        g_array_unref(looking.buffers[e].shares);
    }
    g_hash_table_unref(looking.lines);
    g_free(looking.sectors);
    g_free(looking.buffers);
}
