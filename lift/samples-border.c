/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids are often larger than what the kernel works on: groups beyond that have nothing to do, and
 * the last ones that work lie before the grid's own edge. Where threads stride over what there is,
 * the first groups have an iteration more. So where the last group of a direction, or the first
 * one, executes something else than those inside, the border between them is looked for, along one
 * row of groups. It cuts the grid into strata (strata.h), in which groups do the same where the
 * border is straight. Groups at the corners of what lies within it are executed, too, to see their
 * faults: a guard that is off by one fails there. These are only counted, and no share depends on
 * them.
 */
#include "lift/build-private.h"

#include <string.h>

/* Groups that are like neither the inner ones nor the end's: the border cuts one of them. If there
 * are more, groups differ for other reasons, and no border can be found. */
#define MOST_STRANGE 1
/* Up to one odd group in so many, there may still be a border. */
#define FEW 4
/* Places in a direction: its first group, the last inner one, the next one, and the last one. */
#define PLACES 4

typedef struct {
    PsSamples *samples;
    PsSamplesCount count;
    GError **error;
    gboolean good, over; /* no fault so far; nothing more is executed */
    gboolean random;     /* in some direction, groups differ for other reasons than a border */
    guint base[3];       /* an inner group, */
    guint64 number;      /* and the number of its work */
} Border;

/* Executes the group unless it was; FALSE: nothing more is executed. */
static gboolean look(Border *border, const guint group[3], guint64 *number)
{
    PsSamples *samples = border->samples;
    if (!ps_samples_number(samples, group, number) && !border->over) {
        border->good = border->count(samples, group, border->error);
        border->over = !border->good || !ps_samples_number(samples, group, number);
    }
    return !border->over;
}

/* An end of a direction, and the groups between it and the border. */
typedef struct {
    guint direction;
    gboolean last;    /* the end at the last group; otherwise at the first */
    guint64 number;   /* number of the work of the group at the end */
    guint depth;      /* groups between the end and the border; 0: none, or unknown */
    gboolean cut_one; /* the innermost of these is like neither side: the border cuts it */
} End;

/* The group's place in the direction, at that distance from the end. */
static guint place_at(const Border *border, const End *end, guint distance)
{
    const guint grid = border->samples->options->launch.grid[end->direction];
    return end->last ? grid - 1 - distance : distance;
}

/* Looks at the group of the base's row at that distance from the end. */
static gboolean look_along(Border *border, const End *end, guint distance, guint64 *number)
{
    guint group[3];
    memcpy(group, border->base, sizeof group);
    group[end->direction] = place_at(border, end, distance);
    return look(border, group, number);
}

/* Two groups of a row, by their distances from the end; the border lies between them. */
typedef struct {
    guint other, like;    /* one that works unlike the base, and one that works like it */
    guint64 other_number; /* number of the former's work */
    guint strange;        /* groups that are like neither the base nor the end */
    gboolean counted;     /* these include groups that were executed before */
} Between;

static gboolean is_strange(const Border *border, const End *end, guint64 number)
{
    return number != end->number && number != border->number;
}

/* Looks at a group between them, and moves one of them there. */
static gboolean narrow(Border *border, const End *end, guint at, Between *between)
{
    guint64 number = 0;
    const guint before = g_hash_table_size(border->samples->numbers);
    if (!look_along(border, end, at, &number))
        return FALSE;
    const gboolean is_new = g_hash_table_size(border->samples->numbers) > before;
    between->strange += (is_new || !between->counted) && is_strange(border, end, number);
    if (number == border->number) {
        between->like = at;
        return TRUE;
    }
    between->other = at;
    between->other_number = number;
    return TRUE;
}

/* What is known of the base's row between the base and an end. */
typedef struct {
    guint like;       /* the group nearest to the end that is like the base */
    guint known, odd; /* known groups, and those among them that no border explains */
} Row;

/* The distance from the end of an executed group between base and end; FALSE: it does not lie
 * there. */
static gboolean find_between(const Border *border, const End *end, guint64 place, guint *at)
{
    guint group[3];
    ps_samples_group_at(border->samples, place, group);
    *at = place_at(border, end, group[end->direction]);
    group[end->direction] = border->base[end->direction];
    return memcmp(group, border->base, sizeof group) == 0 && *at > 0 &&
           *at < place_at(border, end, border->base[end->direction]);
}

/* Reads what is known of the row: first the nearest group like the base. Odd groups are those like
 * neither side, and those like the end that lie behind that group. */
static void read_row(const Border *border, const End *end, gboolean count, Row *row)
{
    GHashTableIter iter;
    gpointer place, value;
    g_hash_table_iter_init(&iter, border->samples->numbers);
    while (g_hash_table_iter_next(&iter, &place, &value)) {
        const guint64 number = *(const guint64 *)value;
        guint at = 0;
        if (!find_between(border, end, *(const guint64 *)place, &at))
            continue;
        if (!count) {
            row->like = number == border->number ? MIN(row->like, at) : row->like;
            continue;
        }
        row->known++;
        row->odd += is_strange(border, end, number) || (number == end->number && at > row->like);
    }
}

