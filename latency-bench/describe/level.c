/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The levels of memory. Walks through buffers of growing size take as long as the level that holds
 * the buffer: where they take longer, a cache has ended. Sizes in between, where a cache holds a
 * part of the buffer, make steps of their own, which are narrow. The rate of a level, for all CUs
 * and for one alone, comes from a flow through a buffer that fits it and not the cache before.
 *
 * On a device whose walks all take the same time there are no levels to distinguish, and loads are
 * classes like other instructions.
 */
#include "base/class-name.h"
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* Ratio to the step before that makes a new step. */
#define STEP 1.1

/* Ratio of the sizes at a cache's end and start, at least. */
#define WIDE 2

/* A CU's loads in flight limit it if it reaches this share of what they allow one CU alone. */
#define IN_FLIGHT 0.8

/* Share of the bandwidth below which medians of two flows differ. */
#define LESS 0.98

/* Bytes of a line of a walk. */
#define LINE 128

/* Buffers with equal times. */
typedef struct {
    gint64 first, last; /* bytes */
    double sum;         /* sum of cycles per link */
    guint n;
} Step;

static double latency_of(const Step *step)
{
    return step->sum / step->n;
}

static GArray *find_steps(const PsDescribe *describe)
{
    g_autoptr(GArray) walks = ps_describe_trips(describe, "walk");
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(Step));
    for (guint i = 0; i < walks->len; i++) {
        const PsTaken *walk = &g_array_index(walks, PsTaken, i);
        const gint64 bytes = walk->row->launch.memory;
        const double cycles = walk->cycles / (double)MAX(walk->row->unroll, 1);
        Step *last = steps->len ? &g_array_index(steps, Step, steps->len - 1) : NULL;
        if (!last || cycles > STEP * latency_of(last)) {
            const Step next = {bytes, bytes, cycles, 1};
            g_array_append_val(steps, next);
        } else {
            *last = (Step){last->first, bytes, last->sum + cycles, last->n + 1};
        }
    }
    return steps;
}

/* Drops steps of buffers that a cache holds in part; device memory, the last one, has no end. */
static void drop_narrow(GArray *steps)
{
    for (guint i = steps->len; i-- > 1;) {
        const Step *step = &g_array_index(steps, Step, i - 1);
        if (step->last < WIDE * step->first)
            g_array_remove_index(steps, i - 1);
    }
}

/* The step of the cache that the driver reports; -1: none. */
static int step_of_l2(const PsDescribe *describe, const GArray *steps)
{
    const gint64 half = describe->raw->info.l2 / 2;
    int found = -1;
    for (guint i = 0; i < steps->len; i++)
        if (g_array_index(steps, Step, i).first <= half)
            found = (int)i;
    return found;
}

/* ---- rates --------------------------------------------------------------------------------- */

/* The flow of one group (alone) or of many through a buffer that fits a cache of `last` bytes (0:
 * no cache) with room to spare, and does not fit one of `before` bytes; NULL: there is none. */
static const PsTaken *find_flow(const GArray *flows, gboolean alone, gint64 before, gint64 last)
{
    const PsTaken *found = NULL;
    for (guint i = 0; i < flows->len; i++) {
        const PsTaken *flow = &g_array_index(flows, PsTaken, i);
        const gint64 bytes = flow->row->launch.memory;
        if ((flow->row->launch.groups == 1) == alone && bytes > before &&
            (last == 0 || bytes <= last / 4 * 3 || (!found && bytes <= last)))
            found = flow;
    }
    return found;
}

/* Bytes of a group in one trip. */
static double bytes_of_group(const PsTaken *flow)
{
    return flow->row->operations * (double)flow->row->launch.group_size;
}

/* 10^9 bytes per second of all groups. */
static double rate_of(const PsTaken *flow)
{
    return bytes_of_group(flow) * (double)flow->row->launch.groups / flow->seconds / 1e9;
}

/* Bytes per cycle of a CU alone; 0: its loads in flight may be the only limit. */
static PsRational find_port(const GArray *flows, gint64 before, gint64 last, double latency)
{
    const PsTaken *flow = find_flow(flows, TRUE, before, last);
    if (!flow || latency > IN_FLIGHT * flow->cycles)
        return PS_RATIONAL_INT(0);
    return ps_describe_figure(bytes_of_group(flow) / flow->cycles);
}

/* FALSE if the level lacks a figure. */
static gboolean fill_level(const PsDescribe *describe, const GArray *flows, const Step *step,
                           gint64 before, PsMemoryLevel *level)
{
    const gint64 last = level->level == PS_LEVEL_DEVICE ? 0 : step->last;
    const PsTaken *flow = find_flow(flows, describe->gpu->compute_units == 1, before, last);
    level->bytes = last;
    level->latency = ps_describe_figure(latency_of(step));
    level->source = g_strdup("memory-levels");
    if (!flow)
        return FALSE;
    if (level->level == PS_LEVEL_L1) {
        level->port = ps_describe_figure(bytes_of_group(flow) / flow->cycles);
        return level->latency.num > 0 && level->port.num > 0;
    }
    level->at = ps_describe_figure(describe->clock);
    if (describe->gpu->compute_units > 1) /* a single CU moves what all move */
        level->port = find_port(flows, before, last, latency_of(step));
    level->bandwidth = ps_describe_figure(rate_of(flow));
    return level->latency.num > 0 && level->at.num > 0 && level->bandwidth.num > 0;
}

