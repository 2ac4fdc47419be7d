/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding by R7 and R8 for the slow simulator: see reference-traffic.h. Each function is a sentence
 * of docs/reference/model.md.
 */
#include "tests/help/reference-traffic.h"
#include "gpu/rows.h"
#include "tests/help/fraction.h"
#include "tests/help/reference-expand.h"

#include <math.h>
#include <string.h>

/* Servers of a compute unit: its levels by their numbers, then these, then one for each spot. */
enum { ATOMIC_SECTORS = PS_N_LEVELS, PARTIAL_SECTORS, FIRST_SPOT };

/* A node, while what it does is worked out. */
typedef struct {
    const RefMemory *memory;
    const PsIdgItem *item;
    const PsScope *scope;
    guint spot;       /* the server of its spot */
    gboolean counted; /* the graph counts wavefronts, and the description says what they take */
    gboolean kept;   /* what it finds in device memory a launch before has left in the last cache */
    gboolean parts;  /* some node of the launch writes sectors in part */
    gboolean stored; /* some node of the launch is a store, and whole sectors have a rate */
} Node;

static gboolean is_stated(PsRational figure)
{
    return figure.num != 0;
}

static gboolean part_is(const PsIdgItem *item, guint part, const char *word)
{
    g_auto(GStrv) parts = g_strsplit(item->class_name, ".", -1);
    return g_strv_length(parts) > part && strcmp(parts[part], word) == 0;
}

static Fraction value_of(const Node *node, const PsExpr *expr)
{
    PsRational value;
    GError *error = NULL;
    if (!ps_expr_eval(expr, node->scope, (PsPlace){"test", 0}, &value, &error))
        g_error("%s", error->message);
    return fraction_of(value);
}

/* ---- which nodes --------------------------------------------------------------------------- */

/* A class of the description for a pattern has a name of more than two parts. */
static gboolean has_pattern(const PsGpu *gpu, const char *asked)
{
    PsMatch match;
    const PsClass *class = ps_gpu_class(gpu, asked, &match);
    if (!class || match == PS_MATCH_DEFAULT || class->derived)
        return FALSE;
    g_auto(GStrv) parts = g_strsplit(class->name, ".", -1);
    return g_strv_length(parts) > 2;
}

static gboolean is_atomic(const PsIdgItem *item)
{
    return part_is(item, 0, "atomic") && !part_is(item, 1, "local");
}

/* A copy of many bytes, by a unit of its own. */
static gboolean is_copy(const PsIdgItem *item)
{
    return part_is(item, 0, "copy");
}

static gboolean goes_through_levels(const PsGpu *gpu, const PsIdgItem *item)
{
    if (is_copy(item))
        return TRUE;
    return (part_is(item, 0, "global") || part_is(item, 0, "memory") || is_atomic(item)) &&
           !part_is(item, 1, "fence") && !has_pattern(gpu, item->class_name);
}

/* ---- bytes --------------------------------------------------------------------------------- */

static Fraction bytes_per_thread(const Node *node)
{
    return node->item->bytes ? value_of(node, node->item->bytes) : fraction(4, 1);
}

/* What is not stated of a level is as of the next deeper one that is stated, else as of the nearest
 * one before it, else 1. */
static Fraction stated_share(const Node *node, PsLevel level)
{
    int from = (int)level;
    if (level == PS_LEVEL_L1 && !node->item->share[PS_LEVEL_L0] &&
        ps_gpu_level(node->memory->gpu, PS_LEVEL_L0))
        from = PS_LEVEL_L2; /* the graph's l1 is the CU's own cache */
    for (int deeper = from; deeper < PS_N_LEVELS; deeper++)
        if (node->item->share[deeper])
            return value_of(node, node->item->share[deeper]);
    for (int before = (int)level; before >= 0; before--)
        if (node->item->share[before])
            return value_of(node, node->item->share[before]);
    return fraction(1, 1);
}

static Fraction share_at(const Node *node, PsLevel level)
{
    if (node->kept && level == PS_LEVEL_DEVICE)
        return fraction(0, 1);
    return stated_share(node, level);
}

