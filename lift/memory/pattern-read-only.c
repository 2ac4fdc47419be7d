/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where L1 keeps nothing of plain loads (PsPatternRules, l1_global), it keeps what comes by the
 * read-only path. Which loads could go by it: those of buffers that no group which was executed
 * wrote, if none has code that writes and was not executed, since that might write anywhere. What
 * they would ask of L2 then is what is left of the compute unit's requests by another pass through
 * its L1.
 */
#include "lift/memory/pattern-private.h"

#include "ptx/code/code.h"

/* ---- buffers that are written ---------------------------------------------------------------- */

void ps_patterns_note_extents(PsPatterns *patterns, Slot *slot, PsAccess access)
{
    const PsPatternRules *rules = &patterns->rules;
    const gboolean reads = access == PS_ACCESS_LOAD;
    if (rules->l1_global || rules->l1 == 0 || (reads && !slot->plain))
        return;
    for (guint i = 0; i < patterns->scratch.touches->len; i++) {
        const PsTouch *touch = &g_array_index(patterns->scratch.touches, PsTouch, i);
        const guint extent = ps_extent_at(rules, touch->line);
        if (!reads)
            patterns->written[extent] = TRUE;
        else if (slot->extent != extent)
            slot->extent = slot->extent == PS_NO_EXTENT ? extent : rules->n_extents;
    }
}

/* TRUE if code that no group reached writes to global memory. */
static gboolean may_write_elsewhere(const PsPatterns *patterns)
{
    for (guint i = 0; i < patterns->code->n_points; i++) {
        const PsPtxMnemonic *mnemonic = patterns->code->points[i].instruction->mnemonic;
        if (!patterns->slots[i] && ps_access_of(mnemonic) != PS_ACCESS_LOAD &&
            (mnemonic->space == PS_PTX_GLOBAL || mnemonic->space == PS_PTX_GENERIC))
            return TRUE;
    }
    return FALSE;
}

/* ---- loads that could go by the path --------------------------------------------------------- */

static gboolean is_read_only(const PsPatterns *patterns, const Node *node)
{
    const guint extent = node->slot->extent;
    return node->slot->plain && node->pattern.space == PS_PTX_GLOBAL &&
           extent < patterns->rules.n_extents && !patterns->written[extent];
}

/* [pattern]: requests of its loads at L2; NULL: none could take the read-only path. */
static guint8 *find_loads(const PsPatterns *patterns)
{
    g_autofree guint8 *loads = g_new0(guint8, patterns->all->len + 1);
    gboolean any = FALSE;
    if (patterns->rules.l1_global || patterns->rules.l1 == 0 || may_write_elsewhere(patterns))
        return NULL;
    for (guint i = 0; i < patterns->all->len; i++) {
        loads[i] = is_read_only(patterns, patterns->all->pdata[i]);
        any = any || loads[i];
    }
    return any ? g_steal_pointer(&loads) : NULL;
}

static void add_passed(PsPassed *sum, const GArray *passed, const Node *node)
{
    if (node->number >= passed->len)
        return;
    sum->l1 += g_array_index(passed, PsPassed, node->number).l1;
    sum->l2 += g_array_index(passed, PsPassed, node->number).l2;
}

/* The share that L1 passes: of the sectors of a pattern's family, or, if no group of the compute
 * unit asked for these, of those of its point; 1: there are none either. */
static double share_of(const GArray *passed, const Node *of)
{
    PsPassed family = {0}, point = {0};
    for (guint i = 0; i < of->slot->nodes->len; i++) {
        const Node *node = of->slot->nodes->pdata[i];
        add_passed(&point, passed, node);
        if (ps_nodes_related(node, of))
            add_passed(&family, passed, node);
    }
    const PsPassed *sum = family.l1 > 0 ? &family : &point;
    return sum->l1 > 0 ? (double)sum->l2 / (double)sum->l1 : 1;
}

void ps_patterns_find_read_only(PsPatterns *patterns)
{
    g_autofree guint8 *loads = find_loads(patterns);
    if (!loads)
        return;
    g_autoptr(GArray) passed = g_array_new(FALSE, TRUE, sizeof(PsPassed));
    ps_unit_replay(patterns->unit, loads, passed);
    for (guint i = 0; i < patterns->all->len; i++) {
        Node *node = patterns->all->pdata[i];
        if (loads[i])
            node->traffic.read_only = node->traffic.l1 * share_of(passed, node);
    }
}
