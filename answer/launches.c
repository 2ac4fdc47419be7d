/* SPDX-License-Identifier: BSD-3-Clause */
/* See launches.h. */
#include "answer/launches.h"

#include <math.h>

static double share_of(double part, double all)
{
    return all > 0 ? part / all : NAN;
}

PsLaunchTime ps_launch_times_add_up(PsLaunchTime *times, guint n)
{
    PsLaunchTime all = {0};
    for (guint i = 0; i < n; i++) {
        PsLaunchTime *time = &times[i];
        time->total = (double)time->count * time->seconds;
        time->total_half_width = (double)time->count * time->half_width;
        all.count += time->count;
        all.total += time->total;
        all.total_half_width += time->total_half_width;
    }
    for (guint i = 0; i < n; i++)
        times[i].share = share_of(times[i].total, all.total);
    all.seconds = share_of(all.total, (double)all.count);
    all.half_width = share_of(all.total_half_width, (double)all.count);
    all.share = share_of(all.total, all.total);
    return all;
}
