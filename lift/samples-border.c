/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids are often larger than what the kernel works on: groups beyond that have nothing to do, and
 * the last ones that work lie before the grid's own edge. A guard that is off by one fails there.
 * So where the last group of a direction executes something else than those inside, the border
 * between them is looked for, and groups at the corners of what lies within it are executed to see
 * their faults. They are only counted, and no share depends on them.
 */
#include "lift/build-private.h"

#include <string.h>

/* Groups that are neither like the inner ones nor like the last one: one is cut by the border;
 * where more are, groups differ for other reasons, and there is no border to find. */
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

/* Looks at the group that lies so far from the end of the base's row in that direction. */
static gboolean look_along(Border *border, guint direction, guint from_end, guint64 *number)
{
    guint group[3];
    memcpy(group, border->base, sizeof group);
    group[direction] = border->samples->options->launch.grid[direction] - 1 - from_end;
    return look(border, group, number);
}

/* How far from the end of the direction the first group lies that executes what the base does; 0:
 * the last one does, or there is no telling. Steps double from the end on, since most grids are
 * larger by less than one group; then the distance is halved. */
static guint distance(Border *border, guint direction)
{
    guint like = border->samples->options->launch.grid[direction] - 1 - border->base[direction];
    guint other = 0, strange = 0;
    guint64 last = 0, number = 0;
    if (like == 0 || !look_along(border, direction, 0, &last) || last == border->number)
        return 0;
    for (guint from_end = 1; from_end < like; from_end *= 2) {
        if (!look_along(border, direction, from_end, &number))
            return 0;
        strange += number != last && number != border->number;
        if (strange > MOST_STRANGE)
            return 0;
        *(number == border->number ? &like : &other) = from_end;
    }
    while (like - other > 1) {
        const guint between = other + (like - other) / 2;
        if (!look_along(border, direction, between, &number))
            return 0;
        *(number == border->number ? &like : &other) = between;
    }
    return like;
}

/* The places of a direction in which groups are executed, each once; how many these are. */
static guint places_of(Border *border, guint direction, guint places[PLACES])
{
    const guint last = border->samples->options->launch.grid[direction] - 1;
    const guint from_end = distance(border, direction);
    const guint all[PLACES] = {0, last - from_end, last - (from_end ? from_end - 1 : 0), last};
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

gboolean ps_samples_border(PsSamples *samples, PsSamplesCount count, GError **error)
{
    Border border = {.samples = samples, .count = count, .error = error, .good = TRUE};
    guint places[3][PLACES], n[3] = {0};
    guint64 number = 0;
    if (!set_base(&border))
        return border.good;
    for (guint d = 0; d < 3; d++)
        n[d] = places_of(&border, d, places[d]);
    for (guint i = 0; i < n[0] * n[1] * n[2] && !border.over; i++) {
        const guint group[3] = {places[0][i % n[0]], places[1][i / n[0] % n[1]],
                                places[2][i / n[0] / n[1]]};
        look(&border, group, &number);
    }
    return border.good;
}
