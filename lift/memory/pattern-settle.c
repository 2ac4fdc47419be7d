/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes, when all groups have ended, what each pattern moves at each level.
 *
 * Patterns of a point whose lanes lie at the same distances, and so have the same spread, are a
 * family: they differ in where they begin, which is a matter of the group that was looked at. So
 * are those of a point whose distances differ from request to request (lists of indices). A
 * family's requests, sectors and misses are summed up, and each of its patterns moves their mean.
 */
#include "lift/memory/pattern-private.h"

/* The instruction's access to the memory of the pattern. */
static PsAccess node_access(const Node *node)
{
    return ps_slot_access(node->slot, node->pattern.space);
}

/* ---- families ------------------------------------------------------------------------------- */

/* [pattern]: number of the first one of its family. */
static guint *find_heads(const PsPatterns *patterns)
{
    guint *heads = g_new(guint, patterns->all->len + 1);
    for (guint i = 0; i < patterns->all->len; i++) {
        const Node *node = g_ptr_array_index(patterns->all, i);
        gpointer *others = node->slot->nodes->pdata;
        while (!ps_nodes_related(*others, node)) /* ends at the pattern itself at the latest */
            others++;
        heads[i] = ((const Node *)*others)->number;
    }
    return heads;
}

static PsPassed passed_of(const PsPatterns *patterns, const Node *node)
{
    if (node->number < patterns->passed->len)
        return g_array_index(patterns->passed, PsPassed, node->number);
    return (PsPassed){0};
}

/* Sums of a family. */
typedef struct {
    double requests, wavefronts;
    PsPassed alone, unit; /* for each group alone; and for groups that share a unit's L1 */
    PsReached reached;
    double lost;   /* of the unit's: what the launch fetches again */
    double global; /* sectors of global memory that reach L2 */
} Family;

static Family sum_family(const PsPatterns *patterns, const Slot *slot, const Node *of)
{
    const gboolean private = of->pattern.space == PS_PTX_LOCAL; /* shared with nobody */
    Family sum = {0};
    for (guint i = 0; i < slot->nodes->len; i++) {
        const Node *node = g_ptr_array_index(slot->nodes, i);
        if (!ps_nodes_related(node, of))
            continue;
        const PsPassed unit = passed_of(patterns, node);
        const PsReached reached = ps_groups_reached(patterns->groups, node->number);
        sum.requests += (double)node->pattern.requests;
        sum.wavefronts += (double)node->wavefronts;
        sum.alone.l1 += node->pattern.to_l1;
        sum.alone.l2 += node->pattern.to_l2;
        sum.alone.found += node->found;
        sum.alone.partial += node->partial;
        sum.unit.l1 += unit.l1;
        sum.unit.l2 += unit.l2;
        sum.unit.found += unit.found;
        sum.reached.missed += reached.missed;
        sum.reached.fetched += reached.fetched;
        sum.reached.written += reached.written + reached.filled;
        sum.reached.first += reached.first;
        sum.reached.rows += reached.rows;
        sum.lost += (double)unit.lost * (private ? 1 : reached.part);
    }
    return sum;
}

static double ratio(gint64 part, gint64 of)
{
    return of > 0 ? (double)part / (double)of : 0;
}

/* The number of a family's sectors in the count `part`: as for groups of the compute unit if they
 * made any of its requests, otherwise as for groups alone. */
static double share_of(const Family *sum, gint64 unit, gint64 alone)
{
    return sum->unit.l1 > 0 ? ratio(unit, sum->unit.l1) : ratio(alone, sum->alone.l1);
}

/* Sectors of a family that are fetched again because L2 has no room for all groups; at most those
 * that it would have. */
static double lost_of(const Family *sum, double found)
{
    const double share = sum->unit.l1 > 0 ? sum->lost / (double)sum->unit.l1 : 0;
    return MIN(share * (double)sum->alone.l1, found);
}

