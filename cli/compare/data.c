/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comparison for programs. JSON has both answers whole and then their difference; CSV has a row
 * for each figure, so that comparisons can be put one below the other.
 */
#include "cli/compare/compare.h"

#include "cli/report/csv.h"
#include "cli/report/answer.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* The exact cycles of a side (g_free). */
static char *cycles_of(const Versus *versus, const PsCharge *charge, guint side)
{
    return ps_format_rational(
        ps_machine_cycles(versus->answers[side]->machine, charge->ticks[side]));
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_text(PsJson *json, const char *key, const char *text)
{
    if (text)
        ps_json_text(json, key, text);
    else
        ps_json_unknown(json, key);
}

static void put_exact(PsJson *json, const char *key, double value)
{
    g_autofree char *text = ps_format_exact(value);
    if (isfinite(value))
        ps_json_raw(json, key, text);
    else
        ps_json_unknown(json, key);
}

/* What a path does not have is no time of it, not even none. */
static double seconds_there(const PsCharge *charge, guint side)
{
    return charge->there[side] ? charge->seconds[side] : NAN;
}

static void put_charge(const Versus *versus, const PsCharge *charge, PsJson *json)
{
    static const char *const keys[] = {"a_cycles", "b_cycles"};
    for (guint side = 0; side < 2; side++) {
        g_autofree char *cycles = cycles_of(versus, charge, side);
        if (charge->there[side])
            ps_json_raw(json, keys[side], cycles);
        else
            ps_json_unknown(json, keys[side]);
    }
    put_exact(json, "a_seconds", seconds_there(charge, 0));
    put_exact(json, "b_seconds", seconds_there(charge, 1));
    put_exact(json, "difference_seconds", charge->difference);
}

static void put_places(const PsCharge *charge, PsJson *json)
{
    put_text(json, "change", charge->name ? ps_line_change_name(charge->change) : NULL);
    put_text(json, "a_line", charge->places[0]);
    put_text(json, "b_line", charge->places[1]);
}

/* A table whose charges are called by their own names; of classes they have kinds, too. What has no
 * name is null. */
static void put_charges(const Versus *versus, const char *key, const char *name,
                        const GPtrArray *charges, gboolean kinds, PsJson *json)
{
    if (!charges) {
        ps_json_unknown(json, key);
        return;
    }
    ps_json_open(json, key, '[', PS_JSON_LINES);
    for (guint i = 0; i < charges->len; i++) {
        const PsCharge *charge = charges->pdata[i];
        const gboolean port = !kinds && !charge->name && charge->kind == PS_PATH_PORT;
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        if (kinds)
            ps_json_text(json, "kind", ps_path_kind_name(charge->kind));
        put_text(json, name, port ? ISSUE_PORT : charge->name);
        if (charges == versus->comparison->by_line)
            put_places(charge, json);
        put_charge(versus, charge, json);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
}

static void put_off_path(const char *key, const PsCharge *charge, PsJson *json)
{
    ps_json_open(json, key, '{', PS_JSON_LINE);
    put_exact(json, "a_seconds", charge->seconds[0]);
    put_exact(json, "b_seconds", charge->seconds[1]);
    put_exact(json, "difference_seconds", charge->difference);
    ps_json_close(json, '}');
}

static void put_texts(const char *key, const char *a, const char *b, PsJson *json)
{
    ps_json_open(json, key, '{', PS_JSON_LINE);
    put_text(json, "a", a);
    put_text(json, "b", b);
    ps_json_close(json, '}');
}

static void put_options(const Versus *versus, PsJson *json)
{
    ps_json_open(json, "options", '{', PS_JSON_LINE);
    for (guint side = 0; side < 2; side++) {
        ps_json_open(json, side ? "b" : "a", '[', PS_JSON_LINE);
        for (char **option = versus->sides[side].apart; *option; option++)
            ps_json_text(json, NULL, *option);
        ps_json_close(json, ']');
    }
    ps_json_close(json, '}');
}

void compare_json(const Versus *versus, PsJson *json)
{
    const PsAnswer *a = versus->answers[0], *b = versus->answers[1];
    const PsComparison *comparison = versus->comparison;
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    ps_json_text(json, "pipesim", PIPESIM_VERSION);
    report_json_answer("a", a, versus->machine[0], json);
    report_json_answer("b", b, versus->machine[1], json);
    put_texts("file", versus->sides[0].file, versus->sides[1].file, json);
    put_options(versus, json);
    put_texts("what_if", versus->sides[0].latencies, versus->sides[1].latencies, json);
    ps_json_open(json, "difference", '{', PS_JSON_LINES);
    put_exact(json, "seconds", comparison->difference);
    put_exact(json, "ratio", a->seconds > 0 ? b->seconds / a->seconds : NAN);
    put_charges(versus, "by_class", "class", comparison->by_class, TRUE, json);
    put_charges(versus, "by_line", "line", comparison->by_line, FALSE, json);
    put_charges(versus, "by_pipeline", "pipeline", comparison->by_pipeline, FALSE, json);
    put_off_path("launch", &comparison->launch, json);
    put_off_path("clamp", &comparison->clamp, json);
    put_text(json, "problem", comparison->problem);
    put_text(json, "line_problem", comparison->line_problem);
    put_text(json, "line_note", comparison->line_note);
    if (versus->machine[0])
        compare_listings_json(versus, json);
    ps_json_close(json, '}');
    ps_json_close(json, '}');
    g_string_append_c(json->out, '\n');
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_number(GString *out, double value)
{
    g_autofree char *text = ps_format_exact(value);
    csv_put(out, isfinite(value) ? text : "");
}

/* A row up to its figures. */
static void csv_begin_row(GString *out, const char *section, const char *name, const char *kind)
{
    csv_put(out, section);
    csv_put(out, name);
    csv_put(out, kind ? kind : "");
}

static void csv_pair(GString *out, const char *name, double a, double b)
{
    csv_begin_row(out, "run", name, NULL);
    csv_number(out, a);
    csv_number(out, b);
    csv_number(out, b - a);
    g_string_append(out, ",,\n");
}

static void csv_texts(GString *out, const char *name, const char *a, const char *b)
{
    csv_begin_row(out, "run", name, NULL);
    csv_put(out, a ? a : "");
    csv_put(out, b ? b : "");
    g_string_append(out, ",,,\n");
}

static void csv_charge(const Versus *versus, GString *out, const PsCharge *charge)
{
    csv_number(out, seconds_there(charge, 0));
    csv_number(out, seconds_there(charge, 1));
    csv_number(out, charge->difference);
    for (guint side = 0; side < 2; side++) {
        g_autofree char *cycles = cycles_of(versus, charge, side);
        csv_put(out, charge->there[side] ? cycles : "");
    }
    g_string_append_c(out, '\n');
}

static void csv_off_path(GString *out, const char *section, const char *name,
                         const PsCharge *charge)
{
    csv_begin_row(out, section, name, NULL);
    csv_number(out, charge->seconds[0]);
    csv_number(out, charge->seconds[1]);
    csv_number(out, charge->difference);
    g_string_append(out, ",,\n");
}

/* Classes have kinds, and their own names. */
static void csv_classes(const Versus *versus, GString *out)
{
    const GPtrArray *charges = versus->comparison->by_class;
    for (guint i = 0; charges && i < charges->len; i++) {
        const PsCharge *charge = charges->pdata[i];
        csv_begin_row(out, "class", charge->name ? charge->name : "",
                      ps_path_kind_name(charge->kind));
        csv_charge(versus, out, charge);
    }
}

static void csv_charges(const Versus *versus, GString *out, const char *section,
                        const GPtrArray *charges, ChargeWords words)
{
    for (guint i = 0; charges && i < charges->len; i++) {
        g_autofree char *name = words(NULL, charges->pdata[i]);
        csv_begin_row(out, section, name, NULL);
        csv_charge(versus, out, charges->pdata[i]);
    }
}

/* Of a pipeline, or else of what serves memory. */
static double share_of(const PsAnswer *answer, const char *pipeline)
{
    const PsServerRow *level = ps_server_called(answer, pipeline);
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        if (strcmp(row->name, pipeline) == 0)
            return ps_answer_share(answer, row);
    }
    return level ? ps_server_utilization(answer, level) : NAN;
}

static void csv_busy(const Versus *versus, GString *out, const char *pipeline)
{
    const double a = share_of(versus->answers[0], pipeline);
    const double b = share_of(versus->answers[1], pipeline);
    csv_begin_row(out, "busy", pipeline, NULL);
    csv_number(out, a);
    csv_number(out, b);
    csv_number(out, b - a);
    g_string_append(out, ",,\n");
}

static void csv_pipelines(const Versus *versus, GString *out)
{
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < versus->answers[side]->pipelines->len; i++) {
            const PsStatsRow *row = versus->answers[side]->pipelines->pdata[i];
            if (side == 0 || isnan(share_of(versus->answers[0], row->name)))
                csv_busy(versus, out, row->name);
        }
}

static void csv_levels(const Versus *versus, GString *out)
{
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < versus->answers[side]->servers->len; i++) {
            const PsServerRow *row = versus->answers[side]->servers->pdata[i];
            if (side == 0 || !ps_server_called(versus->answers[0], row->name))
                csv_busy(versus, out, row->name);
        }
}

