/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that the groups of a launch go through in order, one part after the other, and begin anew
 * at their end: rows of positions that each sequence of a batch adds, a ring that is read again and
 * again. A cache that forgets what it used longest ago finds none of such a buffer again where it
 * has no room for all that is touched on the way round, and all of it where it has.
 *
 * Hardware comes near to that. An L40, whose L2 has 96 MB, finds a fifth of 108 MB that are read
 * again and again and a twentieth of 118 (gpu-l2-cache of gpu-benches), so what it finds falls by
 * exp(-13 (x - 1)) where x times as much is touched as it has room for.
 */
#include "lift/memory/cache-private.h"

#include <math.h>

#define LEAST_GROUPS 6 /* groups that show whether there is an order */
#define FORGETS 13     /* see above */

/* A group's number in the launch, and the first line of the buffer that it touches. */
typedef struct {
    guint64 group, line;
} Place;

static gboolean find_place(const PsGroups *groups, const PsLineGroup *group, guint extent,
                           Place *place)
{
    const guint *grid = groups->rules.grid, *at = group->group;
    place->group = at[0] + grid[0] * ((guint64)at[1] + (guint64)grid[1] * at[2]);
    place->line = G_MAXUINT64;
    for (guint i = 0; i < group->what->len; i++)
        if (ps_extent_at(&groups->rules, group->lines.lines[i]) == extent)
            place->line = MIN(place->line, group->lines.lines[i]);
    return place->line != G_MAXUINT64;
}

static GArray *find_places(const PsGroups *groups, guint extent)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
    Place place;
    for (const GList *link = groups->kept.head; link; link = link->next)
        if (find_place(groups, link->data, extent, &place))
            g_array_append_val(places, place);
    return places;
}

/* Lines from one place on to another in a buffer of so many, whose end is its beginning. */
static guint64 lines_on(const Place *from, const Place *to, guint64 lines)
{
    return to->line >= from->line ? to->line - from->line : lines - (from->line - to->line);
}

/* Lines from a group's place to the next group's, by two adjacent groups; 0: there are none. */
static guint64 step_of(const GArray *places, guint64 lines)
{
    for (guint a = 0; a < places->len; a++)
        for (guint b = 0; b < places->len; b++) {
            const Place *one = &g_array_index(places, Place, a);
            const Place *next = &g_array_index(places, Place, b);
            if (next->group == one->group + 1)
                return lines_on(one, next, lines);
        }
    return 0;
}

gboolean ps_sweep_is(const PsGroups *groups, guint extent)
{
    const guint64 lines = groups->rules.extents[extent].size / PS_LINE;
    if (lines == 0 || groups->rules.extents[extent].size % PS_LINE != 0)
        return FALSE;
    g_autoptr(GArray) places = find_places(groups, extent);
    const guint64 step = step_of(places, lines);
    gboolean in_order = step > 0 && places->len >= LEAST_GROUPS;
    for (guint i = 1; i < places->len && in_order; i++) {
        const Place *a = &g_array_index(places, Place, 0), *b = &g_array_index(places, Place, i);
        const guint64 on = b->group > a->group ? lines_on(a, b, lines) : lines_on(b, a, lines);
        const guint64 groups_on = MAX(a->group, b->group) - MIN(a->group, b->group);
        in_order = on % lines == groups_on % lines * step % lines;
    }
    return in_order;
}

double ps_sweep_lost(double between, double l2)
{
    return between > l2 ? -expm1(-FORGETS * (between / l2 - 1)) : 0;
}