/* m_i: the bytes that an instance moves at the level. */
static Fraction bytes_at(const Node *node, PsLevel level)
{
    if (is_copy(node->item) && level < PS_LEVEL_L2) /* the unit is beside the CU's own caches */
        return fraction(0, 1);
    const Fraction threads = fraction(node->memory->group_size, node->memory->warps);
    const Fraction bytes = fraction_mul(threads, bytes_per_thread(node));
    return fraction_mul(bytes, share_at(node, level));
}

/* ---- rates and latencies of levels --------------------------------------------------------- */

/* 10^9 bytes per second: a part of the traffic at device memory, reads and writes mixed, is slower.
 */
static Fraction bandwidth_of(const RefMemory *memory, const PsMemoryLevel *level)
{
    const Fraction q = fraction(memory->mixed, 1024);
    if (!is_stated(level->mixed))
        return fraction_of(level->bandwidth);
    const Fraction plain =
        fraction_div(fraction_sub(fraction(1, 1), q), fraction_of(level->bandwidth));
    return fraction_div(fraction(1, 1),
                        fraction_add(plain, fraction_div(q, fraction_of(level->mixed))));
}

/* b_i: bytes per cycle of the simulated compute unit. */
static Fraction rate_of(const RefMemory *memory, const PsMemoryLevel *level)
{
    const Fraction port = fraction_of(level->port);
    const Fraction part =
        fraction_div(fraction_mul(bandwidth_of(memory, level), fraction(1000, 1)),
                     fraction_mul(fraction(memory->sharing, 1), fraction_of(memory->clock)));
    if (!is_stated(level->port))
        return part;
    return is_stated(level->bandwidth) ? fraction_min(port, part) : port;
}

static Fraction latency_in_cycles(const RefMemory *memory, PsRational latency, PsRational at)
{
    const Fraction cycles = fraction_of(latency);
    if (!is_stated(at))
        return cycles;
    return fraction_div(fraction_mul(cycles, fraction_of(memory->clock)), fraction_of(at));
}

/* ---- how deep an instance gets ------------------------------------------------------------- */

/* r_i of a level in 1/1024: 1 at the first that is visited, then never more than at the one that
 * was visited before, nor than the sectors that are moved. */
static gint64 weight_at(const Node *node, PsLevel level)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    Fraction weight = fraction(0, 1);
    gboolean visited = FALSE;
    for (guint i = 0; i < levels->len; i++) {
        const PsLevel at = g_array_index(levels, PsMemoryLevel, i).level;
        const Fraction bytes = bytes_at(node, at);
        if (at > level)
            break;
        if (at == level && bytes.num == 0)
            return 0;
        if (bytes.num == 0)
            continue;
        const Fraction sectors = fraction_div(bytes, fraction(32, 1));
        weight = visited ? fraction_min(weight, sectors) : fraction(1, 1);
        visited = TRUE;
    }
    return MAX(fraction_round(weight, 1024), 1);
}

/* The sum of r_i (L_i - L_{i-1}) over the levels of the description that are deeper than that one,
 * but for the first. */
static Fraction latency_beyond(const Node *node, int beyond)
{
    const RefMemory *memory = node->memory;
    const GArray *levels = memory->gpu->memory.levels;
    Fraction sum = fraction(0, 1);
    for (guint i = 1; i < levels->len; i++) {
        const PsMemoryLevel *before = &g_array_index(levels, PsMemoryLevel, i - 1);
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if ((int)level->level <= beyond)
            continue;
        const Fraction more = fraction_sub(latency_in_cycles(memory, level->latency, level->at),
                                           latency_in_cycles(memory, before->latency, before->at));
        const Fraction weight = fraction(weight_at(node, level->level), 1024);
        sum = fraction_add(sum, fraction_mul(weight, more));
    }
    return sum;
}

static gint64 ticks_of(const Node *node, Fraction cycles)
{
    return fraction_whole(cycles, node->memory->ticks_per_cycle);
}

static gint64 ticks_rounded(const Node *node, Fraction cycles)
{
    return ticks_of(node, fraction(fraction_round(cycles, 1024), 1024));
}

