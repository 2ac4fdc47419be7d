/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of launches, for people and for programs. See launches.h. */
#include "cli/run/launches.h"

#include "cli/report/answer.h"
#include "cli/report/table.h"
#include "cli/system/terminal.h"
#include "pipesim-private.h"

#include <math.h>

typedef struct {
    const LaunchRow *rows;
    guint n;
    const PsLaunchTime *all;
} LaunchTable;

/* ---- text ---------------------------------------------------------------------------------- */

static void add_times(Table *table, const PsLaunchTime *time, gboolean each)
{
    table_add(table, each ? ps_format_interval(time->seconds, time->half_width) : g_strdup(""));
    table_add(table, ps_format_interval(time->total, time->total_half_width));
    table_add(table, isnan(time->share) ? g_strdup("-") : ps_format_share(time->share));
}

static void add_row(Table *table, const LaunchRow *row)
{
    const PsLaunch *launch = &row->answer->machine->launch;
    const char *limit = ps_answer_limit(row->answer);
    g_autofree char *groups = ps_format_count(launch->groups);
    table_add(table, ps_text_clean(row->answer->idg->name));
    table_add(table, g_strdup_printf("%s of %" G_GINT64_FORMAT, groups, launch->group_size));
    table_add(table, ps_format_count(row->time.count));
    add_times(table, &row->time, TRUE);
    table_add(table, ps_text_clean(limit ? limit : "-"));
}

static void add_heads(Table *table)
{
    static const char *const heads[] = {"kernel", "groups", "launches",  "each",
                                        "total",  "share",  "limited by"};
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        table_add(table, g_strdup(heads[i]));
}

static void add_sum(Table *table, const PsLaunchTime *all)
{
    table_add(table, g_strdup("total"));
    table_add(table, g_strdup(""));
    table_add(table, ps_format_count(all->count));
    add_times(table, all, FALSE);
    table_add(table, g_strdup(""));
}

/* How sure the answer is that most of the time goes by. */
static void put_trust(const LaunchTable *launches, GString *out)
{
    const LaunchRow *most = launches->rows;
    for (guint i = 1; i < launches->n; i++)
        if (launches->rows[i].time.total > most->time.total)
            most = &launches->rows[i];
    g_autofree char *trust = ps_trust_describe(most->answer),
                    *text = g_strdup_printf("%s: %s", most->answer->idg->name, trust),
                    *clean = ps_text_clean(text);
    g_string_append_c(out, '\n');
    wrap_text(out, "How sure  ", clean);
}

static void put_text(const LaunchTable *launches, gboolean colour, GString *out)
{
    const PsAnswer *first = launches->rows->answer;
    g_autofree char *chip = ps_format_chip(first->gpu, first->clock);
    g_autofree char *gpu = ps_text_clean(first->gpu->name);
    g_autoptr(Table) table = table_new("lrrrrrl");
    g_string_append_printf(out, "%sLaunches%s on %s (%s)\n\n", colour ? "\033[1m" : "",
                           colour ? "\033[0m" : "", gpu, chip);
    table_tighten(table);
    add_heads(table);
    for (guint i = 0; i < launches->n; i++)
        add_row(table, &launches->rows[i]);
    add_sum(table, launches->all);
    table_print(table, 0, out);
    put_trust(launches, out);
}

/* ---- facts --------------------------------------------------------------------------------- */

static void tell_time(const PsLaunchTime *time, PsTold *facts)
{
    ps_tell(facts, PS_FACT_LAUNCH_TIME_COUNT, time->count);
    ps_tell(facts, PS_FACT_LAUNCH_TIME_SECONDS, time->seconds);
    ps_tell(facts, PS_FACT_LAUNCH_TIME_HALF_WIDTH_SECONDS, time->half_width);
    ps_tell(facts, PS_FACT_LAUNCH_TIME_TOTAL_SECONDS, time->total);
    ps_tell(facts, PS_FACT_LAUNCH_TIME_TOTAL_HALF_WIDTH_SECONDS, time->total_half_width);
    ps_tell(facts, PS_FACT_LAUNCH_TIME_SHARE, time->share);
}

static void tell_launch(const LaunchRow *row, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LAUNCH_TABLE_LAUNCHES_KERNEL, row->answer->idg->name);
    tell_time(&row->time, facts);
    ps_tell(facts, PS_FACT_LAUNCH_TABLE_LAUNCHES_LIMIT, ps_answer_limit(row->answer));
    report_tell_answer(PS_FACT_LAUNCH_TABLE_LAUNCHES_ANSWER, row->answer, NULL, facts);
    ps_tell_close(facts);
}

static PsTold *told(const LaunchTable *launches)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_LAUNCH_TABLE_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_LAUNCH_TABLE_GPU, launches->rows->answer->gpu->name);
    ps_tell_open(facts, PS_FACT_LAUNCH_TABLE_LAUNCHES);
    for (guint i = 0; i < launches->n; i++)
        tell_launch(&launches->rows[i], facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_LAUNCH_TABLE_TOTAL);
    tell_time(launches->all, facts);
    ps_tell_close(facts);
    return facts;
}

/* -------------------------------------------------------------------------------------------- */

char *launch_table(const LaunchRow *rows, guint n, const PsLaunchTime *all, const Options *options)
{
    const LaunchTable launches = {rows, n, all};
    GString *out = g_string_new(NULL);
    g_autoptr(PsTold) facts = told(&launches);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else if (options->format == FORMAT_CSV)
        ps_csv_told(out, PS_VIEW_LAUNCHES, facts);
    else
        put_text(&launches, terminal_wants_colour(options->output), out);
    return g_string_free(out, FALSE);
}
