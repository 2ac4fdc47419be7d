/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a question. See answer.h. */
#include "answer/answer-private.h"

#include "answer/figures.h"
#include "gpu/rows.h"
#include "base/class-name.h"
#include "idg/waves.h"
#include "idg/words.h"
#include "sim/listen/log.h"

#include <math.h>
#include <string.h>

/* Instructions of a run whose events are logged, at most: about 100 MB of text. */
#define MAX_LOGGED 1000000

/* ---- warnings ------------------------------------------------------------------------------ */

/* The shortest time from one group's launch to the next on a whole GPU that was ever measured, in
 * cycles: on an A100. */
#define KNOWN_DISPATCH 1.05

/* Warns where more groups follow each other than fit at first, faster than any GPU was seen to
 * launch them, on a GPU of which nothing is measured. */
static void warn_of_unknown_dispatch(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const PsLaunch *launch = &machine->launch;
    const double each = ps_rational_to_double(answer->result.cycles) / (double)launch->groups;
    if (machine->refinements.overheads && !answer->gpu->overheads.dispatch.num &&
        !answer->gpu->overheads.group_interval.num && each < KNOWN_DISPATCH &&
        launch->groups_per_cu > launch->active_groups)
        g_ptr_array_add(answer->warnings,
                        g_strdup_printf("a group begins every %.2f cycles, and how fast this GPU "
                                        "begins groups is not known (an A100: one in 1.05), so "
                                        "the time may be too short; larger groups ask for less",
                                        each));
}

/* The shortest time from one group's launch to the next on one compute unit that was ever measured,
 * in cycles: on an A40, whose 84 units together launch one in 1.2 cycles. */
#define KNOWN_TURN 100

/* Rates of whole GPUs were measured on large chips. With fewer compute units each of them would
 * launch groups faster than any was seen to, and it is unknown which of the two rates limits
 * them. */
static void warn_of_unknown_turn(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const PsLaunch *launch = &machine->launch;
    const double each =
        ps_rational_to_double(answer->result.cycles) / (double)launch->groups_per_cu;
    const PsSource *source =
        ps_gpu_source(answer->gpu, ps_gpu_setting_source(answer->gpu, "overheads", "dispatch"));
    if (!machine->refinements.overheads || !answer->gpu->overheads.dispatch.num || !source ||
        source->kind < PS_SOURCE_DERIVED || each >= KNOWN_TURN ||
        launch->groups_per_cu <= launch->active_groups)
        return;
    g_ptr_array_add(answer->warnings,
                    g_strdup_printf("a CU begins a group every %.0f cycles, and none was seen to "
                                    "do so in less than %d (an A40's), by which the time would be "
                                    "%.0f %% longer; larger groups ask for less",
                                    each, KNOWN_TURN, 100 * (KNOWN_TURN / each - 1)));
}

/* Turns that the launch's atomics take at one place, one after the other. */
static double turns_at(const PsAnswer *answer, const double *threads, const char *spot)
{
    const PsKernel *kernel = answer->machine->kernel;
    const PsLaunch *launch = &answer->machine->launch;
    const double warps = (double)launch->warps_per_group / (double)launch->group_size;
    const gint64 parts = answer->idg->of_ptx ? answer->gpu->warp_size / PS_IDG_WARP : 1;
    double turns = 0;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &kernel->programs[p].nodes[n];
            if (node->spot && strcmp(node->spot, spot) == 0 &&
                ps_class_covers("atomic", node->item->class_name))
                turns += (double)node->count * ps_rational_to_double(node->turns) *
                         MAX(node->item->serial, 1) * (double)MAX(parts, 1) * warps * threads[p];
        }
    return turns;
}

/* Warns of atomics at one place that, at one turn per cycle as measured on all GPUs, would take
 * longer than the launch. */