/* ---- what serves the node ------------------------------------------------------------------ */

/* Words of 4 bytes that a thread moves, at least one. */
static Fraction words_of(const Node *node)
{
    return fraction_max(fraction(1, 1), fraction_div(bytes_per_thread(node), fraction(4, 1)));
}

/* An access of which nobody counts wavefronts has one for each word. */
static Fraction wavefront_cycles(const Node *node)
{
    const PsMemory *memory = &node->memory->gpu->memory;
    const PsIdgItem *item = node->item;
    const Fraction wavefronts =
        item->wavefronts ? value_of(node, item->wavefronts) : words_of(node);
    const Fraction lines = item->lines ? value_of(node, item->lines) : fraction(0, 1);
    const Fraction cycles = fraction_max(fraction_mul(wavefronts, fraction_of(memory->wavefront)),
                                         fraction_mul(lines, fraction_of(memory->lookup)));
    return fraction(fraction_ceil(cycles, 1024), 1024);
}

static const PsClass *class_of(const Node *node)
{
    PsMatch match;
    return ps_gpu_class(node->memory->gpu, node->item->class_name, &match);
}

/* A copy takes its unit as many times as long as it has more bytes than the class is for. */
static Fraction copy_cycles(const Node *node)
{
    const RefMemory *memory = node->memory;
    const PsClass *class = class_of(node);
    const Fraction threads = fraction(memory->group_size, memory->warps);
    Fraction times = fraction(1, 1);
    if (is_stated(class->work))
        times = fraction_max(times, fraction_div(fraction_mul(threads, bytes_per_thread(node)),
                                                 fraction_of(class->work)));
    return fraction(fraction_ceil(fraction_mul(fraction_of(class->latency.issue), times), 1024),
                    1024);
}

static Fraction request_cycles(const Node *node)
{
    const PsGpu *gpu = node->memory->gpu;
    if (is_copy(node->item))
        return copy_cycles(node);
    const Fraction request = fraction_of(gpu->memory.request);
    if (is_atomic(node->item) && gpu->atomics.stated)
        return fraction_of(gpu->atomics.request);
    if (node->counted)
        return fraction_max(request, wavefront_cycles(node));
    return fraction_mul(request, words_of(node));
}

/* What its class takes, and the levels that it visits, each beyond the one visited before. */
static Fraction copy_completion(const Node *node)
{
    const RefMemory *memory = node->memory;
    const GArray *levels = memory->gpu->memory.levels;
    Fraction sum = fraction_of(class_of(node)->latency.completion), before = fraction(0, 1);
    for (guint i = 0; i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        const Fraction latency = latency_in_cycles(memory, level->latency, level->at);
        if (bytes_at(node, level->level).num == 0)
            continue;
        sum = fraction_add(sum, fraction_mul(fraction(weight_at(node, level->level), 1024),
                                             fraction_sub(latency, before)));
        before = latency;
    }
    return sum;
}

static Fraction completion_cycles(const Node *node)
{
    if (is_copy(node->item))
        return copy_completion(node);
    const RefMemory *memory = node->memory;
    const PsAtomics *atomics = &memory->gpu->atomics;
    const PsMemoryLevel *first = &g_array_index(memory->gpu->memory.levels, PsMemoryLevel, 0);
    if (is_atomic(node->item) && atomics->stated)
        return fraction_add(latency_in_cycles(memory, atomics->latency, atomics->at),
                            latency_beyond(node, PS_LEVEL_L2));
    return fraction_add(latency_in_cycles(memory, first->latency, first->at),
                        latency_beyond(node, -1));
}

/* Without schedulers (R1), pipelines of which each scheduler has one count as one that is faster.
 */
