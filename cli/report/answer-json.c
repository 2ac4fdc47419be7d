/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The JSON of one run. Its keys are an interface: more may join, none may change.
 */
#include "cli/report/answer.h"

#include "cli/report/explain.h"
#include "cli/report/format.h"
#include "cli/report/listing.h"
#include "cli/report/describe.h"
#include "cli/report/roofline-json.h"
#include "cli/report/trust.h"
#include "cli/report/words.h"

static void put_rational(Json *json, const char *key, PsRational value)
{
    g_autofree char *text = format_rational(value);
    json_raw(json, key, text);
}

static void put_bool(Json *json, const char *key, gboolean value)
{
    json_raw(json, key, value ? "true" : "false");
}

/* Of groups, where there are several. */
static void put_kinds(const PsAnswer *answer, Json *json)
{
    const PsKernel *kernel = answer->kernel;
    if (kernel->n_kinds == 1)
        return;
    json_open(json, "kinds", '[', JSON_LINE);
    for (guint k = 0; k < kernel->n_kinds; k++) {
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "name", kernel->kinds[k].name);
        json_double(json, "share", (double)kernel->kinds[k].share / (double)kernel->parts);
        const double length =
            ps_kernel_group_length(kernel, k, answer->machine->launch.warps_per_group);
        json_int(json, "instructions", (gint64)length);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_launch(const PsAnswer *answer, Json *json)
{
    const PsLaunch *launch = &answer->machine->launch;
    json_open(json, "launch", '{', JSON_LINE);
    json_int(json, "groups", launch->groups);
    json_int(json, "group_size", launch->group_size);
    json_int(json, "warps_per_group", launch->warps_per_group);
    json_int(json, "active_groups", launch->active_groups);
    json_int(json, "active_warps", launch->active_groups * launch->warps_per_group);
    json_double(json, "occupancy", launch->occupancy);
    json_open(json, "limited_by", '[', JSON_LINE);
    g_autofree const char **limits = limit_names(answer);
    for (guint i = 0; limits[i]; i++)
        json_text(json, NULL, limits[i]);
    json_close(json, ']');
    json_int(json, "groups_per_cu", launch->groups_per_cu);
    json_int(json, "fitting_groups", launch->fitting_groups);
    if (answer->machine->group_interval > 0)
        json_double(json, "dispatch_busy", ps_dispatch_utilization(answer));
    put_kinds(answer, json);
    json_close(json, '}');
}

static void put_gflops(const PsAnswer *answer, double seconds, Json *json)
{
    const double gflops = ps_answer_gflops(answer, seconds);
    if (gflops > 0)
        json_double(json, "gflops", gflops);
    else
        json_null(json, "gflops");
}

static void put_simulated(const PsAnswer *answer, Json *json)
{
    json_open(json, "simulated", '{', JSON_LINE);
    put_rational(json, "cycles", answer->result.cycles);
    json_double(json, "seconds", answer->simulated);
    json_int(json, "instructions", answer->result.instructions);
    put_gflops(answer, answer->simulated, json);
    json_double(json, "achieved_occupancy", answer->achieved);
    json_double(json, "launch_seconds", answer->launch_seconds);
    json_int(json, "cus", answer->machine->n_cus);
    put_rational(json, "skipped_cycles",
                 ps_machine_cycles(answer->machine, answer->result.skipped_ticks));
    json_int(json, "simulated_instructions", answer->result.simulated);
    put_rational(json, "estimated_cycles",
                 ps_machine_cycles(answer->machine, answer->result.estimated_ticks));
    put_rational(json, "half_width_cycles",
                 ps_machine_cycles(answer->machine, answer->result.half_width));
    json_double(json, "half_width_seconds", answer->half_width);
    put_bool(json, "cut", answer->cut);
    json_close(json, '}');
}

/* What the roofline says, and all that it is made of. */
static void put_roofline(const PsAnswer *answer, Json *json)
{
    const PsLaunchRoofline *bound = &answer->roofline;
    json_open(json, "roofline", '{', JSON_LINES);
    put_roofline_text(json, "type", ps_k_type_name(bound->params.K_type));
    put_roofline_number(json, "intensity", bound->params.O_krn);
    put_roofline_number(json, "efficiency", ps_launch_roofline_efficiency(bound));
    put_roofline_prediction(&bound->prediction, json);
    put_roofline_parameters(&bound->params, json);
    put_roofline_metrics(&bound->metrics, json);
    put_roofline_peaks(&bound->peaks, json);
    json_close(json, '}');
}

static void put_result(const PsAnswer *answer, Json *json)
{
    json_open(json, "result", '{', JSON_LINE);
    json_double(json, "seconds", answer->seconds);
    put_bool(json, "clamped", answer->clamped);
    put_roofline_number(json, "ratio", answer->ratio);
    put_gflops(answer, answer->seconds, json);
    json_text(json, "clamp", ps_clamp_name(answer->clamp));
    g_autofree char *reading = verdict_sentence(answer);
    put_roofline_text(json, "reading", reading);
    if (ps_answer_timed(answer) > 0)
        json_double(json, "timed_seconds", ps_answer_timed(answer));
    json_close(json, '}');
}

static void put_measured(const PsAnswer *answer, double measured, Json *json)
{
    if (measured <= 0) {
        json_null(json, "measured");
        return;
    }
    const PsAnswerErrors errors = ps_answer_errors(answer, measured);
    json_open(json, "measured", '{', JSON_LINE);
    json_double(json, "seconds", measured);
    put_roofline_number(json, "error_simulated", errors.simulated);
    put_roofline_number(json, "error_roofline", errors.roofline);
    put_roofline_number(json, "error_result", errors.result);
    json_close(json, '}');
}

/* The refinements in play. */
static void put_model(const PsAnswer *answer, Json *json)
{
    const PsRefinements *refinements = &answer->machine->refinements;
    json_open(json, "model", '{', JSON_LINE);
    if (refinements->schedulers > 0) {
        json_int(json, "schedulers", refinements->schedulers);
        put_rational(json, "issue_width", refinements->issue_width);
    } else {
        json_null(json, "schedulers");
        json_null(json, "issue_width");
    }
    json_text(json, "order", ps_order_name(refinements->order));
    json_text(json, "policy", ps_policy_name(refinements->policy));
    put_bool(json, "contention", refinements->contention);
    put_bool(json, "overheads", refinements->overheads);
    json_text(json, "cus", refinements->all_cus ? "all" : "fullest");
    put_bool(json, "levels", refinements->levels);
    json_text(json, "cache", refinements->warm ? "warm" : "cold");
    json_close(json, '}');
}

static void put_row(const PsAnswer *answer, const PsStatsRow *row, Json *json)
{
    json_double(json, "busy", ps_answer_share(answer, row));
    json_int(json, "instructions", row->issued);
    json_double(json, "mean_wait", ps_answer_mean(answer, row->queued, row->issued));
    json_double(json, "longest_wait", ps_answer_mean(answer, row->most_queued, 1));
}

static void put_rows(const PsAnswer *answer, const char *key, const char *name,
                     const GPtrArray *rows, Json *json)
{
    json_open(json, key, '[', JSON_LINES);
    for (guint i = 0; i < rows->len; i++) {
        const PsStatsRow *row = rows->pdata[i];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, name, row->name);
        put_row(answer, row, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_server(const PsAnswer *answer, const PsServerRow *row, Json *json)
{
    json_open(json, NULL, '{', JSON_LINE);
    json_text(json, "name", row->name);
    json_double(json, "busy", ps_server_utilization(answer, row));
    json_int(json, "visits", row->visits);
    json_close(json, '}');
}

/* A level, with what one of the CUs that have work has of it. */
static void put_level(const PsAnswer *answer, guint i, Json *json)
{
    const PsServerRow *row = answer->servers->pdata[i];
    const PsMachine *machine = answer->machine;
    const PsMemoryLevel *level = &machine->levels[i];
    const PsServer *server = &g_array_index(machine->servers, PsServer, i);
    PsRational latency = level->latency;
    (void)ps_gpu_cycles(level->latency, level->at, machine->clock, &latency);
    json_open(json, NULL, '{', JSON_LINE);
    json_text(json, "name", row->name);
    json_double(json, "busy", ps_server_utilization(answer, row));
    json_int(json, "visits", row->visits);
    json_double(json, "bytes", ps_server_bytes(answer, row));
    put_roofline_number(json, "bytes_per_second",
                        ps_server_bytes(answer, row) / ps_answer_execution(answer));
    put_roofline_number(json, "hit_rate", ps_server_hits(answer, row));
    put_rational(json, "latency", latency);
    put_rational(json, "bytes_per_cycle", server->rate);
    json_close(json, '}');
}

/* The levels come first among what serves memory. */
static void put_memory(const PsAnswer *answer, Json *json)
{
    const guint n_levels = answer->machine->n_levels;
    if (n_levels == 0)
        return;
    json_open(json, "memory", '{', JSON_LINES);
    put_bool(json, "kept", answer->machine->warm);
    json_open(json, "levels", '[', JSON_LINES);
    for (guint i = 0; i < n_levels; i++)
        put_level(answer, i, json);
    json_close(json, ']');
    json_open(json, "servers", '[', JSON_LINES);
    for (guint i = n_levels; i < answer->servers->len; i++)
        put_server(answer, answer->servers->pdata[i], json);
    json_close(json, ']');
    json_close(json, '}');
}

static const char *match_name(PsMatch match)
{
    static const char *const names[] = {
        [PS_MATCH_EXACT] = "exact", [PS_MATCH_PARENT] = "parent", [PS_MATCH_DEFAULT] = "default"};
    return names[match];
}

/* Of a class whose nodes cost what levels make of them. */
static void put_memory_of_class(const PsAnswer *answer, guint i, Json *json)
{
    const PsStatsRow *row = answer->classes->pdata[i];
    put_bool(json, "per_node", ps_class_differs(answer->machine, i));
    json_double(json, "mean_memory_wait", ps_answer_mean(answer, row->delayed, row->issued));
}

static void put_classes(const PsAnswer *answer, Json *json)
{
    json_open(json, "classes", '[', JSON_LINES);
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsMachineClass *entry = &answer->machine->classes[i];
        const PsPipeline *pipeline = answer->gpu->pipelines->pdata[entry->pipeline];
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "name", entry->asked);
        json_text(json, "served_by", entry->class->name);
        json_text(json, "match", match_name(entry->match));
        json_text(json, "pipeline", pipeline->name);
        put_rational(json, "issue", entry->latency.issue);
        put_rational(json, "completion", entry->latency.completion);
        put_bool(json, "per_scheduler", entry->per_scheduler);
        put_row(answer, answer->classes->pdata[i], json);
        if (entry->by_levels)
            put_memory_of_class(answer, i, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_warnings(const PsAnswer *answer, Json *json)
{
    json_open(json, "warnings", '[', JSON_LINES);
    for (guint i = 0; i < answer->warnings->len; i++)
        json_text(json, NULL, answer->warnings->pdata[i]);
    json_close(json, ']');
}

/* The figures that nobody measured, by what they decide; and how near such predictions were. */
static void put_how_sure(const PsAnswer *answer, Json *json)
{
    const PsKnownError error = ps_answer_known_error(answer);
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    json_open(json, "how_sure", '{', JSON_LINES);
    json_open(json, "assumed", '[', JSON_LINES);
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *one = &g_array_index(weighed, PsWeighed, i);
        if (!one->assumed)
            continue;
        json_open(json, NULL, '{', JSON_LINE);
        json_text(json, "figure", weighed_name(one));
        json_double(json, "share", one->share);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_known_text(json, "limit", ps_answer_limit(answer));
    if (answer->machine->n_levels > 0)
        json_double(json, "clock_share", ps_answer_clock_share(answer));
    if (answer->gpu->architecture && error.rows) {
        json_open(json, "error", '{', JSON_LINE);
        json_double(json, "mean", error.mean);
        json_double(json, "worst", error.worst);
        json_int(json, "rows", error.rows);
        put_bool(json, "same_architecture", error.same);
        json_close(json, '}');
    } else {
        json_null(json, "error");
    }
    json_close(json, '}');
}

static void put_inputs(const PsAnswer *answer, Json *json)
{
    json_open(json, "parameters", '{', JSON_LINE);
    g_autoptr(GPtrArray) names = ps_scope_names(answer->kernel->scope);
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        ps_scope_get(answer->kernel->scope, names->pdata[i], &value);
        put_rational(json, names->pdata[i], value);
    }
    json_close(json, '}');
    put_rational(json, "clock_mhz", answer->clock);
    json_known_text(json, "clock", ps_gpu_clock_name(answer->gpu, answer->clock));
    json_open(json, "operations", '{', JSON_LINE);
    for (guint i = 0; i < answer->operations->len; i++) {
        const PsOperations *some = &g_array_index(answer->operations, PsOperations, i);
        g_autofree char *text = g_strdup_printf("%.0f", some->count);
        json_raw(json, some->type, text);
    }
    json_close(json, '}');
}

static void put_answer(const PsAnswer *answer, double measured, const PsSassCode *machine,
                       Json *json)
{
    json_text(json, "pipesim", PIPESIM_VERSION);
    json_text(json, "kernel", answer->idg->name);
    json_text(json, "gpu", answer->gpu->name);
    if (answer->idg->made_of)
        json_text(json, "code", answer->idg->made_of);
    if (ps_idg_partial(answer->idg))
        json_text(json, "partial", ps_idg_partial(answer->idg));
    put_launch(answer, json);
    put_simulated(answer, json);
    put_roofline(answer, json);
    put_result(answer, json);
    put_rows(answer, "pipelines", "name", answer->pipelines, json);
    put_memory(answer, json);
    put_classes(answer, json);
    put_rows(answer, "lines", "line", answer->lines, json);
    put_warnings(answer, json);
    put_how_sure(answer, json);
    put_inputs(answer, json);
    put_model(answer, json);
    put_measured(answer, measured, json);
    explain_json(answer, json);
    g_autoptr(PsListing) listing = machine ? ps_listing_new(answer, machine) : NULL;
    if (listing)
        listing_json(listing, json);
}

void report_json_varied(const GPtrArray *vary, const PsRational *values, guint n, Json *json)
{
    for (guint i = 0; i < n; i++) {
        const PsSweepAxis *axis = vary->pdata[i];
        if (axis->words)
            json_text(json, axis->name, axis->words->pdata[values[i].num]);
        else
            put_rational(json, axis->name, values[i]);
    }
}

void report_json(const Report *report, Json *json)
{
    json_open(json, NULL, '{', JSON_LINES);
    put_answer(report->answer, report->measured, report->machine, json);
    if (report->vary->len) {
        json_open(json, "varied", '{', JSON_LINE);
        report_json_varied(report->vary, report->values, report->vary->len, json);
        json_close(json, '}');
    }
    if (report->what_if) {
        json_open(json, "what_if", '{', JSON_LINES);
        put_answer(report->what_if, report->measured, report->machine, json);
        json_text(json, "latencies", report->what_if_text);
        json_close(json, '}');
    }
    json_close(json, '}');
}

void report_json_answer(const char *key, const PsAnswer *answer, const PsSassCode *machine,
                        Json *json)
{
    json_open(json, key, '{', JSON_LINES);
    put_answer(answer, 0, machine, json);
    json_close(json, '}');
}
