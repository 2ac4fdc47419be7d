/* SPDX-License-Identifier: BSD-3-Clause */
/* The servers that a node visits: see reference-node.h. */
#include "tests/help/reference-node.h"

#include "gpu/rows.h"

#include <math.h>
#include <string.h>

/* ---- the servers that it visits ------------------------------------------------------------ */

static void add_stop(const RefNode *node, RefTraffic *traffic, guint server, Fraction cycles,
                     gint64 weight)
{
    const Fraction service = fraction(fraction_ceil(cycles, 1024), 1024);
    if (service.num > 0)
        traffic->stops[traffic->n_stops++] = (RefStop){server, ref_ticks_of(node, service), weight};
}

/* The lines that a request asks a level for: of what the first level is asked for, the share that
 * the level after it gets, where the first works by wavefronts. */
static Fraction lines_at(const RefNode *node, guint i, gboolean by_wavefronts)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    const PsLevel own = g_array_index(levels, PsMemoryLevel, 0).level;
    const Fraction first = ref_bytes_at(node, own);
    const Fraction none = fraction(0, 1);
    if (!node->item->lines || !ref_is_stated(node->memory->gpu->memory.tag))
        return none;
    const Fraction lines = ref_value_of(node, node->item->lines);
    if (i == 0)
        return lines;
    if (i > 1 || !by_wavefronts || first.num == 0)
        return none;
    return fraction_mul(
        lines,
        fraction_div(ref_bytes_at(node, g_array_index(levels, PsMemoryLevel, 1).level), first));
}

gboolean ref_is_store(const PsIdgItem *item)
{
    return ref_part_is(item, 1, "store") && !ref_is_atomic(item);
}

gboolean ref_writes(const PsIdgItem *item)
{
    return ref_is_atomic(item) || ref_part_is(item, 1, "store");
}

/* Stores whose whole sectors have a rate ask L2 for what its port takes alone. */
static Fraction bytes_time(const RefNode *node, const PsMemoryLevel *level)
{
    Fraction bytes = ref_bytes_at(node, level->level);
    if (level->level == PS_LEVEL_DEVICE && !ref_writes(node->item))
        bytes = fraction_mul(bytes, fraction(1024 + node->memory->back, 1024));
    if (!node->stored || !ref_is_store(node->item) || level->level != PS_LEVEL_L2)
        return fraction_div(bytes, ref_rate_of(node->memory, level));
    return ref_is_stated(level->port) ? fraction_div(bytes, fraction_of(level->port))
                                      : fraction(0, 1);
}

/* Each compute unit that runs has an equal part of the rows that are opened. */
static Fraction rows_time(const RefNode *node, const PsMemoryLevel *level)
{
    const RefMemory *memory = node->memory;
    const Fraction per_second = fraction_mul(fraction_of(level->rows), fraction(1000000000, 1));
    const Fraction cycles = fraction_mul(fraction_of(memory->clock), fraction(1000000, 1));
    return fraction_mul(
        ref_value_of(node, node->item->rows),
        fraction_mul(fraction_div(cycles, per_second), fraction(memory->sharing, 1)));
}

/* A level takes as long as its port for the bytes, or as its tags for the lines; a compute unit's
 * own cache as its banks for the wavefronts, where these are counted. */
static Fraction cycles_at(const RefNode *node, guint i)
{
    const PsMemory *memory = &node->memory->gpu->memory;
    const PsMemoryLevel *level = &g_array_index(memory->levels, PsMemoryLevel, i);
    const PsMemoryLevel *first = &g_array_index(memory->levels, PsMemoryLevel, 0);
    const Fraction bytes = ref_bytes_at(node, level->level);
    const gboolean special = ref_is_atomic(node->item) && node->memory->gpu->atomics.stated;
    const gboolean by_wavefronts =
        node->counted && !special && !ref_is_copy(node->item) && !ref_is_stated(first->bandwidth);
    if (bytes.num == 0)
        return bytes;
    if (i == 0 && by_wavefronts)
        return ref_wavefront_cycles(node);
    const Fraction moved =
        fraction_max(bytes_time(node, level),
                     fraction_mul(lines_at(node, i, by_wavefronts), fraction_of(memory->tag)));
    return node->item->rows && ref_is_stated(level->rows)
               ? fraction_max(moved, rows_time(node, level))
               : moved;
}

