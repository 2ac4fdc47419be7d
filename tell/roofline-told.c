/* SPDX-License-Identifier: BSD-3-Clause */
/* The roofline of kernels, as facts and as a document. See roofline-kernel.h. */
#include "gpu/rows.h"
#include "tell/roofline-facts.h"
#include "tell/roofline-kernel.h"
#include "tell/roofline.h"

#include <string.h>

/* What the predicted time is spent on; if a ceiling decides, whose it is (g_free); NULL: there is
 * no prediction. */
static char *predicted_for(const PsProfileKernel *of, const PsRooflineResult *result)
{
    const PsPrediction *p = &result->prediction;
    const gboolean held = p->bound == PS_BOUND_CEILING;
    const char *words = held ? ps_roofline_highest_words(of, result) : ps_predicted_for(p->bound);
    const PsBound bound = held ? p->equations_bound : p->bound;
    return words ? g_strconcat(words, bound >= PS_BOUND_COMPUTE_ONLY ? "?" : "", NULL) : NULL;
}

static void tell_result(const PsRooflineKernel *kernel, const PsRooflineResult *result,
                        const PsRooflineGpu *on, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_GPU, on->gpu->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CLOCK_MHZ,
            ps_rational_to_double(result->clock));
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_B_MEM,
            result->peaks.value[PS_B_MEM]);
    ps_tell_prediction(&result->prediction, facts);
    if (kernel->is_apart)
        ps_tell_parameters(&result->params, facts);
    ps_tell_ceilings(&result->ceilings, ps_roofline_achieved(kernel, result), facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ERROR, result->error);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_EFFICIENCY, result->efficiency);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_HEADROOM, result->headroom);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_RATE, result->rate);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ESTIMATED, result->estimated);
    g_autofree char *words = predicted_for(kernel->kernel, result);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_PREDICTED_FOR, words);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_HELD_BY,
            ps_roofline_highest_words(kernel->kernel, result));
    ps_tell_close(facts);
}

PsTold *ps_roofline_told(PsRooflineKernel *kernel, const GArray *gpus, gboolean apart)
{
    const PsProfileKernel *of = kernel->kernel;
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, of->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_FILE,
            strcmp(kernel->path, "-") == 0 ? NULL : kernel->path);
    ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCHES, of->launches);
    if (apart)
        ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCH, of->launch);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_DEVICE, of->device);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_MEASURED_SECONDS, of->seconds);
    ps_tell_parameters(&of->params, facts);
    if (of->has_metrics)
        ps_tell_metrics(&of->metrics, facts);
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS);
    for (guint i = 0; i < gpus->len; i++)
        tell_result(kernel, ps_roofline_result(kernel, i), ps_roofline_gpu(gpus, i), facts);
    ps_tell_close(facts);
    return facts;
}

static void tell_gpu(const PsRooflineGpu *on, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_NAME, on->gpu->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_CLOCK_MHZ, ps_rational_to_double(on->clock));
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_CLOCK, ps_gpu_clock_name(on->gpu, on->clock));
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_GPUS_COMPUTE_UNITS, on->gpu->compute_units);
    ps_tell_peaks(&on->peaks, facts);
    ps_tell_close(facts);
}

static PsTold *end_told(const GArray *gpus, const GPtrArray *warnings)
{
    PsTold *facts = ps_told_new();
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_WARNINGS);
    for (guint i = 0; i < warnings->len; i++)
        ps_tell_item_text(facts, warnings->pdata[i]);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_GPUS);
    for (guint i = 0; i < gpus->len; i++)
        tell_gpu(ps_roofline_gpu(gpus, i), facts);
    ps_tell_close(facts);
    return facts;
}

/* Kernels are told and written one at a time, since there may be very many. */
void ps_roofline_json_begin(PsJson *json)
{
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    ps_json_open_fact(json, PS_FACT_ROOFLINE_REPORT_KERNELS);
}

void ps_roofline_json_kernel(PsJson *json, PsRooflineKernel *kernel, const GArray *gpus,
                             gboolean apart)
{
    g_autoptr(PsTold) facts = ps_roofline_told(kernel, gpus, apart);
    ps_json_told_object(json, facts);
}

void ps_roofline_json_end(PsJson *json, const GArray *gpus, const GPtrArray *warnings)
{
    g_autoptr(PsTold) facts = end_told(gpus, warnings);
    ps_json_close(json, ']');
    ps_json_told(json, facts);
    ps_json_close(json, '}');
    g_string_append_c(json->out, '\n');
}
