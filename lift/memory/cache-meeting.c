/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where requests of many groups meet: the place, a line or a few beside each other, at which most
 * of the turns are that stores and atomics of one instruction take. A sector takes a turn for a
 * store, and of an atomic as many as it has lanes at one address. Groups beside each other share
 * lines at their edges, which does not mean that all groups meet there. So only groups that lie far
 * apart are looked at, and most of them must have touched the place. Where an instruction has turns
 * at several places, the one counts where all instructions have most: there they wait for each
 * other. Few groups are looked at, and the place that they have most turns at by chance is no spot:
 * the share of one half's place is that which the other half has there.
 *
 * Groups that take numbers at a counter come to places in the order in which they are executed, so
 * those few are beside each other, which all of a launch cannot be. Where each group's bytes lie
 * behind those of the groups before, a place has room for some, and the others are elsewhere.
 */
#include "lift/memory/cache.h"

#define LEAST_SHARE 0.01 /* share of the turns; a place with less does not matter */
#define IN_ORDER 4       /* groups closely behind each other: more are no chance */
#define MOST_SPARSE 4    /* ratio of the bytes from first to last to the touched ones */

/* groups that touched the place, and the last of them */
typedef struct {
    gint64 turns[2];
    guint groups, last; /* of all addresses */
    guint64 begin;      /* ... of groups before the last one */
    guint64 end;        /* ... and of all */
    guint64 last_end;   /* that these addresses span, group by group */
    guint64 bytes;      /* a group's addresses lie before the end of others' */
    gboolean mixed;     /* the meetings of all instructions, borrowed; NULL: this is it */
} Visits;

struct PsMeetings {
    PsMeetings *all; /* line numbers divided by the lines of a place */
    PsLines places;  /* Visits, by number of the place */
    GArray *visits;  /* lines of a place */
    guint lines;     /* turns at all places, by half */
    gint64 turns[2]; /* The most lanes at one address, among lanes in the sector. */
    gint64 requests;
    guint groups, last;
};

PsMeetings *ps_meetings_new(guint lines, PsMeetings *all)
{
    PsMeetings *meetings = g_new0(PsMeetings, 1);
    meetings->all = all;
    meetings->visits = g_array_new(FALSE, TRUE, sizeof(Visits));
    meetings->lines = MAX(lines, 1);
    return meetings;
}

void ps_meetings_free(PsMeetings *meetings)
{
    if (!meetings)
        return;
    ps_lines_clear(&meetings->places);
    g_array_unref(meetings->visits);
    g_free(meetings);
}

/* The turns of the line's sectors that the event touches. */
static guint turns_at(const PsPtxEvent *event, guint64 sector)
{
    guint most = 0;
    for (guint32 rest = event->mask; rest != 0; rest &= rest - 1) {
        const guint64 address = event->address[__builtin_ctz(rest)];
        guint n = 0;
        if (address / PS_SECTOR != sector)
            continue;
        for (guint32 others = rest; others != 0; others &= others - 1)
            n += event->address[__builtin_ctz(others)] == address;
        most = MAX(most, n);
    }
    return most;
}

/* Turns of all instructions at the place that one of them visited: those of one half, or of both if
 * both are named. */
static guint turns_of(const PsPtxEvent *event, PsTouch touch)
{
    guint turns = 0;
    for (guint i = 0; i < PS_LINE_SECTORS; i++)
        if (touch.sectors >> i & 1)
            turns += MAX(turns_at(event, touch.line * PS_LINE_SECTORS + i), 1);
    return turns;
}

static Visits *visits_of(PsMeetings *meetings, guint64 place)
{
    guint number = ps_lines_find(&meetings->places, place);
    if (number == PS_NO_LINE) {
        number = ps_lines_add(&meetings->places, place);
        g_array_set_size(meetings->visits, number + 1);
    }
    return &g_array_index(meetings->visits, Visits, number);
}

/* Turns of all instructions at the place, which one of them visited: those of one half, or of both
 * where both are named. */
static gint64 all_turns(const PsMeetings *meetings, guint number, guint half, guint other)
{
    const PsMeetings *all = meetings->all ? meetings->all : meetings;
    const guint there = ps_lines_find(&all->places, meetings->places.lines[number]);
    const Visits *visits = &g_array_index(all->visits, Visits, there);
    return half == other ? visits->turns[half] : visits->turns[half] + visits->turns[other];
}

static gint64 sum_of(const gint64 turns[2])
{
    return turns[0] + turns[1];
}

/* The half that the group belongs to, for this instruction as for all. */
static guint half_of(PsMeetings *meetings, guint group)
{
    PsMeetings *all = meetings->all ? meetings->all : meetings;
    if (all != meetings && (all->groups == 0 || all->last != group)) {
        all->groups++;
        all->last = group;
    }
    return all->groups % 2;
}

