/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations, and stores of partial sectors, if they are slower than levels of memory and
 * pipelines allow: otherwise no rate of their own shows.
 */
#include "gpu/rows.h"
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* A rate of at least this share of another limit may be due to that limit. */
#define SHOWS 0.9

/* Operations of a request at one address that graphs count, at most. */
#define MOST_SERIAL 32

/* Work of a launch per trip, in 10^9 per second; 0: there is no such launch. */
static double rate_of(const PsDescribe *describe, const char *class_name, double each)
{
    g_autofree PsTaken *trip = ps_describe_trip(describe, class_name);
    if (!trip)
        return 0;
    const PsBenchLaunch *launch = &trip->row->launch;
    return trip->row->operations * each * (double)launch->groups * (double)launch->group_size /
           trip->seconds / 1e9;
}

/* Requests that pipelines of all CUs allow, in 10^9 per second. */
static double most_requests(const PsDescribe *describe)
{
    const PsGpu *gpu = describe->gpu;
    return (double)gpu->compute_units * describe->clock / 1e3 /
           ps_rational_to_double(gpu->memory.request);
}

/* Sectors that L2, and the CUs' ways to it, allow, in 10^9 per second. */
static double most_sectors(const PsDescribe *describe)
{
    const PsGpu *gpu = describe->gpu;
    const PsMemoryLevel *l2 = ps_gpu_level(gpu, PS_LEVEL_L2);
    if (!l2)
        l2 = ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    double bytes = ps_rational_to_double(l2->bandwidth);
    if (l2->port.num > 0)
        bytes = MIN(bytes, ps_rational_to_double(l2->port) * (double)gpu->compute_units *
                               describe->clock / 1e3);
    return bytes / (double)gpu->memory.sector_bytes;
}

/* The rate, unless another limit is as low. */
static PsRational shown(double rate, double most)
{
    return rate > 0 && rate < SHOWS * most ? ps_describe_figure(rate) : PS_RATIONAL_INT(0);
}

/* Lines at which warps take turns, as in the kernels. */
#define LINES 16

/* The sectors of a line. */
#define SECTORS 4

/* A store to a sector takes at least as long as an addition to one address. */
static void find_write(const PsDescribe *describe, PsAtomics *atomics)
{
    const double rate = rate_of(describe, "touch.write", 1 / (double)describe->gpu->warp_size);
    atomics->write = shown(rate, ps_rational_to_double(atomics->address));
}

/* If lines take turns in one place, say by fours, warps at 16 lines are in four places. */
static void find_block(const PsDescribe *describe, double most, PsAtomics *atomics)
{
    const double rate = rate_of(describe, "touch.lines", 1 / (double)describe->gpu->warp_size);
    const double block = LINES * ps_rational_to_double(atomics->per_line) / rate;
    if (atomics->sectors.num > 0)
        most = MIN(most, ps_rational_to_double(atomics->sectors) / SECTORS);
    if (rate > 0 && rate < SHOWS * most && block > 1 / SHOWS)
        atomics->block = ps_describe_figure(block);
}

static void find_rates(const PsDescribe *describe, PsAtomics *atomics)
{
    const double warp = (double)describe->gpu->warp_size, sectors = most_sectors(describe);
    const double requests = most_requests(describe), most = MIN(requests, sectors);
    const double address = rate_of(describe, "touch.address", 1 / warp),
                 line = rate_of(describe, "touch.line", 1 / warp);
    atomics->sectors =
        shown(rate_of(describe, "touch.sectors", 1), MIN(sectors, requests * warp / 8));
    if (address > 0 && address < SHOWS * most) {
        atomics->address = ps_describe_figure(address * MIN(warp, MOST_SERIAL));
        atomics->per_line = ps_describe_figure(MIN(line, ps_rational_to_double(atomics->address)));
        find_block(describe, MIN(requests, sectors / SECTORS), atomics);
        find_write(describe, atomics);
    }
    atomics->partial = shown(rate_of(describe, "touch.partial", 1), MIN(sectors, requests * warp));
    /* L2 does them cycle by cycle. A clock without a rate would be an error. */
    if (atomics->address.num > 0 || atomics->sectors.num > 0 || atomics->partial.num > 0)
        atomics->rates_at = ps_describe_figure(describe->clock);
}

void ps_describe_atomics(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    PsAtomics *atomics = &gpu->atomics;
    const PsHullFit *fit = gpu->memory.levels ? ps_describe_hull(describe, "atomic.global") : NULL;
    const PsRational latency = fit ? ps_describe_decimal(&fit->completion) : PS_RATIONAL_INT(0);
    if (latency.num <= 0)
        return;
    atomics->stated = TRUE;
    atomics->pipeline = ps_describe_pipeline(gpu, "atomic", FALSE);
    atomics->request = gpu->memory.request;
    atomics->latency = latency;
    atomics->at = ps_describe_figure(describe->clock);
    atomics->source = g_strdup("atomics");
    find_rates(describe, atomics);
    ps_describe_source(
        describe, "atomics", PS_SOURCE_MEASURED,
        g_strdup(
            "Latency: chains of atomic additions to words of L2. Rates: all compute units add, "
            "with no result, all threads to one address, warps to one line, to one of 16 lines, "
            "and "
            "to words side by side; or store to one sector, or a word of each sector; that they go "
            "with the clock is assumed. What does not show beside the levels of memory is not "
            "stated. That a request takes as long as one of a load is assumed."));
}
