/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The patterns of each point, there once each, with their sums; and their means, for records that
 * gave up telling patterns apart. A mean's sums are those of all patterns of its point, so its
 * shares are right where all of them were given up; means are not among ps_patterns_all.
 * pattern-settle.c sets what depends on all groups, means among them.
 *
 * Most accesses are like the one before them at the same point, somewhere else: lanes at the same
 * distances from the first, which is at the same offset in its line; in shared memory in its word,
 * since other banks in the same order conflict alike. Each point remembers its last access; nothing
 * need be measured then.
 */
#include "lift/memory/joins.h"
#include "lift/memory/pattern-private.h"

#include <string.h>

static void slot_free(Slot *slot)
{
    if (!slot)
        return;
    g_ptr_array_unref(slot->nodes);
    g_ptr_array_unref(slot->means);
    ps_meetings_free(slot->meetings);
    g_array_unref(slot->memory.touches);
    g_free(slot);
}

PsPatterns *ps_patterns_new(const PsPtxCode *code, const PsPatternRules *rules)
{
    PsPatterns *patterns = g_new0(PsPatterns, 1);
    patterns->code = code;
    patterns->rules = *rules;
    patterns->slots = g_new0(Slot *, MAX(code->n_points, 1));
    patterns->joins = ps_joins_new(code);
    patterns->all = g_ptr_array_new_with_free_func(g_free);
    patterns->means = g_ptr_array_new_with_free_func(g_free);
    patterns->groups = ps_groups_new(rules);
    patterns->unit = ps_unit_new(rules);
    patterns->besides = ps_besides_new(rules, code->n_points);
    patterns->meetings = ps_meetings_new(rules->place, NULL);
    patterns->written = g_new0(guint8, rules->n_extents + 1);
    patterns->passed = g_array_new(FALSE, TRUE, sizeof(PsPassed));
    patterns->scratch.touches = g_array_new(FALSE, FALSE, sizeof(PsTouch));
    patterns->scratch.words = g_array_new(FALSE, FALSE, sizeof(guint64));
    return patterns;
}

void ps_patterns_free(PsPatterns *patterns)
{
    if (!patterns)
        return;
    for (guint i = 0; i < patterns->code->n_points; i++)
        slot_free(patterns->slots[i]);
    g_free(patterns->slots);
    g_free(patterns->joins);
    g_free(patterns->copies);
    g_ptr_array_unref(patterns->all);
    g_ptr_array_unref(patterns->means);
    ps_groups_free(patterns->groups);
    ps_unit_free(patterns->unit);
    ps_besides_free(patterns->besides);
    ps_meetings_free(patterns->meetings);
    ps_wave_free(patterns->wave);
    g_free(patterns->written);
    g_array_unref(patterns->passed);
    g_array_unref(patterns->scratch.touches);
    g_array_unref(patterns->scratch.words);
    g_free(patterns);
}

/* ---- points -------------------------------------------------------------------------------- */

static gboolean has_one(const PsPtxMnemonic *mnemonic, const char *const *parts)
{
    for (guint i = 0; parts[i]; i++)
        if (ps_ptx_has(mnemonic, parts[i]))
            return TRUE;
    return FALSE;
}

/* Loads that bypass L1. */
static const char *const never[] = {
    "cg", "cv", "volatile", "relaxed", "acquire", "mmio", "L1::no_allocate", "bulk", NULL};

/* TRUE for loads whose sectors L1 keeps. */
static gboolean kept(const PsPtxMnemonic *mnemonic, gboolean by_default)
{
    static const char *const always[] = {"nc", "ca", NULL};
    if (has_one(mnemonic, never))
        return FALSE;
    return by_default || has_one(mnemonic, always) || !strcmp(mnemonic->opcode, "ldu");
}

