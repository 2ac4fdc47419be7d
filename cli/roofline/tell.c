/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verb roofline finds, as facts. See format.h. */
#include "cli/roofline/format.h"
#include "pipesim-private.h"

#include <string.h>

static void tell_result(const RooflineKernel *kernel, const RooflineResult *result,
                        const RooflineGpu *on, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_GPU, on->gpu->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CLOCK_MHZ,
            ps_rational_to_double(result->clock));
    ps_tell_prediction(&result->prediction, facts);
    if (kernel->is_apart)
        ps_tell_parameters(&result->params, facts);
    ps_tell_ceilings(&result->ceilings, roofline_achieved(kernel, result), facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ERROR, result->error);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_EFFICIENCY, result->efficiency);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_HEADROOM, result->headroom);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_RATE, result->rate);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ESTIMATED, result->estimated);
    ps_tell_close(facts);
}

PsTold *roofline_kernel_told(const RooflinePage *page, RooflineKernel *kernel)
{
    const PsProfileKernel *of = kernel->kernel;
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, of->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_FILE,
            strcmp(kernel->path, "-") == 0 ? NULL : kernel->path);
    ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCHES, of->launches);
    if (page->apart)
        ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCH, of->launch);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_DEVICE, of->device);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_MEASURED_SECONDS, of->seconds);
    ps_tell_parameters(&of->params, facts);
    if (of->has_metrics)
        ps_tell_metrics(&of->metrics, facts);
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS);
    for (guint i = 0; i < page->gpus->len; i++)
        tell_result(kernel, roofline_result(kernel, i), roofline_gpu(page->gpus, i), facts);
    ps_tell_close(facts);
    return facts;
}

static void tell_gpu(const RooflineGpu *on, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_NAME, on->gpu->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_CLOCK_MHZ, ps_rational_to_double(on->clock));
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_CLOCK, ps_gpu_clock_name(on->gpu, on->clock));
    ps_tell_peaks(&on->peaks, facts);
    ps_tell_close(facts);
}

PsTold *roofline_end_told(const RooflinePage *page, const GPtrArray *warnings)
{
    PsTold *facts = ps_told_new();
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_WARNINGS);
    for (guint i = 0; i < warnings->len; i++)
        ps_tell_item_text(facts, warnings->pdata[i]);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_GPUS);
    for (guint i = 0; i < page->gpus->len; i++)
        tell_gpu(roofline_gpu(page->gpus, i), facts);
    ps_tell_close(facts);
    return facts;
}
