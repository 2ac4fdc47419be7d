/* SPDX-License-Identifier: BSD-3-Clause */
/* What a node moves, how deep it gets, and what serves it: see reference-node.h. */
#include "tests/help/reference-node.h"

#include "gpu/rows.h"

#include <math.h>
#include <string.h>

gboolean ref_is_stated(PsRational figure)
{
    return figure.num != 0;
}

gboolean ref_part_is(const PsIdgItem *item, guint part, const char *word)
{
    g_auto(GStrv) parts = g_strsplit(item->class_name, ".", -1);
    return g_strv_length(parts) > part && strcmp(parts[part], word) == 0;
}

Fraction ref_value_of(const RefNode *node, const PsExpr *expr)
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

gboolean ref_is_atomic(const PsIdgItem *item)
{
    return ref_part_is(item, 0, "atomic") && !ref_part_is(item, 1, "local");
}

gboolean ref_is_copy(const PsIdgItem *item)
{
    return ref_part_is(item, 0, "copy");
}

gboolean ref_goes_through_levels(const PsGpu *gpu, const PsIdgItem *item)
{
    if (ref_is_copy(item))
        return TRUE;
    return (ref_part_is(item, 0, "global") || ref_part_is(item, 0, "memory") ||
            ref_is_atomic(item)) &&
           !ref_part_is(item, 1, "fence") && !has_pattern(gpu, item->class_name);
}

/* ---- bytes --------------------------------------------------------------------------------- */

static Fraction bytes_per_thread(const RefNode *node)
{
    return node->item->bytes ? ref_value_of(node, node->item->bytes) : fraction(4, 1);
}

Fraction ref_stated_share(const RefNode *node, PsLevel level)
{
    int from = (int)level;
    if (level == PS_LEVEL_L1 && !node->item->share[PS_LEVEL_L0] &&
        ps_gpu_level(node->memory->gpu, PS_LEVEL_L0))
        from = PS_LEVEL_L2; /* the graph's l1 is the CU's own cache */
    for (int deeper = from; deeper < PS_N_LEVELS; deeper++)
        if (node->item->share[deeper])
            return ref_value_of(node, node->item->share[deeper]);
    for (int before = (int)level; before >= 0; before--)
        if (node->item->share[before])
            return ref_value_of(node, node->item->share[before]);
    return fraction(1, 1);
}

static Fraction share_at(const RefNode *node, PsLevel level)
{
    if (node->kept && level == PS_LEVEL_DEVICE)
        return fraction(0, 1);
    return ref_stated_share(node, level);
}

Fraction ref_bytes_at(const RefNode *node, PsLevel level)
{
    if (ref_is_copy(node->item) && level < PS_LEVEL_L2) /* the unit is beside the CU's own caches */
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
    if (!ref_is_stated(level->mixed))
        return fraction_of(level->bandwidth);
    const Fraction plain =
        fraction_div(fraction_sub(fraction(1, 1), q), fraction_of(level->bandwidth));
    return fraction_div(fraction(1, 1),
                        fraction_add(plain, fraction_div(q, fraction_of(level->mixed))));
}

Fraction ref_rate_of(const RefMemory *memory, const PsMemoryLevel *level)
{
    const Fraction port = fraction_of(level->port);
    const Fraction part =
        fraction_div(fraction_mul(bandwidth_of(memory, level), fraction(1000, 1)),
                     fraction_mul(fraction(memory->sharing, 1), fraction_of(memory->clock)));
    if (!ref_is_stated(level->port))
        return part;
    return ref_is_stated(level->bandwidth) ? fraction_min(port, part) : port;
}

Fraction ref_latency_in_cycles(const RefMemory *memory, PsRational latency, PsRational at)
{
    const Fraction cycles = fraction_of(latency);
    if (!ref_is_stated(at))
        return cycles;
    return fraction_div(fraction_mul(cycles, fraction_of(memory->clock)), fraction_of(at));
}

/* ---- how deep an instance gets ------------------------------------------------------------- */

gint64 ref_weight_at(const RefNode *node, PsLevel level)
{
    const GArray *levels = node->memory->gpu->memory.levels;
    Fraction weight = fraction(0, 1);
    gboolean visited = FALSE;
    for (guint i = 0; i < levels->len; i++) {
        const PsLevel at = g_array_index(levels, PsMemoryLevel, i).level;
        const Fraction bytes = ref_bytes_at(node, at);
        if (at > level)
            break;
        if (at == level && bytes.num == 0)
            return 0;
        if (bytes.num == 0)
            continue;
        const Fraction sector = fraction(node->memory->gpu->memory.sector_bytes, 1);
        const Fraction sectors = fraction_div(bytes, sector);
        weight = visited ? fraction_min(weight, sectors) : fraction(1, 1);
        visited = TRUE;
    }
    return MAX(fraction_round(weight, 1024), 1);
}

/* The sum of r_i (L_i - L_{i-1}) over the levels of the description that are deeper than that one,
 * but for the first. */
static Fraction latency_beyond(const RefNode *node, int beyond)
{
    const RefMemory *memory = node->memory;
    const GArray *levels = memory->gpu->memory.levels;
    Fraction sum = fraction(0, 1);
    for (guint i = 1; i < levels->len; i++) {
        const PsMemoryLevel *before = &g_array_index(levels, PsMemoryLevel, i - 1);
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if ((int)level->level <= beyond)
            continue;
        const Fraction more =
            fraction_sub(ref_latency_in_cycles(memory, level->latency, level->at),
                         ref_latency_in_cycles(memory, before->latency, before->at));
        const Fraction weight = fraction(ref_weight_at(node, level->level), 1024);
        sum = fraction_add(sum, fraction_mul(weight, more));
    }
    return sum;
}

