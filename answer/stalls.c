/* SPDX-License-Identifier: BSD-3-Clause */
#include "answer/stalls.h"

#include <math.h>

GArray *ps_stalls_compare(const GPtrArray *stalls, const PsGpu *gpu)
{
    GArray *disputes = g_array_new(FALSE, FALSE, sizeof(PsStallDispute));
    for (guint i = 0; i < stalls->len; i++) {
        const PsBuildStall *stall = stalls->pdata[i];
        PsMatch match;
        const PsClass *class = ps_gpu_class(gpu, stall->class_name, &match);
        if (!class || match == PS_MATCH_DEFAULT)
            continue;
        const double completion = round(ps_rational_to_double(class->latency.completion));
        const gboolean late = completion > stall->cycles;
        const PsStallDispute dispute = {stall, class, late};
        if (late || (stall->adjacent && completion + 1 < stall->cycles))
            g_array_append_val(disputes, dispute);
    }
    return disputes;
}
