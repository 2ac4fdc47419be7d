/* SPDX-License-Identifier: BSD-3-Clause */
/* The metrics of Table 1 of the quantitative roofline: their names. */
#include "roofline/roofline.h"
#include "roofline/terms.h"

#include <math.h>

void ps_metrics_init(PsMetrics *metrics)
{
    for (guint i = 0; i < PS_N_METRICS; i++)
        metrics->value[i] = NAN;
    for (guint i = 0; i < PS_N_PRODUCTS; i++)
        metrics->products[i] = 0;
    metrics->special64 = metrics->atomics = metrics->conflicts = metrics->stored =
        metrics->replays = 0;
    metrics->graph = FALSE;
}

const char *ps_metric_name(PsMetric metric)
{
    static const char *const names[PS_N_METRICS] = {[PS_M_FP64] = "M_fp64",
                                                    [PS_M_FMA64] = "M_fma64",
                                                    [PS_M_FP32] = "M_fp32",
                                                    [PS_M_FMA32] = "M_fma32",
                                                    [PS_M_INT] = "M_int",
                                                    [PS_M_LDST] = "M_ldst",
                                                    [PS_M_INST] = "M_inst",
                                                    [PS_M_TRAN_R] = "M_tran-r",
                                                    [PS_M_TRAN_W] = "M_tran-w",
                                                    [PS_M_FP16] = "M_fp16",
                                                    [PS_M_OPS16] = "M_ops16",
                                                    [PS_M_TENSOR] = "M_tensor",
                                                    [PS_M_OPS_TENSOR] = "M_ops-tensor",
                                                    [PS_M_L1] = "M_l1",
                                                    [PS_M_L2] = "M_l2",
                                                    [PS_M_OPS64] = "M_ops64",
                                                    [PS_M_OPS32] = "M_ops32",
                                                    [PS_M_FMA_PIPE] = "M_fma-pipe",
                                                    [PS_M_SPECIAL] = "M_special",
                                                    [PS_M_LOCAL] = "M_local",
                                                    [PS_M_CYCLES] = "M_cycles",
                                                    [PS_M_SECONDS] = "M_seconds",
                                                    [PS_M_L3] = "M_l3",
                                                    [PS_M_L4] = "M_l4",
                                                    [PS_M_BEHIND_L2] = "M_behind-l2"};
    return names[metric];
}