static Slot *slot_of(PsPatterns *patterns, guint point)
{
    Slot *slot = patterns->slots[point];
    if (slot)
        return slot;
    const PsPtxMnemonic *mnemonic = patterns->code->points[point].instruction->mnemonic;
    slot = patterns->slots[point] = g_new0(Slot, 1);
    slot->access = ps_access_of(mnemonic);
    slot->besides = patterns->besides;
    slot->copies = !strcmp(mnemonic->opcode, "cp");
    slot->to = mnemonic->space;
    slot->counts = slot->access == PS_ACCESS_ATOMIC && patterns->rules.counts &&
                   ps_point_counts(patterns->code, point);
    slot->keep = kept(mnemonic, patterns->rules.l1_global);
    slot->plain = !slot->keep && !has_one(mnemonic, never) && !strcmp(mnemonic->opcode, "ld");
    slot->no_more = ps_ptx_has(mnemonic, "lu");
    slot->extent = PS_NO_EXTENT;
    slot->nodes = g_ptr_array_new();
    slot->means = g_ptr_array_new();
    slot->memory.touches = g_array_new(FALSE, FALSE, sizeof(PsTouch));
    return slot;
}

PsAccess ps_slot_access(const Slot *slot, PsPtxSpace space)
{
    if (slot->counts && space == PS_PTX_SHARED)
        return PS_ACCESS_COUNT;
    return slot->copies && space != slot->to ? PS_ACCESS_LOAD : slot->access;
}

/* ---- patterns ------------------------------------------------------------------------------ */

static gboolean alike(const PsPattern *a, const PsPattern *b)
{
    return a->space == b->space && a->bytes == b->bytes && a->sectors == b->sectors &&
           a->least == b->least && a->degree == b->degree && a->passes == b->passes &&
           a->broadcast == b->broadcast && a->pairs == b->pairs && a->wait == b->wait;
}

static Node *mean_for(PsPatterns *patterns, Slot *slot, const PsPattern *pattern)
{
    for (guint i = 0; i < slot->means->len; i++) {
        Node *mean = g_ptr_array_index(slot->means, i);
        if (mean->pattern.space == pattern->space && mean->pattern.bytes == pattern->bytes)
            return mean;
    }
    Node *mean = g_new0(Node, 1);
    mean->pattern = *pattern;
    mean->mean = mean;
    mean->slot = slot;
    g_ptr_array_add(slot->means, mean);
    g_ptr_array_add(patterns->means, mean);
    return mean;
}

static Node *node_for(PsPatterns *patterns, Slot *slot, const PsPattern *pattern)
{
    if (slot->last && alike(&slot->last->pattern, pattern))
        return slot->last;
    for (guint i = 0; i < slot->nodes->len; i++) {
        Node *node = g_ptr_array_index(slot->nodes, i);
        if (alike(&node->pattern, pattern))
            return slot->last = node;
    }
    Node *node = g_new0(Node, 1);
    node->pattern = *pattern;
    node->number = patterns->all->len;
    node->slot = slot;
    node->mean = mean_for(patterns, slot, pattern);
    g_ptr_array_add(slot->nodes, node);
    g_ptr_array_add(patterns->all, node);
    return slot->last = node;
}

/* ---- accesses ------------------------------------------------------------------------------ */

#define WORD 4

/* The part of the first lane's address on which an access's pattern depends. */
static guint64 offset_of(PsPtxSpace space, guint64 first)
{
    return first % (space == PS_PTX_SHARED ? WORD : PS_LINE);
}

static gboolean is_like(const Memory *memory, const PsPtxEvent *event, guint64 first)
{
    if (!memory->node || memory->mask != event->mask || memory->space != event->space ||
        memory->bytes != event->bytes || memory->wait != event->wait ||
        memory->offset != offset_of(event->space, first))
        return FALSE;
    guint64 differ = 0;
    if (event->mask == G_MAXUINT32) {
        for (guint i = 0; i < PS_PTX_LANES; i++)
            differ |= (event->address[i] - first) ^ memory->distance[i];
        return differ == 0;
    }
    for (guint i = 0; i < PS_PTX_LANES; i++)
        differ |= ((event->address[i] - first) ^ memory->distance[i]) & memory->takes_part[i];
    return differ == 0;
}

