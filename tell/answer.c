/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer.h. Keys are an interface: new ones may be added, none may change. */
#include "tell/answer.h"

#include "answer/figures.h"
#include "gpu/rows.h"
#include "tell/answer-parts.h"
#include "tell/describe.h"
#include "tell/figure-words.h"
#include "tell/words.h"

#include <math.h>

/* Tells the kinds of groups, if there are several. */
static void tell_kinds(const PsAnswer *answer, PsTold *facts)
{
    const PsKernel *kernel = answer->kernel;
    const gint64 warps = answer->machine->launch.warps_per_group;
    if (kernel->n_kinds == 1)
        return;
    ps_tell_open(facts, PS_FACT_LAUNCH_KINDS);
    for (guint k = 0; k < kernel->n_kinds; k++) {
        const PsKernelKind *kind = &kernel->kinds[k];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_LAUNCH_KINDS_NAME, kind->name);
        ps_tell(facts, PS_FACT_LAUNCH_KINDS_SHARE, (double)kind->share / (double)kernel->parts);
        ps_tell(facts, PS_FACT_LAUNCH_KINDS_INSTRUCTIONS,
                (gint64)ps_kernel_group_length(kernel, k, warps));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_launch(const PsAnswer *answer, PsTold *facts)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree const char **limits = ps_limit_names(answer);
    ps_tell_open(facts, PS_FACT_LAUNCH);
    ps_tell(facts, PS_FACT_LAUNCH_GROUPS, launch->groups);
    ps_tell(facts, PS_FACT_LAUNCH_GROUP_SIZE, launch->group_size);
    ps_tell(facts, PS_FACT_LAUNCH_WARPS_PER_GROUP, launch->warps_per_group);
    ps_tell(facts, PS_FACT_LAUNCH_ACTIVE_GROUPS, launch->active_groups);
    ps_tell(facts, PS_FACT_LAUNCH_ACTIVE_WARPS, launch->active_groups * launch->warps_per_group);
    ps_tell(facts, PS_FACT_LAUNCH_OCCUPANCY, launch->occupancy);
    ps_tell_open(facts, PS_FACT_LAUNCH_LIMITED_BY);
    for (guint i = 0; limits[i]; i++)
        ps_tell_item_text(facts, limits[i]);
    ps_tell_close(facts);
    ps_tell(facts, PS_FACT_LAUNCH_GROUPS_PER_CU, launch->groups_per_cu);
    ps_tell(facts, PS_FACT_LAUNCH_FITTING_GROUPS, launch->fitting_groups);
    ps_tell_positive(facts, PS_FACT_LAUNCH_REGISTERS, answer->kernel->registers);
    ps_tell(facts, PS_FACT_LAUNCH_LOCAL_MEMORY_BYTES, answer->kernel->local_memory);
    if (answer->machine->group_interval > 0)
        ps_tell(facts, PS_FACT_LAUNCH_DISPATCH_BUSY, ps_dispatch_utilization(answer));
    tell_kinds(answer, facts);
    ps_tell_close(facts);
}

/* The rate of operations in that time; unknown if none are counted. */
static double rate(const PsAnswer *answer, double seconds)
{
    const double gflops = ps_answer_gflops(answer, seconds);
    return gflops > 0 ? gflops : NAN;
}

static void tell_simulated(const PsAnswer *answer, PsTold *facts)
{
    const PsSimResult *result = &answer->result;
    const PsMachine *machine = answer->machine;
    ps_tell_open(facts, PS_FACT_SIMULATED);
    ps_tell(facts, PS_FACT_SIMULATED_CYCLES, result->cycles);
    ps_tell(facts, PS_FACT_SIMULATED_SECONDS, answer->simulated);
    ps_tell(facts, PS_FACT_SIMULATED_INSTRUCTIONS, result->instructions);
    ps_tell(facts, PS_FACT_SIMULATED_GFLOPS, rate(answer, answer->simulated));
    ps_tell(facts, PS_FACT_SIMULATED_ACHIEVED_OCCUPANCY, answer->achieved);
    ps_tell(facts, PS_FACT_SIMULATED_LAUNCH_SECONDS, answer->launch_seconds);
    ps_tell(facts, PS_FACT_SIMULATED_CUS, machine->n_cus);
    ps_tell(facts, PS_FACT_SIMULATED_SKIPPED_CYCLES,
            ps_machine_cycles(machine, result->skipped_ticks));
    ps_tell(facts, PS_FACT_SIMULATED_SIMULATED_INSTRUCTIONS, result->simulated);
    ps_tell(facts, PS_FACT_SIMULATED_ESTIMATED_CYCLES,
            ps_machine_cycles(machine, result->estimated_ticks));
    ps_tell(facts, PS_FACT_SIMULATED_HALF_WIDTH_CYCLES,
            ps_machine_cycles(machine, result->half_width));
    ps_tell(facts, PS_FACT_SIMULATED_HALF_WIDTH_SECONDS, answer->half_width);
    ps_tell(facts, PS_FACT_SIMULATED_CUT, answer->cut);
    ps_tell_close(facts);
}

