/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the buffers that groups touch at random. Groups far apart that each touch n of a buffer's N
 * sectors have n * n / N in common where places are drawn independently of each other, each as
 * likely as any other, and none where each group has its own. What groups that were executed have
 * in common is counted, and compared with what chance would make of it: it counts as chance within
 * three standard deviations of that, where these do not include that there is nothing in common.
 * Sectors beside each other that a group touches together are one place. Of k * N touches that are
 * drawn so the launch makes N * (1 - exp(-k)) different ones. Where groups near each other have no
 * more in common than that, either, that is all that they share. Where accesses at several points
 * of the code touch places of very different sizes, one of them may stream, and the buffer is none
 * of these.
 *
 * Some places may be drawn more often than others (cache-popular.h). Groups have more in common
 * then, but any two of them about as much as any others; where they share for another reason, some
 * have much and others nothing.
 */
#include "lift/memory/cache-popular.h"
#include "lift/memory/cache-private.h"

#include <math.h>

#define MOST_GROUPS 256
#define NEAR 16      /* groups, over all directions: closer ones may share for other reasons */
#define ALIKE 2      /* ratio of a point's largest places to its smallest, at most */
#define DEVIATIONS 3 /* standard deviations of the number of common places */
#define LEAST_PLACES (DEVIATIONS * DEVIATIONS) /* expected places: more exclude none in common */
#define LEAST_DISTANT 4 /* expected places: with as many, 1 in 50 launches has none */
#define MANY 6          /* groups: as many touch a place common to all */
#define MOST_SPREAD 4   /* relative spread of pairs' common places; 1: all draw from one set */

/* The sectors of a line that one of the groups touched. */
typedef struct {
    guint group;
    guint sectors;
} Touched;

/* The first accesses to a buffer at one point of the code, in all groups. */
typedef struct {
    guint point;
    gint64 sectors, places;
} Share;

/* Sectors that pairs of groups have in common. */
typedef struct {
    double expected, found;
} Common;

/* Sectors that any group touched, that one group alone touched, and that at least half of them
 * touched, and how often; pairs: those that two have in common, [a * MOST_GROUPS + b]. */
typedef struct {
    GArray *shares;            /* Share */
    Common far, near, distant; /* distant ones are far, too */
    gint64 all, once, often, of_often;
    guint32 *pairs;
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

/* TRUE if at least a quarter of the launch lies between two groups. */
static gboolean is_distant(const Looking *looking, guint a, guint b)
{
    const guint *grid = looking->groups->rules.grid;
    const double row = grid[0], plane = row * grid[1];
    double apart = 0;
    for (guint d = 0; d < 3; d++)
        apart += ((double)looking->list[a]->group[d] - (double)looking->list[b]->group[d]) *
                 (d == 0   ? 1
                  : d == 1 ? row
                           : plane);
    return 4 * fabs(apart) >= plane * grid[2];
}

static Common *common_of(const Looking *looking, guint extent, guint a, guint b)
{
    Buffer *buffer = &looking->buffers[extent];
    return is_far(looking->list[a], looking->list[b]) ? &buffer->far : &buffer->near;
}

static void count_touched(Buffer *buffer, const GArray *there, guint groups)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++) {
        guint n = 0;
        for (guint a = 0; a < there->len; a++)
            n += g_array_index(there, Touched, a).sectors >> i & 1;
        buffer->all += n > 0;
        buffer->once += n == 1;
        const gboolean is_common = n >= MANY && 2 * n >= groups;
        buffer->often += is_common;
        buffer->of_often += is_common ? n : 0;
    }
}

static void count_common(const Looking *looking)
{
    GHashTableIter iter;
    gpointer line, value;
    g_hash_table_iter_init(&iter, looking->lines);
    while (g_hash_table_iter_next(&iter, &line, &value)) {
        const GArray *there = value;
        const guint extent = ps_extent_at(&looking->groups->rules, *(const guint64 *)line);
        count_touched(&looking->buffers[extent], there, looking->n);
        for (guint a = 1; a < there->len; a++)
            for (guint b = 0; b < a; b++) {
                const Touched *one = &g_array_index(there, Touched, a);
                const Touched *other = &g_array_index(there, Touched, b);
                const guint sectors = ps_count_sectors(one->sectors & other->sectors);
                common_of(looking, extent, one->group, other->group)->found += sectors;
                if (is_distant(looking, one->group, other->group))
                    looking->buffers[extent].distant.found += sectors;
                looking->buffers[extent].pairs[one->group * MOST_GROUPS + other->group] += sectors;
            }
    }
}

/* Sectors that two groups have in common if all are drawn equally often. */
static double expected_of(const Looking *looking, guint extent, guint a, guint b)
{
    const PsPatternRules *rules = &looking->groups->rules;
    const gint64 one = looking->sectors[a * (rules->n_extents + 1) + extent];
    const gint64 other = looking->sectors[b * (rules->n_extents + 1) + extent];
    return (double)one * (double)other / MAX((double)rules->extents[extent].size / PS_SECTOR, 1);
}