gint64 ref_ticks_of(const RefNode *node, Fraction cycles)
{
    return fraction_whole(cycles, node->memory->ticks_per_cycle);
}

gint64 ref_ticks_rounded(const RefNode *node, Fraction cycles)
{
    return ref_ticks_of(node, fraction(fraction_round(cycles, 1024), 1024));
}

/* ---- what serves the node ------------------------------------------------------------------ */

/* Words of 4 bytes that a thread moves, at least one. */
static Fraction words_of(const RefNode *node)
{
    return fraction_max(fraction(1, 1), fraction_div(bytes_per_thread(node), fraction(4, 1)));
}

Fraction ref_wavefront_cycles(const RefNode *node)
{
    const PsMemory *memory = &node->memory->gpu->memory;
    const PsIdgItem *item = node->item;
    const Fraction wavefronts =
        item->wavefronts ? ref_value_of(node, item->wavefronts) : words_of(node);
    const Fraction lines = item->lines ? ref_value_of(node, item->lines) : fraction(0, 1);
    const Fraction cycles = fraction_max(fraction_mul(wavefronts, fraction_of(memory->wavefront)),
                                         fraction_mul(lines, fraction_of(memory->lookup)));
    return fraction(fraction_ceil(cycles, 1024), 1024);
}

static const PsClass *class_of(const RefNode *node)
{
    PsMatch match;
    return ps_gpu_class(node->memory->gpu, node->item->class_name, &match);
}

Fraction ref_copy_cycles(const RefNode *node)
{
    const RefMemory *memory = node->memory;
    const PsClass *class = class_of(node);
    const Fraction threads = fraction(memory->group_size, memory->warps);
    Fraction times = fraction(1, 1);
    if (ref_is_stated(class->work))
        times = fraction_max(times, fraction_div(fraction_mul(threads, bytes_per_thread(node)),
                                                 fraction_of(class->work)));
    return fraction(fraction_ceil(fraction_mul(fraction_of(class->latency.issue), times), 1024),
                    1024);
}

static Fraction request_cycles(const RefNode *node)
{
    const PsGpu *gpu = node->memory->gpu;
    if (ref_is_copy(node->item))
        return ref_copy_cycles(node);
    const Fraction request = fraction_of(gpu->memory.request);
    if (ref_is_atomic(node->item) && gpu->atomics.stated)
        return fraction_of(gpu->atomics.request);
    const Fraction cycles = node->counted ? fraction_max(request, ref_wavefront_cycles(node))
                                          : fraction_mul(request, words_of(node));
    if (!g_str_has_prefix(node->item->class_name, "global.load.texture"))
        return cycles;
    return fraction_max(cycles, fraction_of(gpu->memory.texture));
}

/* What its class takes, and the levels that it visits, each beyond the one visited before. */
static Fraction copy_completion(const RefNode *node)
{
    const RefMemory *memory = node->memory;
    const GArray *levels = memory->gpu->memory.levels;
    Fraction sum = fraction_of(class_of(node)->latency.completion), before = fraction(0, 1);
    for (guint i = 0; i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        const Fraction latency = ref_latency_in_cycles(memory, level->latency, level->at);
        if (ref_bytes_at(node, level->level).num == 0)
            continue;
        sum = fraction_add(sum, fraction_mul(fraction(ref_weight_at(node, level->level), 1024),
                                             fraction_sub(latency, before)));
        before = latency;
    }
    return sum;
}

Fraction ref_completion_cycles(const RefNode *node)
{
    if (ref_is_copy(node->item))
        return copy_completion(node);
    const RefMemory *memory = node->memory;
    const PsAtomics *atomics = &memory->gpu->atomics;
    const PsMemoryLevel *first = &g_array_index(memory->gpu->memory.levels, PsMemoryLevel, 0);
    if (ref_is_atomic(node->item) && atomics->stated)
        return fraction_add(ref_latency_in_cycles(memory, atomics->latency, atomics->at),
                            latency_beyond(node, PS_LEVEL_L2));
    return fraction_add(ref_latency_in_cycles(memory, first->latency, first->at),
                        latency_beyond(node, -1));
}

void ref_find_service(const RefNode *node, RefTraffic *traffic)
{
    const PsGpu *gpu = node->memory->gpu;
    traffic->atomic = ref_is_atomic(node->item);
    const gboolean special = traffic->atomic && gpu->atomics.stated;
    const gboolean shared = ref_is_stated(gpu->memory.wavefront) && gpu->local.stated;
    const guint number = ref_is_copy(node->item) ? class_of(node)->pipeline
                         : special               ? gpu->atomics.pipeline
                         : shared                ? gpu->local.pipeline
                                                 : gpu->memory.pipeline;
    const PsPipeline *pipeline = gpu->pipelines->pdata[number];
    Fraction issue = request_cycles(node);
    if (pipeline->per_scheduler && node->memory->schedulers == 0)
        issue = fraction_div(issue, fraction(gpu->schedulers, 1));
    traffic->serves =
        (RefClass){.pipeline = number,
                   .per_scheduler = pipeline->per_scheduler && node->memory->schedulers > 0,
                   .issue = ref_ticks_of(node, issue),
                   .completion = ref_ticks_rounded(node, ref_completion_cycles(node))};
    traffic->drain = ref_ticks_of(node, fraction_of(gpu->memory.store));
}
