/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where lanes are apart. A record does not say so, but what follows a step that control flow does
 * not lead to is the other side of a branch, and from the branch on, until its lanes meet, writing a
 * register leaves what other lanes have there.
 */
#include "idg/ptx/graph/spots.h"

#define MOST_SKIPPED 64 /* points whose guard was false in all lanes are not recorded */

/* A branch whose lanes may be apart. */
typedef struct {
    guint spot, point;
    gboolean apart;
} Open;

static gboolean leads_to(const PsPtxCode *code, guint from, guint to)
{
    if (from == PS_PTX_NOWHERE || from > to || to - from > MOST_SKIPPED)
        return FALSE;
    for (guint p = from; p < to; p++)
        if (code->points[p].instruction->guard < 0)
            return FALSE;
    return TRUE;
}

static gboolean is_unconditional(const PsPtxPoint *point)
{
    return point->instruction->guard < 0 &&
           (point->target != PS_PTX_NOWHERE || point->targets != NULL);
}

static gboolean follows(const PsPtxCode *code, guint from, guint to)
{
    const PsPtxPoint *point = &code->points[from];
    if (leads_to(code, point->target, to))
        return TRUE;
    for (guint i = 0; point->targets && i < point->targets->len; i++)
        if (leads_to(code, g_array_index(point->targets, guint, i), to))
            return TRUE;
    return !is_unconditional(point) && leads_to(code, from + 1, to);
}

static void mark_apart(PsSpots *spots, GArray *open, guint at, guint point)
{
    for (guint i = open->len; i-- > 0;) {
        Open *branch = &g_array_index(open, Open, i);
        if (!follows(spots->facts->code, branch->point, point))
            continue;
        branch->apart = TRUE;
        for (guint j = branch->spot + 1; j < at; j++)
            ps_spot(spots, j)->partial = TRUE;
        return;
    }
}

/* Branches whose lanes meet here are over, and all within them. */
static void meet(const PsPtxCode *code, GArray *open, guint point)
{
    for (guint i = 0; i < open->len; i++) {
        const guint branch = g_array_index(open, Open, i).point;
        if (code->points[branch].meet == point || branch == point) {
            g_array_set_size(open, i);
            return;
        }
    }
}

static gboolean is_any_apart(const GArray *open)
{
    for (guint i = 0; i < open->len; i++)
        if (g_array_index(open, Open, i).apart)
            return TRUE;
    return FALSE;
}

void ps_spots_find_partial(PsSpots *spots)
{
    const PsPtxCode *code = spots->facts->code;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open));
    guint last = PS_PTX_NOWHERE;
    for (guint i = 0; i < spots->spots->len; i++) {
        PsSpot *spot = ps_spot(spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        const PsPtxPoint *point = &code->points[spot->point];
        meet(code, open, spot->point);
        if (last != PS_PTX_NOWHERE && !follows(code, last, spot->point))
            mark_apart(spots, open, i, spot->point);
        spot->partial = is_any_apart(open);
        if (point->instruction->guard >= 0 && point->target != PS_PTX_NOWHERE) {
            const Open branch = {i, spot->point, FALSE};
            g_array_append_val(open, branch);
        }
        last = spot->point;
    }
}
