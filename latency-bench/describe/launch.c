/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of launches (rule R5). For a kernel that does next to nothing, one group takes the cost
 * of a launch, many groups take the dispatcher's, and, if local memory lets a CU hold few, the
 * turnaround of their places. Groups that end with a store hold their places for it, too.
 */
#include "gpu/level.h"
#include "gpu/rows.h"
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* Ratio above which a cost shows beside another one. */
#define SHOWS 1.1

/* Ratio above which the cost of a timer around a launch shows. */
#define SHOWS_IN_TIMER 1.01

/* Cycles of a CU for each of its groups, from the two launches with few groups at once, or with
 * many; NaN: they are missing. *warps: warps at once. */
static double cycles_of_group(const PsDescribe *describe, const GArray *taken, gboolean few,
                              gint64 *warps)
{
    const PsTaken *less = NULL, *more = NULL;
    for (guint i = 0; i < taken->len; i++) {
        const PsTaken *one = &g_array_index(taken, PsTaken, i);
        const PsBenchLaunch *launch = &one->row->launch;
        if (launch->groups == 1 || (launch->local_memory > 0) != few)
            continue;
        less = !less || launch->groups < less->row->launch.groups ? one : less;
        more = !more || launch->groups > more->row->launch.groups ? one : more;
    }
    if (!less || less == more)
        return NAN;
    *warps = more->row->launch.warps;
    const double groups = (double)(more->row->launch.groups - less->row->launch.groups) /
                          (double)describe->gpu->compute_units;
    return (more->seconds - less->seconds) / groups * describe->clock * 1e6;
}

/* Seconds that a timer counts beside the launch: of several launches between its start and end,
 * each further one takes its own time. 0: nothing shows. */
static double timer_of(const PsDescribe *describe)
{
    g_autoptr(GArray) taken = ps_describe_taken(describe, "launch.timer");
    const PsTaken *one = NULL, *more = NULL;
    for (guint i = 0; i < taken->len; i++) {
        const PsTaken *of = &g_array_index(taken, PsTaken, i);
        *(of->row->launch.step == 1 ? &one : &more) = of;
    }
    if (!one || !more)
        return 0;
    const double each =
        (more->seconds - one->seconds) / (double)(more->row->launch.step - one->row->launch.step);
    return one->seconds > SHOWS_IN_TIMER * each ? one->seconds - each : 0;
}

/* Seconds of a launch without the first instructions and arguments of rule R5, which come from the
 * last cache (a campaign repeats a kernel), and without the group itself. */
static double launch_of(const PsDescribe *describe, const GArray *taken, double life, double timer)
{
    const GArray *levels = describe->gpu->memory.levels;
    const PsMemoryLevel *last =
        &g_array_index(levels, PsMemoryLevel, levels->len > 1 ? levels->len - 2 : 0);
    const double clock = last->at.num > 0 ? ps_rational_to_double(last->at) : describe->clock;
    const double fetch = 2 * ps_rational_to_double(last->latency) / clock * 1e-6;
    const double own = fetch + life / describe->clock * 1e-6 + timer;
    for (guint i = 0; i < taken->len; i++) {
        const PsTaken *one = &g_array_index(taken, PsTaken, i);
        if (one->row->launch.groups == 1 && one->seconds > SHOWS * own)
            return one->seconds - own;
    }
    return 0;
}

static PsRational stated(double figure)
{
    return figure > 0 ? ps_describe_figure(figure) : PS_RATIONAL_INT(0);
}

/* Cycles of L2 for a warp's stores, all CUs alike. */
static double cycles_of_l2(const PsGpu *gpu)
{
    const PsMemoryLevel *l2 = ps_gpu_level(gpu, PS_LEVEL_L2);
    PsRational rate;
    if (!l2 || !ps_gpu_level_rate(l2, gpu->compute_units, gpu->clock, &rate))
        return 0;
    return 4 * (double)gpu->warp_size / ps_rational_to_double(rate);
}

/* Finds the time that a store without a reader holds its group: the time of a place beyond its
 * turnaround. There is none if that is little beside the turnaround, or if the dispatcher or L2
 * takes that long. */
static void find_store(PsDescribe *describe, double turnaround, double fast)
{
    PsMemory *memory = &describe->gpu->memory;
    g_autoptr(GArray) taken = ps_describe_taken(describe, "launch.store");
    gint64 few = 1;
    const double slow = cycles_of_group(describe, taken, TRUE, &few);
    const double store = slow * (double)few - turnaround;
    if (slow > SHOWS * MAX(fast, cycles_of_l2(describe->gpu)) &&
        store > SHOWS * ps_rational_to_double(memory->request) && store > (SHOWS - 1) * turnaround)
        memory->store = ps_describe_figure(store);
}

/* A CU's groups begin no sooner than its share of the dispatcher allows, than a place is free, and
 * than their additions can issue. */
static void find_groups(PsDescribe *describe, const GArray *taken, double life, double issue)
{
    PsOverheads *overheads = &describe->gpu->overheads;
    gint64 few = 1, many = 1;
    const double slow = cycles_of_group(describe, taken, TRUE, &few),
                 fast = cycles_of_group(describe, taken, FALSE, &many);
    const double place = slow * (double)few; /* a place, from one group to the next */
    const double least = (isnan(place) ? life : place) / (double)many;
    if (fast > SHOWS * MAX(least, issue))
        overheads->dispatch = stated(fast / (double)describe->gpu->compute_units);
    if (slow > SHOWS * fast && place > SHOWS * life)
        overheads->turnaround = stated(place - life);
    find_store(describe, MAX(place - life, 0), fast);
}

void ps_describe_launches(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    PsOverheads *overheads = &gpu->overheads;
    g_autoptr(GArray) taken = ps_describe_taken(describe, "launch");
    const PsClass *fadd = ps_gpu_class(gpu, "fadd", NULL);
    if (!gpu->memory.levels || taken->len == 0)
        return;
    const double life = fadd ? ps_rational_to_double(fadd->latency.completion) : 0,
                 issue = fadd ? ps_rational_to_double(fadd->latency.issue) : 0;
    const double timer = timer_of(describe);
    const double launch = launch_of(describe, taken, life, timer);
    overheads->kernel_launch = stated(launch * 1e6);
    /* the timer includes a launch, so it is not less */
    overheads->timer = stated(timer > launch ? timer * 1e6 : 0);
    find_groups(describe, taken, life, issue);
    if (!overheads->kernel_launch.num && !overheads->dispatch.num && !overheads->turnaround.num &&
        !overheads->timer.num)
        return;
    overheads->stated = gpu->model.overheads = TRUE;
    overheads->source = g_strdup("launches");
    ps_describe_source(
        describe, "launches", PS_SOURCE_MEASURED,
        g_strdup(
            "Launches of a kernel with a single addition. Kernel: one group, less twice the "
            "latency of the last cache, from which instructions and arguments come, less the "
            "addition, and less what the timer counts. Timer: what one launch of many additions "
            "takes longer than each further one, of those between one start of the timer and "
            "its end. Dispatch: what each of many groups adds, all places taken. "
            "Turnaround: the same with as few places as local memory allows, less the "
            "addition; so the few instructions that each kernel begins and ends with are in "
            "it."));
}
