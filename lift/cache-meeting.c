/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where requests of many groups meet: the line that most of the sectors lie in that stores and
 * atomics of one instruction touch. Groups beside each other share lines at their edges, which does
 * not mean that all groups meet there. So only groups that lie far apart are looked at, and most of
 * them must have touched the line.
 */
#include "lift/cache.h"

#define LEAST_SHARE 0.01 /* share of the sectors; a line with less does not matter */

typedef struct {
    gint64 sectors;
    guint groups, last; /* how many groups touched the line, and the last one that did */
} Visits;

struct PsMeetings {
    PsLines lines;
    GArray *visits; /* Visits, by number of the line */
    gint64 sectors; /* of all lines */
    guint groups, last;
};

PsMeetings *ps_meetings_new(void)
{
    PsMeetings *meetings = g_new0(PsMeetings, 1);
    meetings->visits = g_array_new(FALSE, TRUE, sizeof(Visits));
    return meetings;
}

void ps_meetings_free(PsMeetings *meetings)
{
    if (!meetings)
        return;
    ps_lines_clear(&meetings->lines);
    g_array_unref(meetings->visits);
    g_free(meetings);
}

void ps_meetings_add(PsMeetings *meetings, guint group, const GArray *touches)
{
    meetings->groups += meetings->groups == 0 || meetings->last != group;
    meetings->last = group;
    for (guint i = 0; i < touches->len; i++) {
        const PsTouch *touch = &g_array_index(touches, PsTouch, i);
        guint number = ps_lines_find(&meetings->lines, touch->line);
        if (number == PS_NO_LINE) {
            number = ps_lines_add(&meetings->lines, touch->line);
            g_array_set_size(meetings->visits, number + 1);
        }
        Visits *visits = &g_array_index(meetings->visits, Visits, number);
        const guint n = ps_count_sectors(touch->sectors);
        visits->groups += visits->groups == 0 || visits->last != group;
        visits->last = group;
        visits->sectors += n;
        meetings->sectors += n;
    }
}

gboolean ps_meetings_best(const PsMeetings *meetings, guint64 *line, double *share)
{
    const Visits *best = NULL;
    for (guint i = 0; i < meetings->visits->len; i++) {
        const Visits *visits = &g_array_index(meetings->visits, Visits, i);
        if (visits->groups < 2 || 2 * visits->groups <= meetings->groups ||
            (best && visits->sectors <= best->sectors))
            continue;
        best = visits;
        *line = meetings->lines.lines[i];
    }
    *share = best ? (double)best->sectors / (double)meetings->sectors : 0;
    return *share >= LEAST_SHARE;
}