static void csv_results(const PsAnswer *a, const PsAnswer *b, GString *out)
{
    const PsPrediction *x = &a->roofline.prediction, *y = &b->roofline.prediction;
    csv_pair(out, "seconds", a->seconds, b->seconds);
    csv_pair(out, "simulated_seconds", a->simulated, b->simulated);
    g_autofree char *first = ps_format_rational(a->result.cycles);
    g_autofree char *second = ps_format_rational(b->result.cycles);
    csv_begin_row(out, "run", "cycles", NULL);
    csv_put(out, first);
    csv_put(out, second);
    csv_number(out,
               ps_rational_to_double(b->result.cycles) - ps_rational_to_double(a->result.cycles));
    g_string_append(out, ",,\n");
    csv_pair(out, "instructions", (double)a->result.instructions, (double)b->result.instructions);
    csv_pair(out, "gflops", ps_answer_gflops(a, a->seconds), ps_answer_gflops(b, b->seconds));
    csv_pair(out, "roofline_seconds", x->seconds, y->seconds);
    csv_pair(out, "ceiling_seconds", x->ceiling_seconds, y->ceiling_seconds);
}

static void csv_launch(const PsLaunch *a, const PsLaunch *b, GString *out)
{
    csv_pair(out, "groups", (double)a->groups, (double)b->groups);
    csv_pair(out, "group_size", (double)a->group_size, (double)b->group_size);
    csv_pair(out, "active_groups", (double)a->active_groups, (double)b->active_groups);
    csv_pair(out, "occupancy", a->occupancy, b->occupancy);
}

