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

/* The exact cycles of a side. */
static PsRational cycles_of(const Versus *versus, const PsCharge *charge, guint side)
{
    return ps_machine_cycles(versus->answers[side]->machine, charge->ticks[side]);
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* What a path does not have is no time of it, not even none. */
static double seconds_there(const PsCharge *charge, guint side)
{
    return charge->there[side] ? charge->seconds[side] : NAN;
}

static void tell_cycles(const Versus *versus, const PsCharge *charge, guint side, PsExactFact fact,
                        PsTold *facts)
{
    if (charge->there[side])
        ps_tell(facts, fact, cycles_of(versus, charge, side));
    else
        ps_tell_unknown(facts, fact.n);
}

static void tell_charge(const Versus *versus, const PsCharge *charge, PsTold *facts)
{
    tell_cycles(versus, charge, 0, PS_FACT_CHARGE_A_CYCLES, facts);
    tell_cycles(versus, charge, 1, PS_FACT_CHARGE_B_CYCLES, facts);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_A_SECONDS, seconds_there(charge, 0));
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_B_SECONDS, seconds_there(charge, 1));
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS, charge->difference);
}

/* What a charge is, before its figures. */
typedef void (*TellName)(const PsCharge *charge, PsTold *facts);

static void tell_class(const PsCharge *charge, PsTold *facts)
{
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_KIND, ps_path_kind_name(charge->kind));
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_CLASS, charge->name);
}

static void tell_line(const PsCharge *charge, PsTold *facts)
{
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_LINE, charge->name);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_CHANGE,
            charge->name ? ps_line_change_name(charge->change) : NULL);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_A_LINE, charge->places[0]);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_B_LINE, charge->places[1]);
}

static void tell_pipeline(const PsCharge *charge, PsTold *facts)
{
    const gboolean port = !charge->name && charge->kind == PS_PATH_PORT;
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_PIPELINE_PIPELINE,
            port ? ISSUE_PORT : charge->name);
}

static void tell_charges(const Versus *versus, PsGroupFact which, const GPtrArray *charges,
                         TellName tell_name, PsTold *facts)
{
    if (!charges) {
        ps_tell_unknown(facts, which.n);
        return;
    }
    ps_tell_open(facts, which);
    for (guint i = 0; i < charges->len; i++) {
        ps_tell_item(facts);
        tell_name(charges->pdata[i], facts);
        tell_charge(versus, charges->pdata[i], facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_off_path(PsGroupFact which, const PsCharge *charge, PsTold *facts)
{
    ps_tell_open(facts, which);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_A_SECONDS, charge->seconds[0]);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_B_SECONDS, charge->seconds[1]);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS, charge->difference);
    ps_tell_close(facts);
}

static void tell_difference(const Versus *versus, PsTold *facts)
{
    const double a = versus->answers[0]->seconds, b = versus->answers[1]->seconds;
    const PsComparison *comparison = versus->comparison;
    ps_tell_open(facts, PS_FACT_COMPARISON_DIFFERENCE);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_SECONDS, comparison->difference);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_RATIO, a > 0 ? b / a : NAN);
    tell_charges(versus, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS, comparison->by_class, tell_class,
                 facts);
    tell_charges(versus, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE, comparison->by_line, tell_line,
                 facts);
    tell_charges(versus, PS_FACT_COMPARISON_DIFFERENCE_BY_PIPELINE, comparison->by_pipeline,
                 tell_pipeline, facts);
    tell_off_path(PS_FACT_COMPARISON_DIFFERENCE_LAUNCH, &comparison->launch, facts);
    tell_off_path(PS_FACT_COMPARISON_DIFFERENCE_CLAMP, &comparison->clamp, facts);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_PROBLEM, comparison->problem);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_LINE_PROBLEM, comparison->line_problem);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_LINE_NOTE, comparison->line_note);
    if (versus->machine[0])
        compare_tell_listings(versus, facts);
    ps_tell_close(facts);
}

static void tell_texts(PsTold *facts, PsGroupFact which, char **texts)
{
    ps_tell_open(facts, which);
    for (char **text = texts; *text; text++)
        ps_tell_item_text(facts, *text);
    ps_tell_close(facts);
}

static PsTold *versus_told(const Versus *versus)
{
    const VersusSide *a = &versus->sides[0], *b = &versus->sides[1];
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_COMPARISON_PIPESIM, PIPESIM_VERSION);
    report_tell_answer(PS_FACT_COMPARISON_A, versus->answers[0], versus->machine[0], facts);
    report_tell_answer(PS_FACT_COMPARISON_B, versus->answers[1], versus->machine[1], facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_FILE);
    ps_tell(facts, PS_FACT_COMPARISON_FILE_A, a->file);
    ps_tell(facts, PS_FACT_COMPARISON_FILE_B, b->file);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_OPTIONS);
    tell_texts(facts, PS_FACT_COMPARISON_OPTIONS_A, a->apart);
    tell_texts(facts, PS_FACT_COMPARISON_OPTIONS_B, b->apart);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_WHAT_IF);
    ps_tell(facts, PS_FACT_COMPARISON_WHAT_IF_A, a->latencies);
    ps_tell(facts, PS_FACT_COMPARISON_WHAT_IF_B, b->latencies);
    ps_tell_close(facts);
    tell_difference(versus, facts);
    return facts;
}

void compare_json(const Versus *versus, PsJson *json)
{
    g_autoptr(PsTold) facts = versus_told(versus);
    ps_json_told_object(json, facts);
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
        g_autofree char *cycles = ps_format_rational(cycles_of(versus, charge, side));
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

/* The share of the time for which a pipeline, or else a server of memory, is busy. */
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