static void set_traffic(PsPatterns *patterns, const Slot *slot, Node *node)
{
    const Family sum = sum_family(patterns, slot, node);
    const double l1 = (double)sum.alone.l1;
    const double l2 = l1 * share_of(&sum, sum.unit.l2, sum.alone.l2);
    const double missed = MIN(sum.reached.missed, l2), lost = lost_of(&sum, l2 - missed);
    node->traffic = (PsTraffic){.requests = sum.requests,
                                .l1 = l1,
                                .l2 = l2,
                                .device = sum.reached.fetched + sum.reached.written + lost,
                                .distinct = sum.reached.first,
                                .read_only = l2,
                                .partial = (double)sum.alone.partial,
                                .rows = sum.reached.rows,
                                .wavefronts = sum.wavefronts};
    const PsReached own = ps_groups_reached(patterns->groups, node->number);
    /* the pattern's share of its family, so that the family counts once */
    const double part = sum.requests > 0 ? (double)node->pattern.requests / sum.requests : 0;
    node->pattern.to_device = own.fetched + own.written + own.filled + part * lost;
    if (node->pattern.space != PS_PTX_GLOBAL || sum.requests == 0)
        return;
    const double found = l1 * share_of(&sum, sum.unit.found, sum.alone.found);
    patterns->rates.l1 += part * l1;
    patterns->rates.l1_hits += part * (l1 - l2 + found);
    patterns->rates.l2 += part * l2;
    patterns->rates.l2_hits += part * (l2 - missed - lost);
}

/* ---- balance --------------------------------------------------------------------------------- */

/* By how many sectors a pattern's loads fetch more than they asked L2 for; negative: how many more
 * they could fetch. 0 except for reads of global memory: loads and copies. */
static double too_much(const PsPatterns *patterns, const Node *node)
{
    const PsPatternRules *rules = &patterns->rules;
    const guint64 asked = MAX(MAX(rules->sector, rules->fill), PS_SECTOR);
    const double wide = MAX((double)rules->fetch / (double)asked, 1);
    if (node->pattern.space != PS_PTX_GLOBAL || node_access(node) != PS_ACCESS_LOAD)
        return 0;
    return node->traffic.device - wide * node->traffic.l2;
}

static double part_of_family(const Node *node)
{
    return node->traffic.requests > 0 ? (double)node->pattern.requests / node->traffic.requests : 0;
}

/* The pattern that fetches a sector is found in groups alone; the one that asks L2 for it, in the
 * groups of a unit together. If these disagree, fetches move from patterns that did not ask L2 for
 * so much to others that did. */
static void balance(const PsPatterns *patterns)
{
    double over = 0, room = 0;
    for (guint i = 0; i < patterns->all->len; i++) {
        const Node *node = g_ptr_array_index(patterns->all, i);
        const double more = too_much(patterns, node) * part_of_family(node);
        over += MAX(more, 0);
        room += MAX(-more, 0);
    }
    const double taken = room > 0 ? MIN(over / room, 1) : 0;
    for (guint i = 0; i < patterns->all->len; i++) {
        Node *node = g_ptr_array_index(patterns->all, i);
        const double more = too_much(patterns, node);
        node->traffic.device -= more > 0 ? more : taken * more;
    }
}

/* ---- what groups load first ------------------------------------------------------------------ */

/* Sectors of a buffer that a loop's loads touch, and those of them that the loop had not loaded
 * before. */
typedef struct {
    double all, first;
} Loaded;

static guint extent_of(const Node *node)
{
    const PsBeside *beside = ps_pattern_beside(&node->pattern);
    return beside && node_access(node) == PS_ACCESS_LOAD ? beside->extent : G_MAXUINT;
}

/* The count of what the pattern's loop loads of its buffer; NULL: the pattern is no load of a
 * buffer. */
static Loaded *loaded_by(const PsPatterns *patterns, Loaded *loaded, const Node *node)
{
    const guint extent = extent_of(node), loop = patterns->code->points[node->pattern.point].loop;
    if (extent >= patterns->rules.n_extents)
        return NULL;
    const gsize loops = patterns->code->n_loops + 1;
    return &loaded[extent * loops + (loop == PS_PTX_NOWHERE ? loops - 1 : loop)];
}