static void find_service(const Node *node, RefTraffic *traffic)
{
    const PsGpu *gpu = node->memory->gpu;
    traffic->atomic = is_atomic(node->item);
    const gboolean special = traffic->atomic && gpu->atomics.stated;
    const gboolean shared = is_stated(gpu->memory.wavefront) && gpu->local.stated;
    const guint number = is_copy(node->item) ? class_of(node)->pipeline
                         : special           ? gpu->atomics.pipeline
                         : shared            ? gpu->local.pipeline
                                             : gpu->memory.pipeline;
    const PsPipeline *pipeline = gpu->pipelines->pdata[number];
    Fraction issue = request_cycles(node);
    if (pipeline->per_scheduler && node->memory->schedulers == 0)
        issue = fraction_div(issue, fraction(gpu->schedulers, 1));
    traffic->serves =
        (RefClass){.pipeline = number,
                   .per_scheduler = pipeline->per_scheduler && node->memory->schedulers > 0,
                   .issue = ticks_of(node, issue),
                   .completion = ticks_rounded(node, completion_cycles(node))};
    traffic->drain = ticks_of(node, fraction_of(gpu->memory.store));
}

/* ---- the servers that it visits ------------------------------------------------------------ */

static void add_stop(const Node *node, RefTraffic *traffic, guint server, Fraction cycles,
                     gint64 weight)
{
    const Fraction service = fraction(fraction_ceil(cycles, 1024), 1024);
    if (service.num > 0)
        traffic->stops[traffic->n_stops++] = (RefStop){server, ticks_of(node, service), weight};
}

/* The lines that a request asks a level for: of what the first level is asked for, the share that
 * the level after it gets, where the first works by wavefronts. */
static Fraction lines_at(const Node *node, guint i, gboolean by_wavefronts)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    const PsLevel own = g_array_index(levels, PsMemoryLevel, 0).level;
    const Fraction first = bytes_at(node, own);
    const Fraction none = fraction(0, 1);
    if (!node->item->lines || !is_stated(node->memory->gpu->memory.tag))
        return none;
    const Fraction lines = value_of(node, node->item->lines);
    if (i == 0)
        return lines;
    if (i > 1 || !by_wavefronts || first.num == 0)
        return none;
    return fraction_mul(
        lines, fraction_div(bytes_at(node, g_array_index(levels, PsMemoryLevel, 1).level), first));
}

static gboolean is_store(const PsIdgItem *item)
{
    return part_is(item, 1, "store") && !is_atomic(item);
}

static gboolean writes(const PsIdgItem *item)
{
    return is_atomic(item) || part_is(item, 1, "store");
}

/* Stores whose whole sectors have a rate ask L2 for what its port takes alone. */
static Fraction bytes_time(const Node *node, const PsMemoryLevel *level)
{
    Fraction bytes = bytes_at(node, level->level);
    if (level->level == PS_LEVEL_DEVICE && !writes(node->item))
        bytes = fraction_mul(bytes, fraction(1024 + node->memory->back, 1024));
    if (!node->stored || !is_store(node->item) || level->level != PS_LEVEL_L2)
        return fraction_div(bytes, rate_of(node->memory, level));
    return is_stated(level->port) ? fraction_div(bytes, fraction_of(level->port)) : fraction(0, 1);
}

/* A level takes as long as its port for the bytes, or as its tags for the lines; a compute unit's
 * own cache as its banks for the wavefronts, where these are counted. */
static Fraction cycles_at(const Node *node, guint i)
{
    const PsMemory *memory = &node->memory->gpu->memory;
    const PsMemoryLevel *level = &g_array_index(memory->levels, PsMemoryLevel, i);
    const PsMemoryLevel *first = &g_array_index(memory->levels, PsMemoryLevel, 0);
    const Fraction bytes = bytes_at(node, level->level);
    const gboolean special = is_atomic(node->item) && node->memory->gpu->atomics.stated;
    const gboolean by_wavefronts =
        node->counted && !special && !is_copy(node->item) && !is_stated(first->bandwidth);
    if (bytes.num == 0)
        return bytes;
    if (i == 0 && by_wavefronts)
        return wavefront_cycles(node);
    return fraction_max(bytes_time(node, level),
                        fraction_mul(lines_at(node, i, by_wavefronts), fraction_of(memory->tag)));
}

