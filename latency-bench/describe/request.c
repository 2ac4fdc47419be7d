/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of the load/store unit for a request to L1: for one line, for as many lines as threads
 * with all words in one bank, and for the same without two words in a bank. If banks count, and
 * loads of local memory take turns at the same unit, it works by wavefronts; if neither holds, only
 * lines take time.
 */
#include "latency-bench/describe/describe.h"
#include "gpu/level.h"
#include "gpu/rows.h"

#include <math.h>

/* Ratio above which a cost shows beside another one. */
#define SHOWS 1.1

/* Cycles of a warp's load; NaN: not measured. */
static double request_of(const PsDescribe *describe, const char *class_name)
{
    g_autofree PsTaken *trip = ps_describe_trip(describe, class_name);
    return trip ? trip->cycles / (double)(trip->row->ilp * trip->row->launch.warps) : NAN;
}

static double figure(PsRational value)
{
    return ps_rational_to_double(value);
}

/* TRUE if each load with a load of local memory beside it takes longer than both by themselves. */
static gboolean is_shared(const PsDescribe *describe, double request)
{
    return request_of(describe, "flow.pair") >
           SHOWS * fmax(request, ps_describe_issue(describe, "local.load"));
}

/* Cycles of one compute unit alone for a sector of each thread, from the level behind L1. */
static double cycles_behind(const PsGpu *gpu)
{
    PsRational rate;
    if (gpu->memory.levels->len < 2 ||
        !ps_gpu_level_rate(&g_array_index(gpu->memory.levels, PsMemoryLevel, 1), 1, gpu->clock,
                           &rate))
        return INFINITY;
    return (double)(gpu->warp_size * gpu->memory.sector_bytes) / figure(rate);
}

static void find_wavefronts(const PsDescribe *describe, PsMemory *memory, double banks,
                            double lines)
{
    const double warp = (double)describe->gpu->warp_size;
    const double miss = request_of(describe, "flow.miss");
    memory->wavefront = ps_describe_figure(banks / warp);
    if (lines > SHOWS * fmax(figure(memory->request), figure(memory->wavefront) * warp / 32))
        memory->lookup = ps_describe_figure(lines / warp);
    if (miss > SHOWS * fmax(lines, cycles_behind(describe->gpu)))
        memory->tag = ps_describe_figure(miss / warp);
}

void ps_describe_requests(PsDescribe *describe)
{
    PsMemory *memory = &describe->gpu->memory;
    const PsMemoryLevel *l1 = ps_gpu_level(describe->gpu, PS_LEVEL_L1);
    const double request = request_of(describe, "flow.request"),
                 banks = request_of(describe, "flow.tag"),
                 lines = request_of(describe, "flow.lookup"),
                 warp = (double)describe->gpu->warp_size;
    const PsRational cycles = ps_describe_figure(request);
    if (!l1 || isnan(request))
        return;
    if (cycles.num > 0)
        memory->request = cycles;
    if (banks > SHOWS * lines && is_shared(describe, request)) {
        find_wavefronts(describe, memory, banks, lines);
        return;
    }
    if (banks > SHOWS * lines)
        ps_describe_warn(describe, "loads take L1's banks one after the other, but loads of local "
                                   "memory do not share their unit: wavefronts are not stated");
    const double sector = (double)memory->sector_bytes / figure(l1->port);
    if (banks / warp > SHOWS * fmax(sector, figure(memory->request) / warp))
        memory->tag = ps_describe_figure(banks / warp);
}
