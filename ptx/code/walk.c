/* SPDX-License-Identifier: BSD-3-Clause */
#include "ptx/code/walk.h"

#include "ptx/code/expand.h"

#include <string.h>

#define MOST_CELLS ((gsize)1 << 23) /* most registers at the beginnings of blocks */

/* Hands the facts at the end of a block on to the beginning of the one at `target`. */
static void reach(PsPtxWalk *walk, guint target)
{
    if (target >= walk->code->n_points) /* the end, or nowhere */
        return;
    const guint block = walk->block_of[target], n = walk->code->n_registers;
    guint *there = &walk->beginning[(gsize)block * n];
    for (guint i = 0; i < n; i++) {
        const guint joined = walk->walker.join(walk->walker.user, there[i], walk->now[i]);
        walk->waits[block] |= joined != there[i];
        there[i] = joined;
    }
}

static void leave(PsPtxWalk *walk, guint point)
{
    const PsPtxPoint *at = &walk->code->points[point];
    const gboolean parts =
        at->target != PS_PTX_NOWHERE || at->targets || ps_ptx_leaves(at) != PS_PTX_STAYS;
    reach(walk, at->target);
    for (guint i = 0; at->targets && i < at->targets->len; i++)
        reach(walk, g_array_index(at->targets, guint, i));
    if (!parts || at->instruction->guard >= 0)
        reach(walk, point + 1);
}

/* Follows a block, from its leader to the point before the next one. */
static void pass_block(PsPtxWalk *walk, guint first, gboolean learns)
{
    const PsPtxCode *code = walk->code;
    const gsize n = code->n_registers;
    guint last = first;
    memcpy(walk->now, &walk->beginning[walk->block_of[first] * n], n * sizeof(guint));
    for (guint i = first; i < code->n_points && (i == first || !code->points[i].leader); i++)
        walk->walker.pass(walk->walker.user, last = i);
    if (learns)
        leave(walk, last);
}

static gboolean pass_waiting(PsPtxWalk *walk)
{
    gboolean changes = FALSE;
    for (guint i = 0; i < walk->code->n_points; i++) {
        if (!walk->code->points[i].leader || !walk->waits[walk->block_of[i]])
            continue;
        walk->waits[walk->block_of[i]] = FALSE;
        changes = TRUE;
        pass_block(walk, i, TRUE);
    }
    return changes;
}

gboolean ps_ptx_walk_settle(PsPtxWalk *walk)
{
    gboolean any = FALSE;
    while (pass_waiting(walk))
        any = TRUE;
    return any;
}

void ps_ptx_walk_all(PsPtxWalk *walk, gboolean learns)
{
    for (guint i = 0; i < walk->code->n_points; i++) {
        if (!walk->code->points[i].leader)
            continue;
        walk->waits[walk->block_of[i]] = FALSE;
        pass_block(walk, i, learns);
    }
}

gboolean ps_ptx_walk_init(PsPtxWalk *walk, const PsPtxCode *code, PsPtxWalker walker)
{
    *walk = (PsPtxWalk){.code = code, .walker = walker};
    for (guint i = 0; i < code->n_points; i++)
        walk->n_blocks += code->points[i].leader;
    if ((gsize)walk->n_blocks * code->n_registers > MOST_CELLS)
        return FALSE;
    walk->block_of = g_new0(guint, code->n_points + 1);
    walk->beginning = g_new0(guint, (gsize)walk->n_blocks * code->n_registers + 1);
    walk->now = g_new0(guint, code->n_registers + 1);
    walk->waits = g_new0(gboolean, walk->n_blocks + 1);
    guint block = 0;
    for (guint i = 0; i < code->n_points; i++)
        if (code->points[i].leader)
            walk->block_of[i] = block++;
    walk->waits[0] = TRUE;
    return TRUE;
}

void ps_ptx_walk_clear(PsPtxWalk *walk)
{
    g_free(walk->block_of);
    g_free(walk->beginning);
    g_free(walk->now);
    g_free(walk->waits);
}