static void expect_common(const Looking *looking)
{
    for (guint a = 1; a < looking->n; a++)
        for (guint b = 0; b < a; b++)
            for (guint e = 0; e < looking->groups->rules.n_extents; e++) {
                const double expected = expected_of(looking, e, a, b);
                common_of(looking, e, a, b)->expected += expected;
                if (is_distant(looking, a, b))
                    looking->buffers[e].distant.expected += expected;
            }
}

/* Sectors of a place that accesses of the buffer touch; 0: none, or they differ too much. */
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

/* TRUE if groups share nothing across most of the launch although chance would make them: then
 * others share as neighbours, however wide their windows are. */
static gboolean is_local(const Buffer *buffer, double of_place)
{
    return buffer->distant.found == 0 && buffer->distant.expected / of_place > LEAST_DISTANT;
}

static gboolean is_chance(const Buffer *buffer)
{
    const double of_place = sectors_of_place(buffer);
    if (of_place == 0)
        return FALSE;
    const double expected = buffer->far.expected / of_place, found = buffer->far.found / of_place;
    return expected > LEAST_PLACES && fabs(found - expected) <= DEVIATIONS * sqrt(expected) &&
           !is_local(buffer, of_place);
}

/* TRUE if all pairs of groups have about as much in common, in relation to what they touch: they
 * differ from `times` the expectation of each no more than random draws do. */
static gboolean is_even(const Looking *looking, guint extent, double of_place, double times)
{
    const Buffer *buffer = &looking->buffers[extent];
    double sum = 0, pairs = 0;
    for (guint a = 1; a < looking->n; a++)
        for (guint b = 0; b < a; b++) {
            const double mean = times * expected_of(looking, extent, a, b) / of_place;
            const double is = buffer->pairs[a * MOST_GROUPS + b] / of_place;
            sum += mean > 0 ? (is - mean) * (is - mean) / mean : 0;
            pairs += mean > 0;
        }
    return sum <= MOST_SPREAD * pairs;
}

/* Sectors of all groups. */
static gint64 touched_of(const Looking *looking, guint extent)
{
    gint64 sectors = 0;
    for (guint g = 0; g < looking->n; g++)
        sectors += looking->sectors[g * (looking->groups->rules.n_extents + 1) + extent];
    return sectors;
}

/* TRUE if the buffer's places are drawn at random, some of them more often than others. */
static gboolean is_popular(const Looking *looking, guint extent, PsPopular *popular)
{
    const Buffer *buffer = &looking->buffers[extent];
    const double of_place = sectors_of_place(buffer);
    const double all = (double)looking->groups->rules.extents[extent].size / PS_SECTOR;
    if (of_place == 0 || (double)buffer->once / of_place <= LEAST_PLACES)
        return FALSE;
    const double expected = buffer->far.expected / of_place, found = buffer->far.found / of_place;
    if (found <= LEAST_PLACES || found <= expected + DEVIATIONS * sqrt(expected) ||
        !is_even(looking, extent, of_place, found / expected))
        return FALSE;
    popular->places = all / of_place;
    const PsDrawn drawn = {looking->n, (double)touched_of(looking, extent) / of_place / looking->n,
                           (double)buffer->all / of_place, (double)buffer->often / of_place,
                           (double)buffer->of_often / of_place / looking->n};
    return ps_popular_fit(popular, &drawn);
}

/* TRUE if adjacent groups have no more in common than distant ones. */
static gboolean is_alone(const Buffer *buffer, double times)
{
    const double of_place = MAX(sectors_of_place(buffer), 1);
    const double expected = times * buffer->near.expected / of_place;
    return buffer->near.found / of_place <= expected + DEVIATIONS * sqrt(expected);
}

/* Sets how the buffer's places are drawn. Unequally drawn ones are equally common to all groups,
 * near or far; if neighbours share more, or nothing, the reason is another. */
static void settle(const Looking *looking, guint extent, PsExtentSum *sum)
{
    const Buffer *buffer = &looking->buffers[extent];
    PsPopular popular;
    sum->popular = (PsPopular){.places = 1, .repeated = 1};
    sum->swept = ps_sweep_is(looking->groups, extent);
    sum->chance = !sum->swept && is_chance(buffer);
    sum->alone = sum->chance && is_alone(buffer, 1);
    if (sum->swept || sum->chance || !is_popular(looking, extent, &popular) ||
        !is_alone(buffer, buffer->far.found / buffer->far.expected))
        return;
    sum->chance = sum->alone = TRUE;
    sum->popular = popular;
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
    for (guint e = 0; e <= n_extents; e++) {
        looking.buffers[e].shares = g_array_new(FALSE, FALSE, sizeof(Share));
        looking.buffers[e].pairs = g_new0(guint32, (gsize)looking.n * MOST_GROUPS + 1);
    }
    for (guint g = 0; g < looking.n; g++)
        for (guint i = 0; i < looking.list[g]->what->len; i++)
            note_line(&looking, g, i);
    count_common(&looking);
    expect_common(&looking);
    for (guint e = 0; e <= n_extents; e++) {
        if (e < n_extents)
            settle(&looking, e, &groups->extents[e]);
        g_array_unref(looking.buffers[e].shares);
        g_free(looking.buffers[e].pairs);
    }
    g_hash_table_unref(looking.lines);
    g_free(looking.sectors);
    g_free(looking.buffers);
}
