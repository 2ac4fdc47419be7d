/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline.h. */
#include "tell/roofline.h"

#include "answer/figures.h"
#include "roofline/terms.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>

/* The least share that idle lanes add to operations for which they are mentioned. */
#define TOLD_IDLE 0.005

/* Operations of that type by threads alone: W_comp also counts the work of units for idle lanes. */
static double operations_of_threads(const PsAnswer *answer)
{
    double operations = 0;
    for (guint i = 0; i < answer->operations->len; i++) {
        const PsOperations *some = &g_array_index(answer->operations, PsOperations, i);
        if (ps_k_type_of(some->type) == answer->roofline.params.K_type)
            operations += some->count;
    }
    return operations;
}

static gboolean has_idle_lanes(const PsAnswer *answer)
{
    const double all = answer->roofline.params.W_comp;
    return all - operations_of_threads(answer) > TOLD_IDLE * all;
}

/* "fp32, 170.7 operations per byte"; behind words that end in "operations" only "per byte". */
static char *describe_work(const PsAnswer *answer, const char *operations)
{
    const PsParams *params = &answer->roofline.params;
    if (!(params->W_comp > 0))
        return g_strdup(params->W_comp == 0 ? "no operations" : "operations not known");
    const char *type = ps_k_type_name(params->K_type);
    const char *beyond = ps_k_type_is_beyond(params->K_type) ? " (beyond the paper)" : "";
    if (isnan(params->O_krn) || isinf(params->O_krn))
        return g_strdup_printf("%s%s, %s to device memory", type, beyond,
                               isinf(params->O_krn) ? "no traffic" : "unknown traffic");
    g_autofree char *intensity = ps_format_number(
        has_idle_lanes(answer) ? operations_of_threads(answer) / params->W_traf : params->O_krn);
    return g_strdup_printf("%s%s, %s%s per byte", type, beyond, intensity, operations);
}

char *ps_sentence_ceiling(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    const PsParams *params = &answer->roofline.params;
    if (params->W_comp == 0 && params->W_traf == 0)
        return g_strdup("none: the graph states no operations and no traffic to device memory");
    const gboolean memory = ps_launch_roofline_ceiling_peak(&answer->roofline) == PS_B_MEM;
    const gboolean idle = !memory && has_idle_lanes(answer);
    g_autofree char *work = describe_work(answer, memory || idle ? " operations" : "");
    const gboolean kept = answer->roofline.least_traffic < params->W_traf;
    if (!(prediction->ceiling_seconds > 0))
        return g_strdup_printf("%s: %s",
                               kept ? "none, since caches may keep all that is stored"
                                    : "not known, see the warnings",
                               work);
    g_autofree char *ceiling = ps_format_time(prediction->ceiling_seconds);
    return g_strdup_printf("at least %s for its %s; %s", ceiling,
                           memory ? kept ? "traffic, but for what caches may keep" : "traffic"
                           : idle ? "operations, idle lanes' too"
                                  : "operations",
                           work);
}

/* "for its instructions", and then what equation 19 leaves out. These words are no verdict: an
 * answer has one, "Limited by". */
static const char *const predicted_for[][2] = {
    [PS_BOUND_COMPUTE] = {"instructions", ""},
    [PS_BOUND_MEMORY] = {"traffic", ""},
    [PS_BOUND_COMPUTE_ONLY] = {"instructions", "; its traffic is not known"},
    [PS_BOUND_MEMORY_ONLY] = {"traffic", "; its instructions are not known"},
    [PS_BOUND_COMPUTE_LEAST] = {"operations", "; its other instructions are not known"},
    [PS_BOUND_CEILING] = {"busiest unit or level of memory", ""}};

const char *ps_predicted_for(PsBound bound)
{
    return bound == PS_BOUND_UNKNOWN ? NULL : predicted_for[bound][0];
}

const char *ps_predicted_without(PsBound bound)
{
    return bound == PS_BOUND_UNKNOWN ? "" : predicted_for[bound][1];
}

char *ps_sentence_prediction(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    if (prediction->bound == PS_BOUND_UNKNOWN)
        return NULL;
    g_autofree char *seconds = ps_format_time(prediction->seconds);
    return g_strdup_printf("%s for its %s (quantitative roofline, equation 19)%s", seconds,
                           ps_predicted_for(prediction->bound),
                           ps_predicted_without(prediction->bound));
}

char *ps_sentence_cross_check(const PsAnswer *answer)
{
    g_autofree char *sentence = ps_verdict_sentence(answer);
    if (!sentence || isnan(answer->ratio))
        return g_steal_pointer(&sentence);
    g_autofree char *ratio = ps_format_number(answer->ratio);
    return g_strdup_printf("%s times the prediction%s: %s", ratio,
                           answer->launch_seconds > 0 ? ", without the launch" : "", sentence);
}

static void add_error(GString *out, const char *name, double error)
{
    if (isfinite(error))
        g_string_append_printf(out, "%s %s %+.1f %%", out->len ? "," : "", name, 100 * error);
}

char *ps_sentence_measured(const PsAnswer *answer, double measured)
{
    const PsAnswerErrors errors = ps_answer_errors(answer, measured);
    g_autofree char *time = ps_format_time(measured);
    g_autoptr(GString) list = g_string_new(NULL);
    add_error(list, "simulated", errors.simulated);
    add_error(list, "roofline", errors.roofline);
    add_error(list, "result", errors.result);
    return g_strdup_printf("%s:%s", time, list->str);
}