/* What is deeper than one level and not deeper than the other. */
static void visit_levels(const RefNode *node, RefTraffic *traffic, int beyond, int last)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    for (guint i = 0; i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if ((int)level->level <= beyond || (int)level->level > last)
            continue;
        add_stop(node, traffic, level->level, cycles_at(node, i),
                 ref_weight_at(node, level->level));
    }
}

static Fraction sectors_at_l2(const RefNode *node)
{
    return fraction_div(ref_bytes_at(node, PS_LEVEL_L2), fraction(32, 1));
}

/* The weight at the last level that is visited before the servers of the chip. */
static gint64 weight_before_chip(const RefNode *node)
{
    gint64 weight = 1024;
    for (int level = 0; level <= PS_LEVEL_L2; level++)
        if (ps_gpu_level(node->memory->gpu, (PsLevel)level) &&
            ref_weight_at(node, (PsLevel)level) > 0)
            weight = ref_weight_at(node, (PsLevel)level);
    return weight;
}

/* What takes ns nanoseconds of a server of the whole chip, on which c compute units, which run
 * alike, depend. */
static void visit_chip(const RefNode *node, RefTraffic *traffic, guint server, Fraction ns)
{
    const RefMemory *memory = node->memory;
    const PsRational at = memory->gpu->atomics.rates_at;
    const Fraction clock = fraction_of(ref_is_stated(at) ? at : memory->clock);
    const Fraction cycles = fraction_mul(ns, fraction_div(clock, fraction(1000, 1)));
    add_stop(node, traffic, server, fraction_mul(cycles, fraction(memory->sharing, 1)),
             weight_before_chip(node));
}

/* Visits a server that takes so many at 10^9 per second. */
static void visit_counted(const RefNode *node, RefTraffic *traffic, guint server, PsRational rate)
{
    if (ref_is_stated(rate))
        visit_chip(node, traffic, server, fraction_div(sectors_at_l2(node), fraction_of(rate)));
}

/* From one sector, 1/address, to all four of a line, 1/line, and as many times that as there are
 * lines. */
static Fraction nanoseconds_of_sectors(const PsAtomics *atomics, Fraction sectors)
{
    const Fraction one = fraction(1, 1), four = fraction(4, 1);
    const Fraction least = fraction_div(one, fraction_of(atomics->address));
    if (!fraction_less(one, sectors))
        return least;
    const Fraction most = fraction_div(one, fraction_of(atomics->per_line));
    if (fraction_less(four, sectors))
        return fraction_mul(fraction_div(sectors, four), most);
    const Fraction way = fraction_div(fraction_sub(sectors, one), fraction(3, 1));
    return fraction_add(least, fraction_mul(way, fraction_sub(most, least)));
}

static void visit_spot(const RefNode *node, RefTraffic *traffic)
{
    const PsIdgItem *item = node->item;
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    if (!item->spot || !ref_is_stated(atomics->address))
        return;
    const Fraction one = fraction(1, 1);
    const Fraction there = item->turns ? ref_value_of(node, item->turns) : one;
    const Fraction each =
        ref_is_stated(atomics->per_line) ? fraction_max(one, sectors_at_l2(node)) : one;
    const Fraction lanes = fraction_max(each, fraction(item->serial, 1));
    const Fraction again = fraction_div(fraction_sub(lanes, each), fraction_of(atomics->address));
    const Fraction all = fraction_add(nanoseconds_of_sectors(atomics, each), again);
    const Fraction write = !traffic->atomic && ref_is_stated(atomics->write)
                               ? fraction_div(there, fraction_of(atomics->write))
                               : fraction(0, 1);
    visit_chip(node, traffic, node->spot, fraction_max(fraction_mul(there, all), write));
}

Fraction ref_share_in_part(const RefNode *node)
{
    const RefMemory *memory = node->memory;
    const Fraction l2 = ref_stated_share(node, PS_LEVEL_L2), none = fraction(0, 1);
    if (!ref_writes(node->item))
        return none;
    if (node->item->partial)
        return fraction_min(ref_value_of(node, node->item->partial), l2);
    const Fraction whole = fraction(memory->warps * memory->gpu->warp_size, memory->group_size);
    const Fraction lanes = node->item->lanes ? ref_value_of(node, node->item->lanes) : whole;
    return !ref_is_copy(node->item) && fraction_less(lanes, l2) ? l2 : none;
}

