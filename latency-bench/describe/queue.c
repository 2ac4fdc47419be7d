/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wait of loads at a device memory that is busy (docs/reference/model.md, R7). More and more
 * warps of each CU keep it busy for the share u of the time. A trip takes T = T0 + W * (1 - sqrt(1
 * - u)). The line of least squares through the trips gives W and T0: `queue` for loads alone,
 *   `queue-mixed` for copies.
 */
#include "latency-bench/describe/describe.h"
#include "gpu/level.h"
#include "gpu/rows.h"

#include <math.h>

/* Share of the bandwidth beyond which warps wait for each other's bytes, which is another wait. */
#define BUSY 0.9

/* With fewer launches, a line through trips is mostly noise. */
#define LEAST_TRIPS 3

/* Share of the round trip below which a wait is within the noise of medians. */
#define SHOWS 0.2

/* Nanoseconds: gpu-stream's sweep on a V100 fits windows of 1000 to 4000 ns alike. */
#define WINDOW 2000

/* Sums for a least-squares line. */
typedef struct {
    double n, x, y, xx, xy;
} Line;

static void add_point(Line *line, double x, double y)
{
    line->n += 1;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

/* 10^9 bytes per second, which are bytes per nanosecond. */
static double rate_of(const PsTaken *trip)
{
    const PsBenchLaunch *launch = &trip->row->launch;
    return trip->row->operations * (double)(launch->group_size * launch->groups) / trip->seconds /
           1e9;
}

/* W in ns of a class's trips, whose bytes device memory moves at that rate; 0: none shows. */
static double find_wait(const PsDescribe *describe, const char *class_name, PsRational bandwidth)
{
    g_autoptr(GArray) trips = ps_describe_trips(describe, class_name);
    Line line = {0};
    for (guint i = 0; i < trips->len; i++) {
        const PsTaken *trip = &g_array_index(trips, PsTaken, i);
        const double u = rate_of(trip) / ps_rational_to_double(bandwidth);
        if (u <= BUSY)
            add_point(&line, 1 - sqrt(1 - u), trip->seconds * 1e9);
    }
    const double spread = line.n * line.xx - line.x * line.x;
    if (line.n < LEAST_TRIPS || spread <= 0)
        return 0;
    const double wait = (line.n * line.xy - line.x * line.y) / spread;
    const double empty = (line.y - wait * line.x) / line.n;
    return wait > SHOWS * empty ? wait : 0;
}

void ps_describe_queue(PsDescribe *describe)
{
    PsMemory *memory = &describe->gpu->memory;
    const PsMemoryLevel *device = ps_gpu_level(describe->gpu, PS_LEVEL_DEVICE);
    if (!device || device->bandwidth.num <= 0)
        return;
    const double reads = find_wait(describe, "flow.queue", device->bandwidth);
    const double mixed = find_wait(describe, "flow.queue.copy",
                                   device->mixed.num > 0 ? device->mixed : device->bandwidth);
    if (reads <= 0 || mixed <= 0)
        return;
    memory->queue = ps_describe_figure(reads);
    memory->queue_mixed = ps_describe_figure(fmax(reads, mixed));
    memory->window = ps_describe_figure(fmax(WINDOW, fmax(reads, mixed)));
}