static void tell_result(const PsAnswer *answer, PsTold *facts)
{
    g_autofree char *reading = ps_verdict_sentence(answer);
    ps_tell_open(facts, PS_FACT_RESULT);
    ps_tell(facts, PS_FACT_RESULT_SECONDS, answer->seconds);
    ps_tell(facts, PS_FACT_RESULT_CLAMPED, answer->clamped);
    ps_tell(facts, PS_FACT_RESULT_HALF_WIDTH_SECONDS, answer->clamped ? 0 : answer->half_width);
    ps_tell(facts, PS_FACT_RESULT_RATIO, answer->ratio);
    ps_tell(facts, PS_FACT_RESULT_GFLOPS, rate(answer, answer->seconds));
    ps_tell(facts, PS_FACT_RESULT_CLAMP, ps_clamp_name(answer->clamp));
    ps_tell(facts, PS_FACT_RESULT_READING, reading);
    if (ps_answer_timed(answer) > 0)
        ps_tell(facts, PS_FACT_RESULT_TIMED_SECONDS, ps_answer_timed(answer));
    if (ps_answer_in_graph(answer) > 0)
        ps_tell(facts, PS_FACT_RESULT_IN_GRAPH_SECONDS, ps_answer_in_graph(answer));
    ps_tell_close(facts);
}

static void tell_warnings(const PsAnswer *answer, PsTold *facts)
{
    const GPtrArray *of_code = answer->idg->warnings;
    ps_tell_open(facts, PS_FACT_WARNINGS);
    for (guint i = 0; of_code && i < of_code->len; i++)
        ps_tell_item_text(facts, of_code->pdata[i]);
    for (guint i = 0; i < answer->warnings->len; i++)
        ps_tell_item_text(facts, answer->warnings->pdata[i]);
    ps_tell_close(facts);
}

/* Tells assumed figures, by the share of the time that they decide. */
static void tell_assumed(const PsAnswer *answer, PsTold *facts)
{
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    ps_tell_open(facts, PS_FACT_HOW_SURE_ASSUMED);
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *one = &g_array_index(weighed, PsWeighed, i);
        if (!one->assumed)
            continue;
        g_autofree char *figure = ps_weighed_name(answer, one);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_HOW_SURE_ASSUMED_FIGURE, figure);
        ps_tell(facts, PS_FACT_HOW_SURE_ASSUMED_SHARE, one->share);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* Tells what is unknown of the launch's groups, if anything is. */
static void tell_groups(const PsAnswer *answer, PsTold *facts)
{
    const PsIdgLaunch *launch = &answer->idg->launch;
    const PsSecondsBetween between = ps_answer_between(answer);
    if (launch->work_error.num == 0 && launch->unseen.num == 0 && launch->hidden.num == 0)
        return;
    ps_tell_open(facts, PS_FACT_HOW_SURE_GROUPS);
    ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_WORK_ERROR, ps_rational_to_double(launch->work_error));
    ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_UNSEEN, ps_rational_to_double(launch->unseen));
    ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_HIDDEN, ps_rational_to_double(launch->hidden));
    if (launch->executed.num > 0)
        ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_EXECUTED, ps_rational_to_double(launch->executed));
    ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_LEAST_SECONDS, between.least);
    ps_tell(facts, PS_FACT_HOW_SURE_GROUPS_MOST_SECONDS, between.most);
    ps_tell_close(facts);
}