static void shift(GArray *touches, const GArray *from, guint64 lines)
{
    g_array_set_size(touches, from->len);
    for (guint i = 0; i < from->len; i++) {
        PsTouch touch = g_array_index(from, PsTouch, i);
        touch.line += lines;
        g_array_index(touches, PsTouch, i) = touch;
    }
}

static void remember(Memory *memory, Node *node, const PsPtxEvent *event, const GArray *touches)
{
    guint64 first = event->address[__builtin_ctz(event->mask)];
    memory->node = node;
    memory->space = event->space;
    memory->bytes = event->bytes;
    memory->wait = event->wait;
    memory->mask = event->mask;
    memory->offset = offset_of(event->space, first);
    for (guint i = 0; i < PS_PTX_LANES; i++) {
        gboolean takes_part = (event->mask >> i & 1) != 0;
        memory->takes_part[i] = takes_part ? G_MAXUINT64 : 0;
        memory->distance[i] = takes_part ? event->address[i] - first : 0;
    }
    shift(memory->touches, touches, -(first / PS_LINE));
    if (event->space == PS_PTX_GLOBAL)
        memory->lanes = ps_lanes(event->mask, event->bytes, memory->distance);
}

static void add_demand(PsDemand *sum, const PsDemand *more)
{
    sum->sectors += more->sectors;
    sum->passes += more->passes;
}

/* Finds or makes the pattern of an access, counts its wavefronts, and leaves its sectors in
 * `scratch`. */
static Node *find(PsPatterns *patterns, Slot *slot, const PsPtxEvent *event, PsAccess access)
{
    guint64 first = event->address[__builtin_ctz(event->mask)];
    GArray *touches = patterns->scratch.touches;
    if (event->n_pieces == 0 && is_like(&slot->memory, event, first)) {
        shift(touches, slot->memory.touches, first / PS_LINE);
        slot->memory.node->now.wavefronts += slot->memory.wavefronts;
        add_demand(&patterns->demand, &slot->memory.demand);
        return slot->memory.node;
    }
    PsPattern pattern;
    ps_pattern_measure(event, access, &pattern, &patterns->scratch);
    Node *node = node_for(patterns, slot, &pattern);
    node->strange += node->pattern.spread != pattern.spread;
    node->now.wavefronts += pattern.wavefronts;
    ps_pattern_demand(&pattern, &patterns->demand);
    if (event->space == PS_PTX_LOCAL) /* the words are elsewhere: see pattern.c */
        return node;
    slot->memory.wavefronts = pattern.wavefronts;
    slot->memory.demand = (PsDemand){0};
    ps_pattern_demand(&pattern, &slot->memory.demand);
    remember(&slot->memory, node, event, touches);
    return node;
}

/* A load brings the sectors in `scratch`, with those that its GPU moves along. */
static void widen(const PsPatterns *patterns)
{
    GArray *touches = patterns->scratch.touches;
    if (patterns->rules.sector <= PS_SECTOR)
        return;
    for (guint i = 0; i < touches->len; i++) {
        PsTouch *touch = &g_array_index(touches, PsTouch, i);
        touch->sectors = ps_parts_of(touch->sectors, patterns->rules.sector);
    }
}

/* Sends the sectors in `scratch` through the caches. */
static void send(PsPatterns *patterns, Slot *slot, Node *node, const PsPtxEvent *event)
{
    const gboolean private = event->space == PS_PTX_LOCAL;
    const PsAccess access = ps_slot_access(slot, event->space);
    const PsRequest request = {.number = node->number,
                               .access = private ? PS_ACCESS_LOAD : access,
                               .keep = private || slot->keep,
                               .private = private,
                               .writes = private && access == PS_ACCESS_STORE,
                               .last = private && slot->no_more,
                               .joins = patterns->joins[event->point],
                               .loop = access == PS_ACCESS_LOAD
                                           ? patterns->code->points[event->point].loop
                                           : PS_PTX_NOWHERE};
    const GArray *touches = patterns->scratch.touches;
    if (event->space != PS_PTX_GLOBAL && !private)
        return;
    if (!private && access == PS_ACCESS_LOAD)
        widen(patterns);
    if (!private)
        ps_patterns_note_extents(patterns, slot, access);
    ps_groups_access(patterns->groups, &request, touches, &node->now.passed);
    if (patterns->what.of_unit)
        ps_unit_access(patterns->unit, event->warp, &request, touches);
    if (private || access == PS_ACCESS_LOAD || !patterns->what.apart)
        return;
    if (!slot->meetings)
        slot->meetings = ps_meetings_new(patterns->rules.place, patterns->meetings);
    ps_meetings_add(slot->meetings, patterns->n_groups, touches, event, access == PS_ACCESS_ATOMIC);
}