/* Bandwidth of device memory when as much is written as read, if it is lower: by a copy of more
 * than twice the `before` bytes of the last cache, so neither half fits it. */
static void find_mixed(const PsDescribe *describe, gint64 before, PsMemoryLevel *device)
{
    g_autoptr(GArray) copies = ps_describe_trips(describe, "flow.copy");
    const PsTaken *copy = find_flow(copies, describe->gpu->compute_units == 1, 2 * before, 0);
    if (copy && rate_of(copy) < LESS * ps_rational_to_double(device->bandwidth))
        device->mixed = ps_describe_figure(rate_of(copy));
}

/* ---- levels -------------------------------------------------------------------------------- */

/* Everything that a level moves passes the levels before it, so these move as much. Where one limit
 * applies to both, medians of the two flows differ either way. */
static void lift_bandwidths(const PsGpu *gpu)
{
    for (guint i = gpu->memory.levels->len; i-- > 1;) {
        const PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        PsMemoryLevel *before = &g_array_index(gpu->memory.levels, PsMemoryLevel, i - 1);
        if (before->bandwidth.num && ps_rational_cmp(before->bandwidth, level->bandwidth) < 0)
            before->bandwidth = level->bandwidth;
    }
}

/* FALSE, and a warning, if a level cannot be stated. */
static gboolean add_levels(PsDescribe *describe, GArray *steps, guint l2)
{
    g_autoptr(GArray) flows = ps_describe_trips(describe, "flow");
    gint64 before = 0;
    g_array_index(steps, Step, l2).last = describe->raw->info.l2 / LINE * LINE;
    for (guint i = 0; i < steps->len; i++) {
        const Step *step = &g_array_index(steps, Step, i);
        /* All CUs share the cache that the driver reports: without a cache before it there is no
         * L1. */
        const PsLevel level = i + 1 == steps->len
                                  ? PS_LEVEL_DEVICE
                                  : (PsLevel)(i + (l2 == 0 ? PS_LEVEL_L2 : PS_LEVEL_L1));
        if (level > PS_LEVEL_DEVICE ||
            !fill_level(describe, flows, step, before, ps_gpu_add_level(describe->gpu, level))) {
            ps_describe_warn(describe,
                             "the levels of memory are not stated: the one that holds %" //
                             G_GINT64_FORMAT " bytes lacks a figure",
                             step->first);
            return FALSE;
        }
        if (level == PS_LEVEL_DEVICE)
            find_mixed(describe, before,
                       &g_array_index(describe->gpu->memory.levels, PsMemoryLevel, i));
        before = step->last;
    }
    lift_bandwidths(describe->gpu);
    return TRUE;
}

static void say(PsDescribe *describe)
{
    describe->gpu->memory.source = g_strdup("memory-levels");
    ps_describe_source(
        describe, "memory-levels", PS_SOURCE_MEASURED,
        g_strdup_printf(
            "Latencies: walks of one warp through rings of lines of %d bytes in random order, of "
            "sizes that each level holds. A cache ends where larger rings take longer; the cache "
            "that the driver tells of has the size that it tells. Bandwidth: all compute units "
            "read buffers of 8 KiB, half of that cache, and several times its size, again and "
            "again; a port: one compute unit alone. Mixed: all copy one half of the largest buffer "
            "to the other; stated where that is at least 2 %% slower. Requests: loads of one "
            "sector, found in L1; wavefronts: loads of as many lines as threads, all of one bank; "
            "lookup: the same of all banks; tag: the same where L1 does not have them. Stores: "
            "what "
            "groups with a store, few at once, take beside their turnaround. Queue: how much "
            "longer "
            "trips take the busier more and more warps keep device memory, of loads alone and "
            "(queue-mixed) of copies; the window is what a V100's sweep fits, and no measurement. "
            "What does not show beside other limits is not stated.",
            LINE));
}

void ps_describe_levels(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    g_autoptr(GArray) steps = find_steps(describe);
    drop_narrow(steps);
    const int l2 = step_of_l2(describe, steps);
    if (l2 < 0 || l2 + 1 >= (int)steps->len)
        return;
    if (!add_levels(describe, steps, (guint)l2)) {
        g_clear_pointer(&gpu->memory.levels, g_array_unref);
        return;
    }
    gpu->memory.pipeline = ps_describe_pipeline(gpu, "global", FALSE);
    gpu->model.levels = TRUE;
    ps_describe_requests(describe);
    ps_describe_queue(describe);
    say(describe);
}

gboolean ps_describe_follows(const PsDescribe *describe, const PsBenchFit *fit)
{
    const PsGpu *gpu = describe->gpu;
    const char *class_name = fit->class_name;
    if (ps_class_is_local(class_name))
        return ps_describe_follows_local(describe, fit);
    if (!gpu->memory.levels)
        return FALSE;
    return ps_class_covers("atomic", class_name)
               ? gpu->atomics.stated
               : ps_class_n_parts(class_name) < 4 && /* "global.load.A.8x8" names a pattern */
                     ps_class_is_global(class_name);
}