static void warn_of_unknown_turns(const PsAnswer *answer)
{
    const PsKernel *kernel = answer->machine->kernel;
    const double cycles = ps_rational_to_double(answer->result.cycles);
    g_autofree double *threads = ps_threads_by_program(answer->machine);
    double most = 0;
    for (guint p = 0; p < kernel->n_programs && !answer->gpu->atomics.address.num; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (kernel->programs[p].nodes[n].spot)
                most = fmax(most, turns_at(answer, threads, kernel->programs[p].nodes[n].spot));
    if (most > cycles)
        g_ptr_array_add(answer->warnings,
                        g_strdup_printf("atomics take %.4g turns at one place, and how long a turn "
                                        "takes on this GPU is not known (others: a cycle), so they "
                                        "cost nothing here and the time may be too short",
                                        most));
}

/* There is no front end for AMD's code: clang's code of OpenCL or HIP for NVIDIA's GPUs, or nvcc's
 * of CUDA, runs in its place. */
static void warn_of_ptx(const PsQuestion *question, GPtrArray *warnings)
{
    if (question->idg->of_ptx && ps_gpu_is_amd(question->gpu))
        g_ptr_array_add(
            warnings, g_strdup("the kernel is PTX, which stands in for AMD's code: registers, and "
                               "which instructions run in which order, are those of NVIDIA's"));
}

/* ---- running ------------------------------------------------------------------------------- */

/* Gives warps another of the graph's programs than their own. */
static void exchange_programs(PsKernel *kernel, const PsQuestion *question)
{
    for (guint i = 0; i < kernel->n_warps; i++)
        if (kernel->warps[i].program == question->program)
            kernel->warps[i].program = question->other_program;
}

static gboolean prepare(PsAnswer *answer, const PsQuestion *question, GError **error)
{
    const PsWavesOf of = {question->idg, question->params, question->launch.groups,
                          question->launch.group_size, question->gpu->warp_size};
    PsLaunch launch;
    warn_of_ptx(question, answer->warnings);
    answer->kernel = ps_kernel_of_waves(&of, &answer->of_waves, answer->warnings, error);
    if (answer->of_waves)
        answer->idg = answer->of_waves;
    if (answer->kernel && question->program != question->other_program)
        exchange_programs(answer->kernel, question);
    if (!answer->kernel || !ps_launch_resolve(answer->kernel, question->gpu, &question->launch,
                                              &launch, answer->warnings, error))
        return FALSE;
    PsMachineOptions options = {.what_if = question->latencies, .clock = answer->clock};
    if (!ps_refinements_resolve(question->gpu, question->refinements, &options.refinements, error))
        return FALSE;
    if (question->ports > 0)
        (void)ps_rational_mul(options.refinements.issue_width, PS_RATIONAL_INT(question->ports),
                              &options.refinements.issue_width);
    answer->machine =
        ps_machine_new(answer->kernel, question->gpu, &launch, &options, answer->warnings, error);
    if (!answer->machine)
        return FALSE;
    ps_launch_roofline_init(&answer->roofline, answer->machine, answer->clock, answer->warnings);
    return TRUE;
}

/* A run: its machine, options and listeners. */
typedef struct {
    const PsQuestion *question;
    PsRunAids aids;
} Run;

/* Simulates with those listeners that are not NULL. */
static gboolean simulate_with(PsAnswer *answer, const Run *run, const PsListener *log,
                              const PsListener *explain, guint n_explain, GError **error)
{
    PsListener listeners[6] = {ps_stats_listener(answer->stats)};
    PsSimOptions options = {.listeners = listeners,
                            .n_listeners = 1,
                            .no_fast_forward = run->question->no_fast_forward,
                            .precision = run->question->precision,
                            .exact_instructions = run->question->exact_instructions,
                            .hurry = run->aids.hurry ? run->aids.hurry : run->question->hurry,
                            .cancel = run->aids.cancel,
                            .most_instructions = log ? MAX_LOGGED : 0};
    if (log)
        listeners[options.n_listeners++] = *log;
    for (guint i = 0; i < n_explain; i++)
        listeners[options.n_listeners++] = explain[i];
    if (run->aids.watch)
        listeners[options.n_listeners++] = ps_watch_listener(run->aids.watch, answer->machine);
    return ps_sim_run(answer->machine, &options, &answer->result, error);
}

/* TRUE if the run was told that the time is over. */
static gboolean is_late(const Run *run)
{
    return run->aids.hurry && g_atomic_int_get(run->aids.hurry);
}

/* The explained run may have been a sketch. Then it is simulated again at the precision that was
 * asked for, unless the result would be the same, or the time is over. */
static gboolean make_precise(PsAnswer *answer, const Run *run, GError **error)
{
    const PsSimResult sketch = answer->result;
    const gboolean is_same =
        sketch.half_width == 0 && sketch.simulated <= PS_SIM_EXACT_INSTRUCTIONS;
    if (is_same || is_late(run))
        return TRUE;
    g_autoptr(PsStats) stats = answer->stats;
    g_autoptr(GError) why = NULL;
    answer->stats = ps_stats_new(answer->machine);
    const gboolean done = simulate_with(answer, run, NULL, NULL, 0, &why);
    if (is_late(run) && (!done || answer->result.half_width > sketch.half_width)) {
        PsStats *less = answer->stats;
        answer->stats = g_steal_pointer(&stats);
        stats = less;
        answer->result = sketch;
        return TRUE;
    }
    if (!done)
        g_propagate_error(error, g_steal_pointer(&why));
    return done;
}

/* Only a small run has a log, of all its events. */
static gboolean simulate(PsAnswer *answer, const Run *run, const PsListener *log, GError **error)
{
    if (!run->question->explain)
        return simulate_with(answer, run, log, NULL, 0, error);
    PsQuestion question = *run->question;
    const gboolean sketch = question.sketch && !log && ps_question_sketch(&question);
    g_autoptr(PsPath) path = ps_path_new(answer->machine);
    g_autoptr(PsWaits) waits = ps_waits_new(answer->machine);
    g_autoptr(GPtrArray) rings =
        ps_rings_new(answer->kernel, answer->machine->launch.warps_per_group);
    g_autoptr(PsStages) stages = ps_stages_new(answer->machine, rings);
    const PsListener explain[] = {ps_path_listener(path), ps_waits_listener(waits),
                                  ps_stages_listener(stages)};
    const guint n_explain = G_N_ELEMENTS(explain) - (rings->len == 0);
    const Run first = {&question, run->aids};
    if (!simulate_with(answer, &first, log, explain, n_explain, error))
        return FALSE;
    const PsSimResult explained = answer->result;
    if (sketch && !make_precise(answer, run, error))
        return FALSE;
    answer->explain = ps_explain_new(answer, &explained, path, waits);
    answer->explain->roles = ps_role_table_new(answer->machine, g_ptr_array_ref(rings), stages,
                                               answer->explain->node_waits);
    if (answer->explain->problem)
        g_ptr_array_add(answer->warnings, g_strdup(answer->explain->problem));
    return TRUE;
}

/* Simulates, and logs if the run turns out small: the number of simulated instructions shows only
 * in a run. */
static gboolean simulate_and_log(PsAnswer *answer, const Run *run, char **log, GError **error)
{
    g_autoptr(PsLog) events = ps_log_new(answer->machine);
    const PsListener listener = ps_log_listener(events);
    if (simulate(answer, run, &listener, error)) {
        *log = g_strdup(ps_log_text(events));
        return TRUE;
    }
    if (answer->result.stopped) {
        g_clear_error(error);
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the event log is for runs that simulate at most %d instructions%s; this one "
                    "simulates more: take fewer work-groups or smaller parameters",
                    MAX_LOGGED, answer->machine->refinements.all_cus ? " on all CUs" : "");
    }
    return FALSE;
}

