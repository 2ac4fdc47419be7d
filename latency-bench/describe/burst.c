/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of a warp's instructions that can wait in front of the unit of special functions
 * (R11). The first of a burst begins at once, N wait, and each further one issues when the unit
 * takes one: the last of eight issues 7 - N turns of the unit later than a single one.
 */
#include "gpu/rows.h"
#include "latency-bench/describe/describe.h"

#include <math.h>

#define CLASS "exp2"

/* Instructions of the longer burst, beside the first. */
#define OTHERS 7

/* Ratio to its issue cycles above which a burst has waited. */
#define SHOWS 1.1

/* Deviation from a whole number of instructions, at most. */
#define NEAR 0.3

/* Cycles that the last of eight waits to issue; NaN: not measured. */
static double wait_of(const PsDescribe *describe)
{
    g_autofree PsTaken *one = ps_describe_trip(describe, "burst.one");
    g_autofree PsTaken *eight = ps_describe_trip(describe, "burst.eight");
    return one && eight ? eight->cycles - one->cycles : NAN;
}

void ps_describe_bursts(PsDescribe *describe)
{
    const PsClass *class = ps_gpu_class(describe->gpu, CLASS, NULL);
    const double wait = wait_of(describe);
    const double turn = class ? ps_rational_to_double(class->latency.issue) : 0;
    if (turn <= SHOWS ||
        isnan(wait)) /* a unit that takes an instruction each cycle keeps none waiting */
        return;
    const double queued = OTHERS - wait / turn, places = round(queued);
    if (wait <= SHOWS * OTHERS || fabs(queued - places) > NEAR) {
        ps_describe_warn(describe, "how many special functions wait in front of their unit is not "
                                   "stated: bursts of eight do not tell");
        return;
    }
    if (places < 1)
        return;
    PsPipeline *pipeline = describe->gpu->pipelines->pdata[class->pipeline];
    pipeline->queue = (gint64)places;
    pipeline->queue_source = g_strdup("bursts");
    ps_describe_source(describe, "bursts", PS_SOURCE_MEASURED,
                       g_strdup("Bursts of one and of eight exp2 of one warp, and what the last "
                                "of them waits to issue, in turns of the unit."));
}