/* The order of several loads of one loop depends on which warp runs first. */
static void even_out(const PsPatterns *patterns)
{
    const gsize loops = patterns->code->n_loops + 1;
    g_autofree Loaded *loaded = g_new0(Loaded, patterns->rules.n_extents * loops + 1);
    for (guint i = 0; i < patterns->all->len; i++) {
        const Node *node = g_ptr_array_index(patterns->all, i);
        Loaded *sum = loaded_by(patterns, loaded, node);
        if (!sum)
            continue;
        sum->all += node->traffic.l1 * part_of_family(node);
        sum->first += node->traffic.distinct * part_of_family(node);
    }
    for (guint i = 0; i < patterns->all->len; i++) {
        Node *node = g_ptr_array_index(patterns->all, i);
        const Loaded *sum = loaded_by(patterns, loaded, node);
        if (sum && sum->all > 0)
            node->traffic.distinct = node->traffic.l1 * sum->first / sum->all;
    }
}

/* ---- means ---------------------------------------------------------------------------------- */

static guint rounded(double sum, gint64 n)
{
    return n > 0 ? (guint)(sum / (double)n + 0.5) : 0;
}

/* Adds a pattern's part of its family's traffic. */
static void add_traffic(PsTraffic *sum, const Node *node)
{
    const double n = (double)node->pattern.requests;
    const double part = node->traffic.requests > 0 ? n / node->traffic.requests : 0;
    sum->requests += n;
    sum->l1 += part * node->traffic.l1;
    sum->l2 += part * node->traffic.l2;
    sum->device += part * node->traffic.device;
    sum->distinct += part * node->traffic.distinct;
    sum->read_only += part * node->traffic.read_only;
    sum->partial += part * node->traffic.partial;
    sum->rows += part * node->traffic.rows;
    sum->wavefronts += part * node->traffic.wavefronts;
}

/* Sets a mean from the patterns of its point. */
static void set_mean(Node *mean, const GPtrArray *nodes)
{
    PsPattern *sum = &mean->pattern;
    *sum = (PsPattern){.point = sum->point, .space = sum->space, .bytes = sum->bytes};
    mean->traffic = (PsTraffic){0};
    double sectors = 0;
    double lines = 0;
    double least = 0;
    double degree = 0;
    double passes = 0;
    gint64 pairs = 0;
    sum->broadcast = TRUE;
    for (guint i = 0; i < nodes->len; i++) {
        const Node *node = g_ptr_array_index(nodes, i);
        const PsPattern *one = &node->pattern;
        if (node->mean != mean)
            continue;
        double n = (double)one->requests;
        sectors += n * one->sectors;
        lines += n * one->lines;
        least += n * one->least;
        degree += n * one->degree;
        passes += n * one->passes;
        sum->broadcast = sum->broadcast && one->broadcast;
        pairs += one->pairs ? one->requests : 0;
        sum->requests += one->requests;
        sum->lanes += one->lanes;
        sum->to_l1 += one->to_l1;
        sum->to_l2 += one->to_l2;
        sum->to_device += one->to_device;
        add_traffic(&mean->traffic, node);
    }
    sum->sectors = rounded(sectors, sum->requests);
    sum->lines = rounded(lines, sum->requests);
    sum->least = rounded(least, sum->requests);
    sum->degree = rounded(degree, sum->requests);
    sum->passes = rounded(passes, sum->requests);
    sum->pairs = 2 * pairs > sum->requests;
}

/* ---- meetings ------------------------------------------------------------------------------- */

static guint lanes_that_meet(const Slot *slot)
{
    if (slot->atomics == 0)
        return 0;
    return slot->met == slot->lanes && !slot->elsewhere
               ? PS_PTX_LANES
               : MIN(rounded((double)slot->met, slot->atomics), PS_PTX_LANES - 1);
}