/* The addresses from the first byte to the last one of all lanes; for no event, all that exist. */
static void span_of(const PsPtxEvent *event, guint64 span[2])
{
    span[0] = event ? G_MAXUINT64 : 0;
    span[1] = event ? 0 : G_MAXUINT64;
    for (guint32 rest = event ? event->mask : 0; rest != 0; rest &= rest - 1) {
        const guint64 address = event->address[__builtin_ctz(rest)];
        span[0] = MIN(span[0], address);
        span[1] = MAX(span[1], address + event->bytes);
    }
}

/* Notes that a group comes to the place, first or again. */
static void visit(Visits *visits, guint group, const guint64 span[2])
{
    visits->begin = visits->groups == 0 ? span[0] : MIN(visits->begin, span[0]);
    if (visits->groups == 0 || visits->last != group) {
        visits->groups++;
        visits->end = visits->last_end;
    }
    visits->last = group;
    visits->mixed = visits->mixed || span[0] < visits->end;
    if (span[1] > visits->last_end)
        visits->bytes += span[1] - MAX(span[0], visits->last_end);
    visits->last_end = MAX(visits->last_end, span[1]);
}

void ps_meetings_add(PsMeetings *meetings, guint group, const GArray *touches,
                     const PsPtxEvent *event, gboolean atomic)
{
    guint64 span[2];
    span_of(event, span);
    meetings->groups += meetings->groups == 0 || meetings->last != group;
    meetings->last = group;
    const guint half = half_of(meetings, group);
    meetings->requests++;
    for (guint i = 0; i < touches->len; i++) {
        const PsTouch touch = g_array_index(touches, PsTouch, i);
        Visits *visits = visits_of(meetings, touch.line / meetings->lines);
        const guint n = atomic ? turns_of(event, touch) : ps_count_sectors(touch.sectors);
        visit(visits, group, span);
        visits->turns[half] += n;
        meetings->turns[half] += n;
        if (meetings->all)
            visits_of(meetings->all, touch.line / meetings->lines)->turns[half] += n;
    }
}

/* The number of the place where most groups meet, and where all instructions have most turns in
 * that half (or in both if both are named); PS_NO_LINE: there is none. */
static guint best_of(const PsMeetings *meetings, guint half, guint other)
{
    guint best = PS_NO_LINE;
    gint64 most = 0;
    for (guint i = 0; i < meetings->visits->len; i++) {
        const Visits *visits = &g_array_index(meetings->visits, Visits, i);
        const gint64 turns = all_turns(meetings, i, half, other);
        if (visits->groups < 2 || 2 * visits->groups <= meetings->groups || turns <= most ||
            (double)sum_of(visits->turns) < LEAST_SHARE * (double)sum_of(meetings->turns))
            continue;
        best = i;
        most = turns;
    }
    return best;
}

/* The share that each half has at the place where the other half has most: the mean of both, or the
 * one that exists. */
static double share_of_halves(const PsMeetings *meetings)
{
    double turns = 0, all = 0;
    for (guint half = 0; half < 2; half++) {
        const guint best = best_of(meetings, half, half);
        if (best == PS_NO_LINE)
            continue;
        turns += (double)g_array_index(meetings->visits, Visits, best).turns[1 - half];
        all += (double)meetings->turns[1 - half];
    }
    return all > 0 ? turns / all : 0;
}

/* The share for which the place has room, out of so many groups with bytes of their own. */
static double room_of(const PsMeetings *meetings, const Visits *visits, guint64 groups)
{
    if (visits->mixed || visits->groups < IN_ORDER ||
        MOST_SPARSE * visits->bytes < visits->last_end - visits->begin)
        return 1;
    const double of_group = (double)visits->bytes / visits->groups;
    return (double)meetings->lines * PS_LINE / of_group / (double)MAX(groups, 1);
}

gboolean ps_meetings_best(const PsMeetings *meetings, guint64 groups, PsPlaceOfMeeting *place)
{
    const guint best = best_of(meetings, 0, 1);
    place->lines = meetings->lines;
    place->share = best == PS_NO_LINE ? 0 : share_of_halves(meetings);
    place->turns =
        meetings->requests > 0 ? (double)sum_of(meetings->turns) / (double)meetings->requests : 0;
    if (best != PS_NO_LINE)
        place->share =
            MIN(place->share,
                room_of(meetings, &g_array_index(meetings->visits, Visits, best), groups));
    if (place->share < LEAST_SHARE)
        return FALSE;
    place->line = meetings->places.lines[best] * meetings->lines;
    return TRUE;
}
