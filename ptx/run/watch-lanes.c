/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the lanes whose shuffle reads a lane that gives no value.
 */
#include "ptx/alu/lanes.h"
#include "ptx/run/watch.h"

/* Operands of a shuffle: value, lane, segment, and the lanes that take part, of shfl.sync. */
#define WITH_MASK 4

guint32 ps_ptx_watch_astray(const PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                            guint32 *surely)
{
    const gboolean has_mask = step->n_from == WITH_MASK;
    guint32 astray = 0;
    *surely = 0;
    if (mask == G_MAXUINT32 && !has_mask)
        return 0;
    const guint64 *b = runner->open.slots[step->from[1]];
    const guint64 *c = runner->open.slots[step->from[2]];
    const guint64 *members = has_mask ? runner->open.slots[step->from[WITH_MASK - 1]] : NULL;
    guint64 all = G_MAXUINT32;
    for (guint lane = 0; members && lane < PS_PTX_LANES; lane++)
        all &= members[lane];
    if (mask == G_MAXUINT32 && all == mask)
        return 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        gboolean inside;
        const guint from =
            ps_ptx_shuffle_from(step->kind, lane, (guint32)b[lane], (guint32)c[lane], &inside);
        const guint32 giver = (guint32)1 << from;
        const guint32 gives = members ? (guint32)members[lane] & runner->live : mask;
        if (!inside || from == lane || (gives & giver) != 0)
            continue;
        astray |= (guint32)1 << lane;
        if (members || (runner->live & giver) == 0)
            *surely |= (guint32)1 << lane;
    }
    return astray;
}
