/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where lanes are apart: from a branch that not all lanes of a warp took to the point where they
 * meet again. There an instruction keeps the other lanes' register. The record does not tell which
 * lanes took part, but the executor noted the branches that ever parted lanes. The sides of a
 * branch run one after the other; each gets its number when its first step comes.
 */
#include "lift/values/spots.h"

#define MOST_SKIPPED 64

/* TRUE if lanes that part at this branch meet outside of the loop: then they run different numbers
 * of iterations. */
static gboolean meets_outside(const PsPtxCode *code, guint branch, guint loop)
{
    const guint meet = code->points[branch].meet;
    return loop == PS_PTX_NOWHERE || !ps_ptx_code_in_loop(code, meet, loop);
}

/* Marks the whole loop if some lanes leave it before others. */
static void mark_loops(PsSpots *spots, guint at)
{
    const PsPtxCode *code = spots->facts->code;
    const guint branch = ps_spot(spots, at)->point;
    guint loop = ps_spot(spots, at)->around;
    while (loop != PS_NO_SPOT && meets_outside(code, branch, ps_spot(spots, loop)->loop)) {
        for (guint i = loop + 1; i < ps_spot(spots, loop)->partner; i++)
            ps_spot(spots, i)->partial = TRUE;
        loop = ps_spot(spots, loop)->around;
    }
}

/* A branch that parted lanes which have not met yet. */
typedef struct {
    guint branch;      /* its point */
    gboolean has_ways; /* its paths are sides, rather than staying in a loop and leaving it */
    guint side;        /* the present side; 0: none yet */
} Parted;

/* Ends the parting of branches whose lanes meet here, and of all branches inside of them. */
static void meet(const PsPtxCode *code, GArray *open, guint point)
{
    for (guint i = 0; i < open->len; i++) {
        const guint branch = g_array_index(open, Parted, i).branch;
        if (code->points[branch].meet == point || branch == point) {
            g_array_set_size(open, i);
            return;
        }
    }
}

/* TRUE if a path from the branch begins at the point. */
static gboolean leads_to(const PsPtxCode *code, guint branch, guint point)
{
    const PsPtxPoint *from = &code->points[branch];
    for (guint i = 0; from->targets && i < from->targets->len; i++)
        if (g_array_index(from->targets, guint, i) == point)
            return TRUE;
    return point == branch + 1 || point == from->target;
}

/* Where a path begins, all branches on the path before it are over. */
static void turn(const PsPtxCode *code, GArray *open, guint point, guint *sides)
{
    for (guint i = open->len; i-- > 0;) {
        Parted *parted = &g_array_index(open, Parted, i);
        if (!parted->has_ways || !leads_to(code, parted->branch, point))
            continue;
        parted->side = ++*sides;
        g_array_set_size(open, i + 1);
        return;
    }
}

/* The innermost side of the present path. */
static guint side_of(const GArray *open)
{
    for (guint i = open->len; i-- > 0;)
        if (g_array_index(open, Parted, i).side)
            return g_array_index(open, Parted, i).side;
    return 0;
}

/* The first of the points between the last step and this one that left no record because their
 * guards were false in all lanes. */
static guint first_passed(const PsPtxCode *code, guint last, guint point)
{
    guint p = point;
    while (last != PS_PTX_NOWHERE && p > last + 1 && point - p < MOST_SKIPPED &&
           code->points[p - 1].instruction->guard >= 0)
        p--;
    return last != PS_PTX_NOWHERE && p == last + 1 ? p : point;
}

static gboolean parts_lanes(const PsFacts *facts, guint point)
{
    return facts->apart && facts->apart[point];
}

static guint loop_around(const PsSpots *spots, guint i)
{
    const guint around = ps_spot(spots, i)->around;
    return around == PS_NO_SPOT ? PS_PTX_NOWHERE : ps_spot(spots, around)->loop;
}

/* Notes that the lanes that came to this spot part. */
static void part(PsSpots *spots, guint i, GArray *open)
{
    const guint branch = ps_spot(spots, i)->point, loop = loop_around(spots, i);
    const gboolean leaves =
        loop != PS_PTX_NOWHERE && meets_outside(spots->facts->code, branch, loop);
    const Parted parted = {branch, !leaves, 0};
    g_array_append_val(open, parted);
    mark_loops(spots, i);
}

void ps_spots_find_partial(PsSpots *spots)
{
    const PsPtxCode *code = spots->facts->code;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Parted));
    guint last = PS_PTX_NOWHERE, sides = 0;
    for (guint i = 0; i < spots->spots->len; i++) {
        PsSpot *spot = ps_spot(spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        for (guint p = first_passed(code, last, spot->point); p <= spot->point; p++) {
            meet(code, open, p);
            turn(code, open, p, &sides);
        }
        spot->partial = spot->partial || open->len > 0;
        spot->side = side_of(open);
        if (parts_lanes(spots->facts, spot->point))
            part(spots, i, open);
        last = spot->point;
    }
}