static void set_meeting(const PsPatterns *patterns, Slot *slot)
{
    PsPlaceOfMeeting place = {0};
    const guint *grid = patterns->rules.grid;
    const guint64 groups = (guint64)grid[0] * grid[1] * grid[2];
    slot->meeting = (PsMeeting){0};
    if (!slot->meetings || !ps_meetings_best(slot->meetings, groups, &place))
        return;
    for (guint i = 0; i < patterns->rules.n_extents; i++) {
        const PsPtxExtent *extent = &patterns->rules.extents[i];
        const guint64 first = extent->address / PS_LINE;
        const guint64 last = (extent->address + MAX(extent->size, 1) - 1) / PS_LINE;
        if (place.line + place.lines > first && place.line <= last)
            slot->meeting =
                (PsMeeting){extent->name, MAX(place.line, first) - first, place.share,
                            lanes_that_meet(slot), slot->atomics ? (guint)(place.turns + 0.5) : 0};
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* [pattern]: the point of the code (g_free). */
static guint *find_points(const PsPatterns *patterns)
{
    guint *points = g_new0(guint, patterns->all->len + 1);
    for (guint i = 0; i < patterns->all->len; i++)
        points[i] = ((const Node *)g_ptr_array_index(patterns->all, i))->pattern.point;
    return points;
}

gboolean ps_patterns_unroll(PsPatterns *patterns, const guint *unrolled)
{
    gboolean any = FALSE;
    g_free(patterns->copies);
    patterns->copies = ps_copies_new(patterns->code, unrolled);
    for (guint i = 0; i < patterns->all->len; i++) {
        const Node *node = g_ptr_array_index(patterns->all, i);
        any = any || patterns->copies[node->pattern.point].loop != PS_PTX_NOWHERE;
    }
    return any;
}

static void set_copies(PsPatterns *patterns, const guint *points)
{
    if (!patterns->copies)
        return;
    PsCopy *copies = g_new(PsCopy, patterns->all->len + 1);
    for (guint i = 0; i < patterns->all->len; i++)
        copies[i] = patterns->copies[points[i]];
    ps_unit_set_copies(patterns->unit, copies);
}

void ps_patterns_settle(PsPatterns *patterns)
{
    g_autofree guint *heads = find_heads(patterns);
    g_autofree guint *points = find_points(patterns);
    const PsWaveParts wave =
        patterns->wave ? ps_wave_parts(patterns->wave, patterns->groups, points) : (PsWaveParts){0};
    ps_groups_settle(patterns->groups, heads, points, &wave);
    g_free(wave.parts);
    g_free(wave.alike);
    g_array_set_size(patterns->passed, 0);
    set_copies(patterns, points);
    ps_unit_replay(patterns->unit, NULL, patterns->passed);
    patterns->rates = (PsHitRates){0};
    for (guint i = 0; i < patterns->all->len; i++) {
        Node *node = g_ptr_array_index(patterns->all, i);
        set_traffic(patterns, node->slot, node);
    }
    balance(patterns);
    even_out(patterns);
    ps_patterns_find_read_only(patterns);
    for (guint i = 0; i < patterns->means->len; i++) {
        Node *mean = g_ptr_array_index(patterns->means, i);
        set_mean(mean, patterns->slots[mean->pattern.point]->nodes);
    }
    for (guint i = 0; i < patterns->code->n_points; i++)
        if (patterns->slots[i])
            set_meeting(patterns, patterns->slots[i]);
}

PsHitRates ps_patterns_rates(const PsPatterns *patterns)
{
    return patterns->rates;
}

const PsPattern *ps_pattern_mean(const PsPattern *pattern)
{
    return &((const Node *)pattern)->mean->pattern;
}

PsTraffic ps_pattern_traffic(const PsPattern *pattern)
{
    return ((const Node *)pattern)->traffic;
}

const PsBeside *ps_pattern_beside(const PsPattern *pattern)
{
    const Slot *slot = ((const Node *)pattern)->slot;
    return slot && pattern->space == PS_PTX_GLOBAL ? ps_besides_of(slot->besides, pattern->point)
                                                   : NULL;
}

guint ps_pattern_begin(const PsPattern *pattern)
{
    const Slot *slot = ((const Node *)pattern)->slot;
    return slot && pattern->space == PS_PTX_GLOBAL
               ? ps_besides_begin_of(slot->besides, pattern->point)
               : 0;
}

gboolean ps_pattern_is_reused(const PsPattern *pattern)
{
    const Node *node = (const Node *)pattern;
    const PsBeside *beside = ps_pattern_beside(pattern);
    return pattern->space == PS_PTX_GLOBAL && node->slot && node->traffic.l1 > 0 &&
           2 * node->traffic.distinct <= node->traffic.l1 &&
           (node_access(node) == PS_ACCESS_ATOMIC ||
            (node_access(node) == PS_ACCESS_LOAD && beside && beside->regular));
}

gboolean ps_pattern_meeting(const PsPattern *pattern, PsMeeting *meeting)
{
    const Slot *slot = ((const Node *)pattern)->slot;
    if (!slot || slot->meeting.share <= 0)
        return FALSE;
    *meeting = slot->meeting;
    return TRUE;
}