/* Cycles of the whole chip, on which c compute units depend that run alike, at a rate in 10^9 per
 * second of the clock at which rates were measured. */
static Fraction cycles_of_chip(const RefNode *node, Fraction work, PsRational rate)
{
    const RefMemory *memory = node->memory;
    const PsRational at = memory->gpu->atomics.rates_at;
    const Fraction clock = fraction_of(ref_is_stated(at) ? at : memory->clock);
    const Fraction cycles = fraction_div(fraction_mul(work, clock), fraction(1000, 1));
    return fraction_div(fraction_mul(cycles, fraction(memory->sharing, 1)), fraction_of(rate));
}

/* Cycles of the same at L2's bandwidth; none where that is not stated. */
static Fraction cycles_of_bandwidth(const RefNode *node, Fraction bytes)
{
    const RefMemory *memory = node->memory;
    const PsMemoryLevel *l2 = ps_gpu_level(memory->gpu, PS_LEVEL_L2);
    if (!l2 || !ref_is_stated(l2->bandwidth))
        return fraction(0, 1);
    const Fraction all = fraction_mul(bytes, fraction(memory->sharing, 1));
    return fraction_mul(fraction_div(all, fraction_of(l2->bandwidth)),
                        fraction_div(fraction_of(memory->clock), fraction(1000, 1)));
}

static Fraction rounded_up(Fraction cycles)
{
    return fraction(fraction_ceil(cycles, 1024), 1024);
}

/* The slices of L2: sectors that are written in part take their time there, whole ones that are
 * stored theirs, and all else its own. */
static void visit_slices(const RefNode *node, RefTraffic *traffic)
{
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    const gboolean parts = node->parts && ref_is_stated(atomics->partial);
    const Fraction k = sectors_at_l2(node), sector = fraction(32, 1);
    if ((!parts && !node->stored) || k.num == 0)
        return;
    const Fraction of_k =
        fraction_div(ref_share_in_part(node), ref_stated_share(node, PS_LEVEL_L2));
    const Fraction in_part = parts ? fraction_mul(k, of_k) : fraction(0, 1);
    const Fraction whole = fraction_sub(k, in_part);
    Fraction cycles = cycles_of_bandwidth(node, fraction_mul(whole, sector));
    if (ref_is_store(node->item) && ref_is_stated(atomics->stores))
        cycles = cycles_of_chip(node, whole, atomics->stores);
    else if (!ref_is_store(node->item) && !parts && ref_is_stated(atomics->loads))
        cycles = cycles_of_chip(node, whole, atomics->loads);
    cycles = rounded_up(cycles);
    if (in_part.num > 0)
        cycles = fraction_add(cycles, rounded_up(cycles_of_chip(node, in_part, atomics->partial)));
    add_stop(node, traffic, REF_PARTIAL_SECTORS, cycles, weight_before_chip(node));
}

static void visit_chip_servers(const RefNode *node, RefTraffic *traffic)
{
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    if (traffic->atomic)
        visit_counted(node, traffic, REF_ATOMIC_SECTORS, atomics->sectors);
    visit_slices(node, traffic);
    visit_spot(node, traffic);
}

/* The last byte of a copy comes later than the first by what the slowest takes for all of them: its
 * unit or a server. */
static void end_copy(const RefNode *node, RefTraffic *traffic)
{
    gint64 slowest = ref_ticks_of(node, ref_copy_cycles(node));
    for (guint i = 0; i < traffic->n_stops; i++)
        slowest = MAX(slowest, traffic->stops[i].service);
    const Fraction later = fraction(slowest, node->memory->ticks_per_cycle);
    traffic->serves.completion =
        ref_ticks_rounded(node, fraction_add(ref_completion_cycles(node), later));
}

RefTraffic *ref_traffic_of(const RefNode *node)
{
    RefTraffic *traffic = g_new0(RefTraffic, 1);
    ref_find_service(node, traffic);
    visit_levels(node, traffic, -1, PS_LEVEL_L2);
    visit_chip_servers(node, traffic);
    visit_levels(node, traffic, PS_LEVEL_L2, PS_LEVEL_DEVICE);
    if (ref_is_copy(node->item))
        end_copy(node, traffic);
    return traffic;
}