static void note_atomic(Slot *slot, const PsPtxEvent *event)
{
    const guint64 first = event->address[__builtin_ctz(event->mask)];
    slot->at = slot->atomics ? slot->at : first;
    slot->elsewhere = slot->elsewhere || first != slot->at;
    slot->met += slot->memory.lanes.meet;
    slot->lanes += __builtin_popcount(event->mask);
    slot->atomics++;
}

/* Compares the places of accesses to global memory. */
static void compare(const PsPatterns *patterns, Slot *slot, const PsPtxEvent *event)
{
    if (event->space != PS_PTX_GLOBAL || slot->copies || event->bytes == 0 || event->mask == 0)
        return;
    if (slot->access == PS_ACCESS_ATOMIC)
        note_atomic(slot, event);
    ps_besides_access(patterns->besides, event, slot->access != PS_ACCESS_LOAD,
                      &slot->memory.lanes);
}

/* The i-th access of an instruction with several. */
static PsPtxEvent part_of(const PsPtxEvent *event, guint i)
{
    PsPtxEvent part = *event;
    part.n_more = 0;
    if (i > 0)
        part.address = event->more[i - 1];
    return part;
}

/* The pattern of an instruction with several accesses: all of their sectors, and the mean degree of
 * conflicts over all passes. */
static Node *find_parts(PsPatterns *patterns, Slot *slot, const PsPtxEvent *event)
{
    const PsAccess access = ps_slot_access(slot, event->space);
    PsPattern sum = {
        .point = event->point, .space = event->space, .broadcast = TRUE, .pairs = TRUE};
    guint total = 0;
    for (guint i = 0; i <= event->n_more; i++) {
        const PsPtxEvent part = part_of(event, i);
        PsPattern one;
        ps_pattern_measure(&part, access, &one, &patterns->scratch);
        sum.bytes += one.bytes;
        sum.sectors += one.sectors;
        sum.wavefronts += one.wavefronts;
        sum.least += one.least;
        sum.passes += one.passes;
        total += one.degree * one.passes;
        sum.broadcast = sum.broadcast && one.broadcast;
        sum.pairs = sum.pairs && one.pairs;
    }
    sum.degree = sum.passes > 0 ? (total + sum.passes - 1) / sum.passes : 0;
    Node *node = node_for(patterns, slot, &sum);
    node->now.wavefronts += sum.wavefronts;
    ps_pattern_demand(&sum, &patterns->demand);
    for (guint i = 0; i <= event->n_more; i++) {
        const PsPtxEvent part = part_of(event, i);
        PsPattern one;
        ps_pattern_measure(&part, access, &one, &patterns->scratch);
        send(patterns, slot, node, &part);
    }
    return node;
}

/* An access without memory, since all lanes copy nothing. */
static const PsPattern *access_nothing(PsPatterns *patterns, Slot *slot, const PsPtxEvent *event)
{
    const PsPattern pattern = {.point = event->point, .space = event->space, .bytes = event->bytes};
    Node *node = node_for(patterns, slot, &pattern);
    node->now.requests++;
    return &node->pattern;
}