/* Tells the guessed values of the launch, if there are any. */
static void tell_guessed(const PsAnswer *answer, PsTold *facts)
{
    const GPtrArray *guesses = answer->idg->guesses;
    if (!guesses->len)
        return;
    ps_tell_open(facts, PS_FACT_GUESSED);
    for (guint i = 0; i < guesses->len; i++) {
        const PsIdgGuess *guess = guesses->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_GUESSED_NAME, guess->name);
        ps_tell(facts, PS_FACT_GUESSED_VALUE, guess->value);
        ps_tell(facts, PS_FACT_GUESSED_SURE, ps_idg_sure_word(guess->sure));
        ps_tell(facts, PS_FACT_GUESSED_BECAUSE, guess->text);
        ps_tell(facts, PS_FACT_GUESSED_OPTION, guess->option);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_strangers(const PsAnswer *answer, PsTold *facts)
{
    const PsStrangers strangers = ps_answer_strangers(answer);
    if (strangers.questions == 0)
        return;
    ps_tell_open(facts, PS_FACT_HOW_SURE_STRANGERS);
    ps_tell(facts, PS_FACT_HOW_SURE_STRANGERS_QUESTIONS, strangers.questions);
    ps_tell(facts, PS_FACT_HOW_SURE_STRANGERS_NEAR, strangers.near);
    ps_tell(facts, PS_FACT_HOW_SURE_STRANGERS_LEAST_SECONDS, strangers.least * answer->seconds);
    ps_tell(facts, PS_FACT_HOW_SURE_STRANGERS_MOST_SECONDS, strangers.most * answer->seconds);
    ps_tell_close(facts);
}

static void tell_how_sure(const PsAnswer *answer, PsTold *facts)
{
    const PsKnownError error = ps_answer_known_error(answer);
    ps_tell_open(facts, PS_FACT_HOW_SURE);
    tell_assumed(answer, facts);
    ps_tell(facts, PS_FACT_HOW_SURE_LIMIT, ps_answer_limit(answer));
    if (answer->machine->n_levels > 0)
        ps_tell(facts, PS_FACT_HOW_SURE_CLOCK_SHARE, ps_answer_clock_share(answer));
    if (answer->gpu->pairs)
        ps_tell(facts, PS_FACT_HOW_SURE_ONE_UNIT, TRUE);
    tell_groups(answer, facts);
    if (answer->gpu->architecture && error.rows) {
        ps_tell_open(facts, PS_FACT_HOW_SURE_ERROR);
        ps_tell(facts, PS_FACT_HOW_SURE_ERROR_MEAN, error.mean);
        ps_tell(facts, PS_FACT_HOW_SURE_ERROR_WORST, error.worst);
        ps_tell(facts, PS_FACT_HOW_SURE_ERROR_ROWS, error.rows);
        ps_tell(facts, PS_FACT_HOW_SURE_ERROR_SAME_ARCHITECTURE, error.same);
        if (error.rows_of_all) {
            ps_tell(facts, PS_FACT_HOW_SURE_ERROR_MEAN_OF_ALL, error.mean_of_all);
            ps_tell(facts, PS_FACT_HOW_SURE_ERROR_WORST_OF_ALL, error.worst_of_all);
            ps_tell(facts, PS_FACT_HOW_SURE_ERROR_ROWS_OF_ALL, error.rows_of_all);
        }
        ps_tell_close(facts);
    } else {
        ps_tell_unknown(facts, PS_FACT_HOW_SURE_ERROR.n);
    }
    tell_strangers(answer, facts);
    ps_tell_close(facts);
}

/* Tells the inputs of the run. */
static void tell_inputs(const PsAnswer *answer, PsTold *facts)
{
    g_autoptr(GPtrArray) names = ps_scope_names(answer->kernel->scope);
    ps_tell_open(facts, PS_FACT_PARAMETERS);
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        ps_scope_get(answer->kernel->scope, names->pdata[i], &value);
        ps_tell_entry_exact(facts, names->pdata[i], value);
    }
    ps_tell_close(facts);
    ps_tell(facts, PS_FACT_CLOCK_MHZ, answer->clock);
    ps_tell(facts, PS_FACT_CLOCK,
            answer->by_power ? "by power" : ps_gpu_clock_name(answer->gpu, answer->clock));
    ps_tell(facts, PS_FACT_COMPUTE_UNITS, answer->gpu->compute_units);
    ps_tell_open(facts, PS_FACT_OPERATIONS);
    for (guint i = 0; i < answer->operations->len; i++) {
        const PsOperations *some = &g_array_index(answer->operations, PsOperations, i);
        ps_tell_entry_whole(facts, some->type, some->count);
    }
    ps_tell_close(facts);
}