void compare_csv(const Versus *versus, GString *out)
{
    const PsAnswer *a = versus->answers[0], *b = versus->answers[1];
    g_string_append(out, "section,name,kind,a,b,difference,a_cycles,b_cycles\n");
    csv_texts(out, "kernel", a->idg->name, b->idg->name);
    csv_texts(out, "gpu", a->gpu->name, b->gpu->name);
    csv_texts(out, "file", versus->sides[0].file, versus->sides[1].file);
    g_autofree char *first = g_strjoinv(" ", versus->sides[0].apart);
    g_autofree char *second = g_strjoinv(" ", versus->sides[1].apart);
    csv_texts(out, "options", first, second);
    csv_texts(out, "what_if", versus->sides[0].latencies, versus->sides[1].latencies);
    csv_results(a, b, out);
    csv_launch(&a->machine->launch, &b->machine->launch, out);
    csv_pipelines(versus, out);
    csv_levels(versus, out);
    const PsComparison *comparison = versus->comparison;
    csv_classes(versus, out);
    csv_charges(versus, out, "line", comparison->by_line, line_charge_words);
    csv_charges(versus, out, "pipeline", comparison->by_pipeline, pipeline_charge_words);
    csv_off_path(out, "launch", VERSUS_LAUNCH, &comparison->launch);
    csv_off_path(out, "clamp", VERSUS_CLAMP, &comparison->clamp);
}