/* TRUE if known groups show that there is no border before the end: too many are odd, or one is and
 * other directions had odd ones. *odd: their number, if it is more than a few. */
static gboolean is_random(Border *border, const End *end, guint *odd)
{
    const End other = {.direction = end->direction, .last = !end->last, .number = end->number};
    Row row = {.like = G_MAXUINT};
    read_row(border, end, FALSE, &row);
    read_row(border, end, TRUE, &row);
    if (border->random && row.known == 0) /* the other side of the base will do */
        read_row(border, &other, TRUE, &row);
    *odd = row.odd * FEW > row.known ? row.odd : 0;
    border->random |= *odd > MOST_STRANGE;
    return border->random && *odd > 0;
}

/* Looks for the border before that end. Steps double from the end on, since most grids exceed their
 * work by less than one group; then the distance is halved. */
static void find_depth(Border *border, End *end)
{
    Between between = {.like = place_at(border, end, border->base[end->direction])};
    if (between.like == 0 || !look_along(border, end, 0, &end->number) ||
        end->number == border->number || is_random(border, end, &between.strange))
        return;
    between.counted = between.strange > 0;
    between.other_number = end->number;
    for (guint at = 1; at < between.like; at *= 2) {
        if (!narrow(border, end, at, &between))
            return;
        if (between.strange > MOST_STRANGE) {
            border->random = TRUE;
            return;
        }
    }
    while (between.like - between.other > 1)
        if (!narrow(border, end, between.other + (between.like - between.other) / 2, &between))
            return;
    end->depth = between.like;
    end->cut_one = between.other_number != end->number;
}

/* Groups before the border of that end are a stratum, and so is a group that the border cuts. */
static void cut(PsStrata *strata, const End *end)
{
    const guint grid = strata->grid[end->direction];
    const guint depths[2] = {end->depth, end->depth - end->cut_one};
    for (guint i = 0; i < 2; i++)
        ps_strata_cut(strata, end->direction, end->last ? grid - depths[i] : depths[i]);
}

/* The places of a direction at which groups are executed, each once; returns their number. */
static guint places_of(const PsSamples *samples, guint direction, guint places[PLACES])
{
    const guint last = samples->options->launch.grid[direction] - 1;
    const guint behind = samples->behind[direction];
    const guint all[PLACES] = {0, last - behind, last - (behind ? behind - 1 : 0), last};
    guint n = 0;
    for (guint i = 0; i < PLACES; i++)
        if (i == 0 || all[i] != places[n - 1])
            places[n++] = all[i];
    return n;
}

/* The middle of the grid, or, if that does little, the group that does most. */
static const PsRollGroup *base_of(const PsSamples *samples)
{
    const PsRollGroup *base = samples->shown->pdata[0];
    gint64 most = 0;
    for (guint i = 0; i < samples->shown->len; i++)
        most = MAX(most, ((const PsRollGroup *)samples->shown->pdata[i])->length);
    for (guint i = 0; i < samples->shown->len && 2 * base->length < most; i++)
        base = samples->shown->pdata[i];
    return base;
}

/* Sets the base and its work; FALSE: nothing more is executed. If the first group of the launch
 * does the same, it is the base: groups in a row with it are corners, which are executed anyway. */
static gboolean set_base(Border *border)
{
    static const guint first[3] = {0, 0, 0};
    guint64 number = 0;
    memcpy(border->base, base_of(border->samples)->group, sizeof border->base);
    if (!look(border, border->base, &border->number) || !look(border, first, &number))
        return FALSE;
    if (number == border->number)
        memcpy(border->base, first, sizeof first);
    return TRUE;
}

gboolean ps_samples_find_border(PsSamples *samples, gboolean both, PsSamplesCount count,
                                GError **error)
{
    Border border = {.samples = samples, .count = count, .error = error, .good = TRUE};
    if (!set_base(&border))
        return border.good;
    for (guint i = 0; i < 6 && !border.over; i++) {
        End end = {.direction = i % 3, .last = i < 3};
        if (!end.last && !both)
            continue;
        find_depth(&border, &end);
        if (end.last)
            samples->behind[end.direction] = end.depth;
        if (end.depth > 0)
            cut(&samples->strata, &end);
    }
    return border.good;
}

gboolean ps_samples_look_at_border(PsSamples *samples, PsSamplesCount count, GError **error)
{
    Border border = {.samples = samples, .count = count, .error = error, .good = TRUE};
    guint places[3][PLACES], n[3] = {0};
    guint64 number = 0;
    for (guint d = 0; d < 3; d++)
        n[d] = places_of(samples, d, places[d]);
    for (guint i = 0; i < n[0] * n[1] * n[2] && !border.over; i++) {
        const guint group[3] = {places[0][i % n[0]], places[1][i / n[0] % n[1]],
                                places[2][i / n[0] / n[1]]};
        look(&border, group, &number);
    }
    return border.good;
}
