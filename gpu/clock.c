/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks that a description states, and which of them answers are for. */
#include "gpu/gpu.h"
#include "gpu/rows.h"

PsRational ps_gpu_usual_clock(const PsGpu *gpu)
{
    return gpu->load_clock.num    ? gpu->load_clock
           : gpu->boost_clock.num ? gpu->boost_clock
                                  : gpu->clock;
}

PsRational ps_gpu_highest_clock(const PsGpu *gpu)
{
    const PsRational others[] = {gpu->boost_clock, gpu->load_clock};
    PsRational highest = gpu->clock;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (ps_rational_cmp(others[i], highest) > 0)
            highest = others[i];
    return highest;
}

const char *ps_gpu_clock_name(const PsGpu *gpu, PsRational clock)
{
    const struct {
        PsRational clock;
        const char *name;
    } known[] = {
        {gpu->clock, "base"}, {gpu->boost_clock, "boost"}, {gpu->load_clock, "under load"}};
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        if (ps_rational_cmp(known[i].clock, clock) == 0)
            return known[i].name;
    return NULL;
}