/* Finds the simulator's and the roofline's time. A roofline bounds a kernel's execution, so the
 * time of its launch is added to both. */
static void find_seconds(PsAnswer *answer)
{
    answer->launch_seconds = ps_rational_to_double(answer->machine->kernel_launch) / 1e6;
    answer->simulated = ps_answer_execution(answer) + answer->launch_seconds;
    answer->half_width = answer->result.ticks > 0
                             ? ps_answer_execution(answer) * (double)answer->result.half_width /
                                   (double)answer->result.ticks
                             : 0;
    const double execution = ps_answer_execution(answer);
    answer->clamped = answer->result.ticks > 0 &&
                      ps_launch_roofline_is_passed(&answer->roofline, execution, answer->clamp);
    answer->seconds =
        answer->clamped
            ? ps_launch_roofline_seconds(&answer->roofline, answer->clamp) + answer->launch_seconds
            : answer->simulated;
}

static void compare(PsAnswer *answer)
{
    answer->ratio =
        ps_launch_roofline_is_whole(&answer->roofline) && answer->roofline.prediction.seconds > 0
            ? ps_answer_execution(answer) / answer->roofline.prediction.seconds
            : NAN;
    answer->verdict = ps_verdict_find(answer);
}

static void evaluate(PsAnswer *answer)
{
    const PsStats *stats = answer->stats;
    find_seconds(answer);
    warn_of_unknown_dispatch(answer);
    warn_of_unknown_turn(answer);
    warn_of_unknown_turns(answer);
    answer->operations = ps_operations_count(answer->machine);
    answer->flops = ps_operations_flops(answer->operations);
    answer->achieved = ps_stats_occupancy(stats, answer->result.ticks);
    answer->pipelines = ps_stats_pipelines(stats);
    answer->classes = ps_stats_classes(stats);
    answer->lines = ps_stats_lines(stats);
    answer->servers = ps_stats_servers(stats);
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        if (ps_answer_share(answer, row) > ps_answer_busy(answer))
            answer->busiest = i;
    }
    compare(answer);
}