/* Tells the refinements in play. */
static void tell_model(const PsAnswer *answer, PsTold *facts)
{
    const PsRefinements *refinements = &answer->machine->refinements;
    ps_tell_open(facts, PS_FACT_MODEL);
    if (refinements->schedulers > 0) {
        ps_tell(facts, PS_FACT_MODEL_SCHEDULERS, refinements->schedulers);
        ps_tell(facts, PS_FACT_MODEL_ISSUE_WIDTH, refinements->issue_width);
    } else {
        ps_tell_unknown(facts, PS_FACT_MODEL_SCHEDULERS.n);
        ps_tell_unknown(facts, PS_FACT_MODEL_ISSUE_WIDTH.n);
    }
    ps_tell(facts, PS_FACT_MODEL_ORDER, ps_order_name(refinements->order));
    ps_tell(facts, PS_FACT_MODEL_POLICY, ps_policy_name(refinements->policy));
    ps_tell(facts, PS_FACT_MODEL_CONTENTION, refinements->contention);
    ps_tell(facts, PS_FACT_MODEL_OVERHEADS, refinements->overheads);
    ps_tell(facts, PS_FACT_MODEL_CUS, refinements->all_cus ? "all" : "fullest");
    ps_tell(facts, PS_FACT_MODEL_LEVELS, refinements->levels);
    ps_tell(facts, PS_FACT_MODEL_CACHE, ps_cache_state_name(refinements->cache));
    ps_tell_close(facts);
}

static void tell_measured(const PsAnswer *answer, double measured, PsTold *facts)
{
    if (measured <= 0) {
        ps_tell_unknown(facts, PS_FACT_MEASURED.n);
        return;
    }
    const PsAnswerErrors errors = ps_answer_errors(answer, measured);
    ps_tell_open(facts, PS_FACT_MEASURED);
    ps_tell(facts, PS_FACT_MEASURED_SECONDS, measured);
    ps_tell(facts, PS_FACT_MEASURED_ERROR_SIMULATED, errors.simulated);
    ps_tell(facts, PS_FACT_MEASURED_ERROR_ROOFLINE, errors.roofline);
    ps_tell(facts, PS_FACT_MEASURED_ERROR_RESULT, errors.result);
    ps_tell_close(facts);
}

void ps_tell_answer(const PsAnswer *answer, double measured, PsTold *facts)
{
    ps_tell(facts, PS_FACT_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_KERNEL, answer->idg->name);
    ps_tell_taken(facts, PS_FACT_TITLE, g_strdup(answer->idg->title));
    ps_tell(facts, PS_FACT_GPU, answer->gpu->name);
    ps_tell_taken(facts, PS_FACT_CODE, g_strdup(answer->idg->made_of));
    ps_tell_taken(facts, PS_FACT_PARTIAL, g_strdup(ps_idg_partial(answer->idg)));
    tell_launch(answer, facts);
    tell_simulated(answer, facts);
    ps_tell_roofline(answer, facts);
    tell_result(answer, facts);
    ps_tell_words(answer, measured, facts);
    ps_tell_load(answer, facts);
    tell_warnings(answer, facts);
    tell_guessed(answer, facts);
    tell_how_sure(answer, facts);
    tell_inputs(answer, facts);
    tell_model(answer, facts);
    tell_measured(answer, measured, facts);
    ps_tell_reasons(answer, facts);
    ps_tell_roles(answer, facts);
    ps_tell_sensitivities(answer, facts);
    ps_tell_advice(answer, facts);
}

PsTold *ps_answer_told(const PsAnswer *answer, double measured)
{
    PsTold *facts = ps_told_new();
    ps_tell_answer(answer, measured, facts);
    return facts;
}