/* What is deeper than one level and not deeper than the other. */
static void visit_levels(const Node *node, RefTraffic *traffic, int beyond, int last)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    for (guint i = 0; i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if ((int)level->level <= beyond || (int)level->level > last)
            continue;
        add_stop(node, traffic, level->level, cycles_at(node, i), weight_at(node, level->level));
    }
}

static Fraction sectors_at_l2(const Node *node)
{
    return fraction_div(bytes_at(node, PS_LEVEL_L2), fraction(32, 1));
}

/* The weight at the last level that is visited before the servers of the chip. */
static gint64 weight_before_chip(const Node *node)
{
    gint64 weight = 1024;
    for (int level = 0; level <= PS_LEVEL_L2; level++)
        if (ps_gpu_level(node->memory->gpu, (PsLevel)level) && weight_at(node, (PsLevel)level) > 0)
            weight = weight_at(node, (PsLevel)level);
    return weight;
}

/* What takes ns nanoseconds of a server of the whole chip, on which c compute units, which run
 * alike, depend. */
static void visit_chip(const Node *node, RefTraffic *traffic, guint server, Fraction ns)
{
    const RefMemory *memory = node->memory;
    const PsRational at = memory->gpu->atomics.rates_at;
    const Fraction clock = fraction_of(is_stated(at) ? at : memory->clock);
    const Fraction cycles = fraction_mul(ns, fraction_div(clock, fraction(1000, 1)));
    add_stop(node, traffic, server, fraction_mul(cycles, fraction(memory->sharing, 1)),
             weight_before_chip(node));
}