static PsAnswer *blank_answer(const PsQuestion *question)
{
    PsAnswer *answer = g_new0(PsAnswer, 1);
    answer->idg = question->idg;
    answer->gpu = question->gpu;
    answer->clock = question->clock.num ? question->clock : ps_gpu_usual_clock(question->gpu);
    answer->clamp = question->clamp;
    answer->precision = question->precision;
    answer->warnings = g_ptr_array_new_with_free_func(g_free);
    return answer;
}

gboolean ps_answer_check(const PsQuestion *question, GError **error)
{
    g_autoptr(PsAnswer) answer = ps_answer_prepare(question, error);
    return answer != NULL;
}

gint64 ps_answer_most_active(const PsQuestion *question, gint64 *own, GError **error)
{
    g_autoptr(PsAnswer) answer = ps_answer_prepare(question, error);
    if (!answer)
        return 0;
    const PsLaunch *launch = &answer->machine->launch;
    *own = launch->active_groups;
    return MAX(*own, MIN(launch->fitting_groups, launch->groups_per_cu));
}

PsAnswer *ps_answer_prepare(const PsQuestion *question, GError **error)
{
    g_autoptr(PsAnswer) answer = blank_answer(question);
    return prepare(answer, question, error) ? g_steal_pointer(&answer) : NULL;
}

gboolean ps_question_sketch(PsQuestion *question)
{
    if (question->precision == 0)
        return FALSE;
    question->precision = MAX(question->precision, PS_SKETCH_PRECISION);
    question->exact_instructions = PS_SKETCH_INSTRUCTIONS;
    return TRUE;
}

gboolean ps_answer_time(PsAnswer *answer, const PsQuestion *question, const PsSimResult *known,
                        gint64 most, const gint *cancel, GError **error)
{
    const PsSimOptions options = {.no_fast_forward = question->no_fast_forward,
                                  .precision = question->precision,
                                  .exact_instructions = question->exact_instructions,
                                  .most_instructions = most,
                                  .hurry = question->hurry,
                                  .cancel = cancel};
    if (known)
        answer->result = (PsSimResult){
            .ticks = known->ticks, .cycles = known->cycles, .half_width = known->half_width};
    else if (!ps_sim_run(answer->machine, &options, &answer->result, error))
        return FALSE;
    find_seconds(answer);
    return TRUE;
}

/* ---- the clock that power leaves (R13) ------------------------------------------------------- */

/* The share of the time for which the tensor cores of all CUs are busy, if the launch takes so many
 * seconds. */
static double busy_share(const PsAnswer *answer, double seconds)
{
    const double ops = answer->roofline.metrics.value[PS_M_OPS_TENSOR],
                 peak = answer->roofline.peaks.value[PS_T_TENSOR];
    return ops > 0 && peak > 0 && seconds > 0 ? MIN(ops / peak / seconds, 1) : 0;
}

/* The highest whole clock up to `most` (MHz) at which power stays within that of the clock `full`
 * with all tensor cores at work. Power grows with the cube of the clock and with the busy share. */
