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

/* Groups that are neither like the inner ones nor like the end's: one is cut by the border; where
 * more are, groups differ for other reasons, and there is no border to find. */
#define MOST_STRANGE 1
/* Places in a direction: its first group, the last one inside, the one behind it, the last one. */
#define PLACES 4

typedef struct {
    PsSamples *samples;
    PsSamplesCount count;
    GError **error;
    gboolean good, over; /* there was no fault; nothing more is executed */
    guint base[3];       /* a group inside, */
    guint64 number;      /* and what it executed */
} Border;

/* Executes the group if it was not; FALSE: all is over. */
static gboolean look(Border *border, const guint group[3], guint64 *number)
{
    PsSamples *samples = border->samples;
    if (!ps_samples_number(samples, group, number) && !border->over) {
        border->good = border->count(samples, group, border->error);
        border->over = !border->good || !ps_samples_number(samples, group, number);
    }
    return !border->over;
}

/* An end of a direction, and what lies before the border there. */
typedef struct {
    guint direction;
    gboolean last;    /* the end at the last group; else at the first one */
    guint64 number;   /* what the group at the end executed */
    guint depth;      /* groups that lie before the border; 0: there is none, or no telling */
    gboolean cut_one; /* the innermost of these is like neither side: the border cuts it */
} End;

/* Where the group lies in the direction that is so far from the end. */
static guint place_at(const Border *border, const End *end, guint distance)
{
    const guint grid = border->samples->options->launch.grid[end->direction];
    return end->last ? grid - 1 - distance : distance;
}

/* Looks at the group of the base's row that is so far from the end. */
static gboolean look_along(Border *border, const End *end, guint distance, guint64 *number)
{
    guint group[3];
    memcpy(group, border->base, sizeof group);
    group[end->direction] = place_at(border, end, distance);
    return look(border, group, number);
}

/* The groups of a row between which the border lies, as distances from the end. */
typedef struct {
    guint other, like;    /* one that does not execute what the base does, and one that does */
    guint64 other_number; /* what the former executed */
    guint strange;        /* looked at, and like neither the base nor the end */
} Between;

/* Looks at a group between them, and moves one of them there. */
static gboolean narrow(Border *border, const End *end, guint at, Between *between)
{
    guint64 number = 0;
    if (!look_along(border, end, at, &number))
        return FALSE;
    between->strange += number != end->number && number != border->number;
    if (number == border->number) {
        between->like = at;
        return TRUE;
    }
    between->other = at;
    between->other_number = number;
    return TRUE;
}

/* Looks for the border before that end. Steps double from the end on, since most grids are larger
 * by less than one group; then the distance is halved. */
static void find_depth(Border *border, End *end)
{
    Between between = {.like = place_at(border, end, border->base[end->direction])};
    if (between.like == 0 || !look_along(border, end, 0, &end->number) ||
        end->number == border->number)
        return;
    between.other_number = end->number;
    for (guint at = 1; at < between.like; at *= 2)
        if (!narrow(border, end, at, &between) || between.strange > MOST_STRANGE)
            return;
    while (between.like - between.other > 1)
        if (!narrow(border, end, between.other + (between.like - between.other) / 2, &between))
            return;
    end->depth = between.like;
    end->cut_one = between.other_number != end->number;
}

/* What lies before the border of that end is a part of its own, and so is a group that it cuts. */
static void cut(PsStrata *strata, const End *end)
{
    const guint grid = strata->grid[end->direction];
    const guint depths[2] = {end->depth, end->depth - end->cut_one};
    for (guint i = 0; i < 2; i++)
        ps_strata_cut(strata, end->direction, end->last ? grid - depths[i] : depths[i]);
}

/* The places of a direction in which groups are executed, each once; how many these are. */
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

/* The middle of the grid, or where that does little, the one that does most. */
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

/* Sets the base and what it executed; FALSE: all is over. Where the first group of the launch does
 * the same, it is the base: groups in a row with it are corners, which are executed anyway. */
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