/* Visits a server that takes so many at 10^9 per second. */
static void visit_counted(const Node *node, RefTraffic *traffic, guint server, PsRational rate)
{
    if (is_stated(rate))
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

static void visit_spot(const Node *node, RefTraffic *traffic)
{
    const PsIdgItem *item = node->item;
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    if (!item->spot || !is_stated(atomics->address))
        return;
    const Fraction one = fraction(1, 1);
    const Fraction there = item->turns ? value_of(node, item->turns) : one;
    const Fraction each =
        is_stated(atomics->per_line) ? fraction_max(one, sectors_at_l2(node)) : one;
    const Fraction lanes = fraction_max(each, fraction(item->serial, 1));
    const Fraction again = fraction_div(fraction_sub(lanes, each), fraction_of(atomics->address));
    const Fraction all = fraction_add(nanoseconds_of_sectors(atomics, each), again);
    const Fraction write = !traffic->atomic && is_stated(atomics->write)
                               ? fraction_div(there, fraction_of(atomics->write))
                               : fraction(0, 1);
    visit_chip(node, traffic, node->spot, fraction_max(fraction_mul(there, all), write));
}

/* The share of the bytes that is moved in sectors of which the node writes a part: what it states,
 * but no more than gets to L2; else all, where more sectors are moved than its lanes fill. */
static Fraction share_in_part(const Node *node)
{
    const RefMemory *memory = node->memory;
    const Fraction l2 = stated_share(node, PS_LEVEL_L2), none = fraction(0, 1);
    if (!writes(node->item))
        return none;
    if (node->item->partial)
        return fraction_min(value_of(node, node->item->partial), l2);
    const Fraction whole = fraction(memory->warps * memory->gpu->warp_size, memory->group_size);
    const Fraction lanes = node->item->lanes ? value_of(node, node->item->lanes) : whole;
    return !is_copy(node->item) && fraction_less(lanes, l2) ? l2 : none;
}

/* Cycles of the whole chip, on which c compute units depend that run alike, at a rate in 10^9 per
 * second of the clock at which rates were measured. */
static Fraction cycles_of_chip(const Node *node, Fraction work, PsRational rate)
{
    const RefMemory *memory = node->memory;
    const PsRational at = memory->gpu->atomics.rates_at;
    const Fraction clock = fraction_of(is_stated(at) ? at : memory->clock);
    const Fraction cycles = fraction_div(fraction_mul(work, clock), fraction(1000, 1));
    return fraction_div(fraction_mul(cycles, fraction(memory->sharing, 1)), fraction_of(rate));
}

/* Cycles of the same at L2's bandwidth; none where that is not stated. */
static Fraction cycles_of_bandwidth(const Node *node, Fraction bytes)
{
    const RefMemory *memory = node->memory;
    const PsMemoryLevel *l2 = ps_gpu_level(memory->gpu, PS_LEVEL_L2);
    if (!l2 || !is_stated(l2->bandwidth))
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
static void visit_slices(const Node *node, RefTraffic *traffic)
{
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    const gboolean parts = node->parts && is_stated(atomics->partial);
    const Fraction k = sectors_at_l2(node), sector = fraction(32, 1);
    if ((!parts && !node->stored) || k.num == 0)
        return;
    const Fraction of_k = fraction_div(share_in_part(node), stated_share(node, PS_LEVEL_L2));
    const Fraction in_part = parts ? fraction_mul(k, of_k) : fraction(0, 1);
    const Fraction whole = fraction_sub(k, in_part);
    Fraction cycles = cycles_of_bandwidth(node, fraction_mul(whole, sector));
    if (is_store(node->item) && is_stated(atomics->stores))
        cycles = cycles_of_chip(node, whole, atomics->stores);
    else if (!is_store(node->item) && !parts && is_stated(atomics->loads))
        cycles = cycles_of_chip(node, whole, atomics->loads);
    cycles = rounded_up(cycles);
    if (in_part.num > 0)
        cycles = fraction_add(cycles, rounded_up(cycles_of_chip(node, in_part, atomics->partial)));
    add_stop(node, traffic, PARTIAL_SECTORS, cycles, weight_before_chip(node));
}

static void visit_chip_servers(const Node *node, RefTraffic *traffic)
{
    const PsAtomics *atomics = &node->memory->gpu->atomics;
    if (traffic->atomic)
        visit_counted(node, traffic, ATOMIC_SECTORS, atomics->sectors);
    visit_slices(node, traffic);
    visit_spot(node, traffic);
}

/* The last byte of a copy comes later than the first by what the slowest takes for all of them: its
 * unit or a server. */
static void end_copy(const Node *node, RefTraffic *traffic)
{
    gint64 slowest = ticks_of(node, copy_cycles(node));
    for (guint i = 0; i < traffic->n_stops; i++)
        slowest = MAX(slowest, traffic->stops[i].service);
    const Fraction later = fraction(slowest, node->memory->ticks_per_cycle);
    traffic->serves.completion = ticks_rounded(node, fraction_add(completion_cycles(node), later));
}

static RefTraffic *traffic_of(const Node *node)
{
    RefTraffic *traffic = g_new0(RefTraffic, 1);
    find_service(node, traffic);
    visit_levels(node, traffic, -1, PS_LEVEL_L2);
    visit_chip_servers(node, traffic);
    visit_levels(node, traffic, PS_LEVEL_L2, PS_LEVEL_DEVICE);
    if (is_copy(node->item))
        end_copy(node, traffic);
    return traffic;
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* All nodes of a body that go through levels, in the order of the text. */
static void collect(const PsGpu *gpu, const GPtrArray *body, GPtrArray *items)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            collect(gpu, item->body, items);
        else if (goes_through_levels(gpu, item))
            g_ptr_array_add(items, item);
    }
}

static GPtrArray *nodes_of(const PsGpu *gpu, const PsIdg *idg)
{
    GPtrArray *items = g_ptr_array_new();
    for (guint c = 0; c < idg->codes->len; c++)
        collect(gpu, ((const PsIdgCode *)idg->codes->pdata[c])->body, items);
    return items;
}

/* Whether any node of a body states its wavefronts. */
static gboolean counts(const GPtrArray *body)
{
    gboolean found = FALSE;
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        found = found || item->wavefronts || (item->kind == PS_IDG_LOOP && counts(item->body));
    }
    return found;
}

static gboolean are_counted(const RefMemory *memory, const PsIdg *idg)
{
    gboolean found = FALSE;
    for (guint c = 0; c < idg->codes->len; c++)
        found = found || counts(((const PsIdgCode *)idg->codes->pdata[c])->body);
    return found && is_stated(memory->gpu->memory.wavefront);
}

