/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of launches, for people and for programs. See launches.h. */
#include "cli/run/launches.h"

#include "cli/report/paper.h"
#include "pipesim-private.h"

typedef struct {
    const LaunchRow *rows;
    guint n;
    const PsLaunchTime *all;
} LaunchTable;

/* ---- text ---------------------------------------------------------------------------------- */

/* Adds how sure the answer is on which most of the time depends. */
static void put_trust(const LaunchTable *launches, const PsPaper *paper)
{
    const LaunchRow *most = launches->rows;
    for (guint i = 1; i < launches->n; i++)
        if (launches->rows[i].time.total > most->time.total)
            most = &launches->rows[i];
    g_autofree char *trust = ps_trust_describe(most->answer),
                    *text = g_strdup_printf("%s: %s", most->answer->idg->name, trust),
                    *clean = ps_text_clean(text);
    ps_paper_gap(paper);
    ps_paper_text(paper, "How sure  ", clean);
}

static void put_text(const LaunchTable *launches, const PsTold *facts, const PsPaper *paper)
{
    const PsAnswer *first = launches->rows->answer;
    g_autofree char *chip = ps_format_chip(first->gpu, first->clock),
                    *gpu = ps_text_clean(first->gpu->name),
                    *rest = g_strdup_printf(" on %s (%s)", gpu, chip);
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_LAUNCHES_PAGE, facts, NULL, FALSE);
    ps_paper_title(paper, "Launches", rest);
    ps_paper_gap(paper);
    ps_paper_table(paper, table, 0);
    put_trust(launches, paper);
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
    ps_tell_taken(facts, PS_FACT_LAUNCH_TABLE_LAUNCHES_LIMIT_WORDS,
                  ps_answer_limit_words(row->answer));
    ps_tell_open(facts, PS_FACT_LAUNCH_TABLE_LAUNCHES_ANSWER);
    ps_tell_answer(row->answer, 0, facts);
    ps_tell_close(facts);
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
    const PsPaper paper = paper_for(options, out);
    g_autoptr(PsTold) facts = told(&launches);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else if (options->format == FORMAT_CSV)
        ps_csv_told(out, PS_VIEW_LAUNCHES, facts);
    else
        put_text(&launches, facts, &paper);
    return g_string_free(out, FALSE);
}