const PsPattern *ps_patterns_access(PsPatterns *patterns, const PsPtxEvent *event)
{
    Slot *slot = slot_of(patterns, event->point);
    if (event->mask == 0)
        return access_nothing(patterns, slot, event);
    Node *node = event->n_more > 0
                     ? find_parts(patterns, slot, event)
                     : find(patterns, slot, event, ps_slot_access(slot, event->space));
    if (event->n_more == 0) {
        send(patterns, slot, node, event);
        compare(patterns, slot, event);
    }
    node->now.requests++;
    node->now.lanes += event->mask == G_MAXUINT32 ? PS_PTX_LANES : __builtin_popcount(event->mask);
    return &node->pattern;
}

/* ---- groups that are not recorded ---------------------------------------------------------- */

void ps_patterns_ask(PsPatterns *patterns, const PsPtxEvent *event, PsDemand *sum)
{
    const Slot *slot = slot_of(patterns, event->point);
    const PsAccess access = ps_slot_access(slot, event->space);
    if (event->n_pieces == 0 && event->n_more == 0 &&
        is_like(&slot->memory, event, event->address[__builtin_ctz(event->mask)])) {
        add_demand(sum, &slot->memory.demand);
        return;
    }
    for (guint i = 0; i <= event->n_more; i++) {
        const PsPtxEvent part = part_of(event, i);
        PsPattern pattern;
        ps_pattern_measure(&part, access, &pattern, &patterns->scratch);
        ps_pattern_demand(&pattern, sum);
    }
}

PsDemand ps_patterns_demand(const PsPatterns *patterns)
{
    return patterns->demand;
}

/* ---- groups that only begin ----------------------------------------------------------------- */

void ps_patterns_wave_begins(PsPatterns *patterns, guint64 first)
{
    if (!patterns->wave)
        patterns->wave = ps_wave_new(patterns->code->n_points, first);
    ps_wave_begin(patterns->wave);
}

gboolean ps_patterns_wave_shares(const PsPatterns *patterns)
{
    return patterns->wave && ps_wave_shares(patterns->wave);
}

void ps_patterns_wave_access(PsPatterns *patterns, const PsPtxEvent *event)
{
    const Slot *slot = slot_of(patterns, event->point);
    const PsPtxEvent part = part_of(event, 0);
    PsPattern pattern;
    if (event->space != PS_PTX_GLOBAL || ps_slot_access(slot, event->space) != PS_ACCESS_LOAD)
        return;
    ps_pattern_measure(&part, PS_ACCESS_LOAD, &pattern, &patterns->scratch);
    widen(patterns);
    ps_wave_touch(patterns->wave, event->point, patterns->scratch.touches);
}

const GPtrArray *ps_patterns_all(const PsPatterns *patterns)
{
    return patterns->all;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* A new group begins. If the last one failed, its accesses are dropped. */
void ps_patterns_group_begins(PsPatterns *patterns, const guint group[3], PsPatternGroup what)
{
    for (guint i = 0; i < patterns->all->len; i++)
        ((Node *)g_ptr_array_index(patterns->all, i))->now = (Requests){0};
    patterns->what = what;
    patterns->demand = (PsDemand){0};
    patterns->n_groups++;
    ps_groups_begin(patterns->groups, group, what.strewn);
    ps_besides_begin(patterns->besides);
    if (what.of_unit)
        ps_unit_begin(patterns->unit, what.round);
}

void ps_patterns_enters(PsPatterns *patterns, guint warp)
{
    if (patterns->what.of_unit)
        ps_unit_enters(patterns->unit, warp);
}

void ps_patterns_group_ends(PsPatterns *patterns)
{
    ps_groups_end(patterns->groups);
    ps_besides_end(patterns->besides);
    if (patterns->what.of_unit)
        ps_unit_end(patterns->unit);
    for (guint i = 0; i < patterns->all->len; i++) {
        Node *node = g_ptr_array_index(patterns->all, i);
        node->pattern.requests += node->now.requests;
        node->pattern.lanes += node->now.lanes;
        node->pattern.to_l1 += node->now.passed.l1;
        node->pattern.to_l2 += node->now.passed.l2;
        node->wavefronts += node->now.wavefronts;
        node->found += node->now.passed.found;
        node->partial += node->now.passed.partial;
        node->now = (Requests){0};
    }
}