/* The server of a spot: the first node of that name decides its number. */
static guint server_of_spot(const GPtrArray *items, const char *spot)
{
    guint i = 0;
    while (spot && g_strcmp0(((const PsIdgItem *)items->pdata[i])->spot, spot) != 0)
        i++;
    return FIRST_SPOT + i;
}

/* ---- what a launch before has left --------------------------------------------------------- */

/* How often a warp that runs the body runs the node. */
static gint64 times_in(const GPtrArray *body, const PsScope *scope, const PsIdgItem *node)
{
    const PsIntRange range = {"number", 0, G_MAXINT32};
    gint64 times = 0;
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        gint64 trips = 0;
        if (item == node)
            times++;
        else if (item->kind == PS_IDG_LOOP &&
                 ps_expr_eval_int(item->times, scope, (PsPlace){"test", 0}, &range, &trips, NULL))
            times += trips * times_in(item->body, scope, node);
    }
    return times;
}

/* How often the warps of a group of that kind run it. */
static gint64 instances_in(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                           guint kind, const PsIdgItem *node)
{
    gint64 instances = 0;
    for (gint64 w = 0; w < memory->warps; w++) {
        const PsIdgCode *code = idg->codes->pdata[ref_code_of(idg, scope, kind, w)];
        instances += times_in(code->body, scope, node);
    }
    return instances;
}

/* The instances of the whole launch, of which each kind has its share. */
static Fraction instances_of(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                             const PsIdgItem *node)
{
    gint64 instances = 0, parts = 0;
    for (guint k = 0; k < ref_kinds(idg); k++) {
        const gint64 share = ref_share(idg, scope, k);
        instances += share * instances_in(memory, idg, scope, k, node);
        parts += share;
    }
    return fraction_mul(fraction(memory->groups, 1), fraction(instances, parts));
}

/* What the launch reads from device memory and writes there, cold. */
static void launch_bytes(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                         const GPtrArray *items, Fraction bytes[2])
{
    bytes[0] = bytes[1] = fraction(0, 1);
    for (guint i = 0; i < items->len; i++) {
        const Node node = {memory, items->pdata[i], scope, 0, FALSE, FALSE, FALSE, FALSE};
        const Fraction instances = instances_of(memory, idg, scope, node.item);
        Fraction *of = &bytes[writes(node.item)];
        *of = fraction_add(*of, fraction_mul(instances, bytes_at(&node, PS_LEVEL_DEVICE)));
    }
}

/* Whether the launch has an instance of any node that writes sectors in part. */
static gboolean any_writes_parts(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                                 const GPtrArray *items)
{
    gboolean found = FALSE;
    for (guint i = 0; i < items->len; i++) {
        const Node node = {memory, items->pdata[i], scope, 0, FALSE, FALSE, FALSE, FALSE};
        found = found || (share_in_part(&node).num > 0 &&
                          instances_of(memory, idg, scope, node.item).num > 0);
    }
    return found;
}

/* Whether the launch has an instance of any store, whose whole sectors have a rate. */
static gboolean any_stores(const RefMemory *memory, const PsIdg *idg, const PsScope *scope,
                           const GPtrArray *items)
{
    gboolean found = FALSE;
    for (guint i = 0; i < items->len; i++)
        found = found || (is_store(items->pdata[i]) &&
                          instances_of(memory, idg, scope, items->pdata[i]).num > 0);
    return found && is_stated(memory->gpu->atomics.stores);
}

/* --cache warm: all that the launch moves at device memory fits in the cache before it. */
static gboolean is_kept(const RefMemory *memory, Fraction bytes)
{
    const GArray *levels = memory->gpu->memory.levels;
    if (memory->cache != PS_CACHE_WARM || levels->len < 2)
        return FALSE;
    const PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    return !fraction_less(fraction(cache->bytes, 1), bytes);
}

static double number(Fraction of)
{
    return (double)of.num / (double)of.den;
}

/* --cache dirty: each line that comes takes the place of any other, so of what must be written back
 * e^(-S/C) is left when S bytes were stored, and e^(-R/C) of that when R bytes were read. It is
 * added to what is written. */