static gint64 clock_left(double full, double share, gint64 most)
{
    gint64 low = 1, high = most;
    while (low < high) {
        const gint64 middle = (low + high + 1) / 2;
        const double ratio = (double)middle / full;
        if (ratio * ratio * ratio * share <= 1)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

gboolean ps_question_by_power(const PsQuestion *question, const gint *cancel, PsQuestion *slower)
{
    const PsRational full = question->gpu->power_clock;
    PsQuestion sketch = *question;
    if (question->clock.num || !full.num)
        return FALSE;
    (void)ps_question_sketch(&sketch);
    sketch.hurry = NULL;
    g_autoptr(PsAnswer) answer = ps_answer_prepare(&sketch, NULL);
    if (!answer)
        return FALSE;
    const gint64 usual = (gint64)ps_rational_to_double(answer->clock);
    const double mhz = ps_rational_to_double(full),
                 most = busy_share(answer, answer->roofline.prediction.ceiling_seconds);
    if (clock_left(mhz, most, usual) == usual ||
        !ps_answer_time(answer, &sketch, NULL, 0, cancel, NULL))
        return FALSE;
    const gint64 left = clock_left(mhz, busy_share(answer, ps_answer_execution(answer)), usual);
    *slower = *question;
    slower->clock = PS_RATIONAL_INT(left);
    return left < usual;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* TRUE and *error if the time was over before the run could tell anything: then the roofline is all
 * that is known. */
static gboolean is_empty(const PsAnswer *answer, const Run *run, GError **error)
{
    if (!is_late(run) || (answer->result.half_width < G_MAXINT64 &&
                          !g_error_matches(*error, PS_ERROR, PS_ERROR_CANCELLED)))
        return FALSE;
    const double least = fmax(0, answer->roofline.prediction.ceiling_seconds) +
                         ps_rational_to_double(answer->machine->kernel_launch) / 1e6;
    g_clear_error(error);
    g_set_error(error, PS_ERROR, PS_ERROR_TIME,
                "time was out before the simulation could tell how long the kernel takes; by the "
                "ceiling of the roofline it is at least %.4g ms; more time gives an answer",
                least * 1e3);
    return TRUE;
}

PsAnswer *ps_answer_run(const PsQuestion *question, const PsRunAids *aids, char **log,
                        GError **error)
{
    PsQuestion slower;
    const gboolean by_power = ps_question_by_power(question, aids ? aids->cancel : NULL, &slower);
    const Run run = {by_power ? &slower : question, aids ? *aids : (PsRunAids){0}};
    question = run.question;
    g_autoptr(PsAnswer) answer = ps_answer_prepare(question, error);
    if (!answer)
        return NULL;
    answer->by_power = by_power;
    answer->stats = ps_stats_new(answer->machine);
    g_autoptr(GError) why = NULL;
    const gboolean done =
        log ? simulate_and_log(answer, &run, log, &why) : simulate(answer, &run, NULL, &why);
    if (is_empty(answer, &run, &why) || !done) {
        g_propagate_error(error, g_steal_pointer(&why));
        return NULL;
    }
    answer->cut = is_late(&run) && answer->result.half_width > 0;
    if (answer->cut)
        g_ptr_array_add(answer->warnings,
                        g_strdup("time was out: the interval is as wide as it was by then"));
    evaluate(answer);
    return g_steal_pointer(&answer);
}

void ps_answer_free(PsAnswer *answer)
{
    if (!answer)
        return;
    g_clear_pointer(&answer->operations, g_array_unref);
    g_clear_pointer(&answer->pipelines, g_ptr_array_unref);
    g_clear_pointer(&answer->classes, g_ptr_array_unref);
    g_clear_pointer(&answer->lines, g_ptr_array_unref);
    g_clear_pointer(&answer->servers, g_ptr_array_unref);
    g_clear_pointer(&answer->explain, ps_explain_free);
    g_clear_pointer(&answer->sensitivities, ps_sensitivities_free);
    g_clear_pointer(&answer->advice, g_ptr_array_unref);
    g_clear_pointer(&answer->occupancy_step, g_free);
    g_ptr_array_unref(answer->warnings);
    g_clear_pointer(&answer->stats, ps_stats_free);
    g_clear_pointer(&answer->machine, ps_machine_free);
    g_clear_pointer(&answer->kernel, ps_kernel_free);
    ps_idg_free(answer->of_waves);
    g_free(answer);
}
