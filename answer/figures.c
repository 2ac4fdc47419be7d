/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that follow from those of an answer. See answer.h. */
#include "answer/answer-private.h"
#include "answer/figures.h"

#include <math.h>

double ps_answer_execution(const PsAnswer *answer)
{
    return ps_rational_to_double(answer->result.cycles) /
           (ps_rational_to_double(answer->clock) * 1e6);
}

double ps_answer_gflops(const PsAnswer *answer, double seconds)
{
    return seconds > 0 ? answer->flops / seconds / 1e9 : 0;
}

double ps_answer_ratio(const PsAnswer *answer, const PsAnswer *base)
{
    return base->seconds > 0 ? answer->seconds / base->seconds : 1;
}

double ps_answer_headroom(const PsAnswer *answer)
{
    const double ceiling = ps_launch_roofline_seconds(&answer->roofline, PS_CLAMP_CEILING);
    return ceiling > 0 ? (answer->seconds - answer->launch_seconds) / ceiling : NAN;
}

double ps_answer_skipped(const PsAnswer *answer)
{
    const PsSimResult *result = &answer->result;
    return result->ticks
               ? (double)(result->skipped_ticks - result->estimated_ticks) / (double)result->ticks
               : 0;
}

double ps_answer_mean(const PsAnswer *answer, gint64 ticks, gint64 count)
{
    return count ? (double)ticks / (double)answer->machine->ticks_per_cycle / (double)count : 0;
}

void ps_answer_note_measured(PsAnswer *answer, double measured)
{
    const double least = answer->roofline.prediction.ceiling_seconds;
    if (!(measured > 0) || !(measured < least))
        return;
    g_ptr_array_add(answer->warnings,
                    g_strdup_printf("the measured %.4g us are less than this GPU needs at least, "
                                    "%.4g us: it was another launch or another GPU, or the time is "
                                    "not in milliseconds, or the graph counts too much",
                                    1e6 * measured, 1e6 * least));
}

PsAnswerErrors ps_answer_errors(const PsAnswer *answer, double measured)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    const double roofline = ps_launch_roofline_is_whole(&answer->roofline)
                                ? prediction->seconds + answer->launch_seconds
                                : NAN;
    return (PsAnswerErrors){(answer->simulated - measured) / measured,
                            (roofline - measured) / measured,
                            (answer->seconds - measured) / measured};
}

guint ps_answer_limits(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    return launch->limited_by | (launch->limited_by_launch ? PS_LIMIT_LAUNCH : 0U) |
           (launch->forced ? PS_LIMIT_ACTIVE : 0U);
}

gboolean ps_what_if_is_each(const PsMachine *machine, guint class_index)
{
    const PsMachineClass *bound = &machine->classes[class_index];
    const PsPipeline *pipeline = machine->gpu->pipelines->pdata[bound->pipeline];
    return bound->per_scheduler || (pipeline->per_scheduler && machine->gpu->schedulers > 1);
}

/* A what-if refers to one scheduler's pipeline where the description does, with or without
 * schedulers (sim/engine/machine.c). */
PsLatency ps_what_if_latency(const PsMachine *machine, guint class_index)
{
    const PsMachineClass *bound = &machine->classes[class_index];
    PsLatency latency = bound->latency;
    if (ps_what_if_is_each(machine, class_index) && !bound->per_scheduler)
        (void)ps_rational_mul(latency.issue, PS_RATIONAL_INT(machine->gpu->schedulers),
                              &latency.issue);
    return latency;
}

double ps_answer_timed(const PsAnswer *answer)
{
    const double timer = ps_rational_to_double(answer->gpu->overheads.timer) / 1e6;
    return answer->machine->refinements.overheads && timer > 0 ? answer->seconds + timer : 0;
}

double ps_answer_in_graph(const PsAnswer *answer)
{
    const double launch = ps_rational_to_double(answer->gpu->overheads.in_graph) / 1e6;
    return answer->launch_seconds > 0 && launch > 0
               ? answer->seconds - answer->launch_seconds + launch
               : 0;
}