static gint64 written_back(const RefMemory *memory, Fraction bytes[2])
{
    const GArray *levels = memory->gpu->memory.levels;
    if (memory->cache != PS_CACHE_DIRTY || bytes[0].num == 0)
        return 0;
    const PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    const double room = (double)cache->bytes, read = number(bytes[0]) / room,
                 left = number(fraction_of(cache->dirty)) * exp(-number(bytes[1]) / room),
                 back = left * (1 - exp(-read));
    bytes[1] = fraction_add(bytes[1], fraction((gint64)(back * room * (1 << 20)), 1 << 20));
    return (gint64)(1024 * back / read + 0.5);
}

/* All of the traffic is mixed, 1024 parts, once a quarter of it is of each sort. */
static gint64 mixed_parts(Fraction read, Fraction written)
{
    const Fraction all = fraction_add(read, written), less = fraction_min(read, written);
    if (!fraction_less(fraction(0, 1), less))
        return 0;
    const Fraction share = fraction_div(fraction_mul(fraction(4, 1), less), all);
    return fraction_round(fraction_min(share, fraction(1, 1)), 1024);
}

GHashTable *ref_traffic_new(const RefMemory *of, const PsIdg *idg, const PsScope *scope)
{
    RefMemory on = *of;
    const RefMemory *memory = &on;
    Fraction bytes[2];
    GHashTable *table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GPtrArray) items = nodes_of(memory->gpu, idg);
    launch_bytes(memory, idg, scope, items, bytes);
    const gboolean kept = is_kept(memory, fraction_add(bytes[0], bytes[1])),
                   counted = are_counted(memory, idg),
                   parts = any_writes_parts(memory, idg, scope, items),
                   stored = any_stores(memory, idg, scope, items);
    on.back = written_back(memory, bytes);
    on.mixed = mixed_parts(bytes[0], bytes[1]);
    for (guint i = 0; i < items->len; i++) {
        PsIdgItem *item = items->pdata[i];
        const Node node = {memory,  item, scope, server_of_spot(items, item->spot),
                           counted, kept, parts, stored};
        g_hash_table_insert(table, item, traffic_of(&node));
    }
    return table;
}

/* ---- device memory that is busy ------------------------------------------------------------- */

static gint64 ticks_of_ns(const RefMemory *memory, Fraction ns)
{
    const Fraction cycles =
        fraction_div(fraction_mul(ns, fraction_of(memory->clock)), fraction(1000, 1));
    return fraction_whole(fraction(fraction_round(cycles, 1024), 1024), memory->ticks_per_cycle);
}

void ref_queue(const RefMemory *memory, const PsIdg *idg, const PsScope *scope, gint64 *queue,
               gint64 *window)
{
    const PsMemory *of = &memory->gpu->memory;
    Fraction bytes[2];
    *queue = *window = 0;
    if (!is_stated(of->window))
        return;
    g_autoptr(GPtrArray) items = nodes_of(memory->gpu, idg);
    launch_bytes(memory, idg, scope, items, bytes);
    written_back(memory, bytes);
    const Fraction q = fraction(mixed_parts(bytes[0], bytes[1]), 1024);
    const Fraction plain = fraction_mul(fraction_sub(fraction(1, 1), q), fraction_of(of->queue));
    *queue =
        ticks_of_ns(memory, fraction_add(plain, fraction_mul(q, fraction_of(of->queue_mixed))));
    *window = ticks_of_ns(memory, fraction_of(of->window));
}

/* ---- the first instructions ---------------------------------------------------------------- */

/* Twice the latency of where they come from: the last cache if a launch before left them there,
 * else device memory. */
gint64 ref_fetch(const RefMemory *memory)
{
    const GArray *levels = memory->gpu->memory.levels;
    const guint last = levels->len - (memory->cache == PS_CACHE_WARM && levels->len > 1 ? 2 : 1);
    const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, last);
    const Fraction twice =
        fraction_mul(fraction(2, 1), latency_in_cycles(memory, level->latency, level->at));
    return fraction_whole(fraction(fraction_ceil(twice, 1024), 1024), memory->ticks_per_cycle);
}
