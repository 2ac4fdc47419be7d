/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain.h. Each table has columns of its own, the first three the same; what is not
 * known is empty. */
#include "cli/report/explain.h"

#include "cli/report/csv.h"
#include "pipesim-private.h"

#include <math.h>

typedef struct {
    const PsAnswer *answer;
    gboolean what_if;
    GString *out;
} Page;

static void put_known(const Page *page, double value)
{
    g_autofree char *text = isfinite(value) ? ps_format_plain(value) : g_strdup("");
    csv_put(page->out, text);
}

static void put_rational(const Page *page, PsRational value)
{
    g_autofree char *text = value.num > 0 ? ps_format_rational(value) : g_strdup("");
    csv_put(page->out, text);
}

static void put_text(const Page *page, const char *text)
{
    csv_put(page->out, text ? text : "");
}

static void begin_row(const Page *page)
{
    csv_put(page->out, page->answer->idg->name);
    csv_put(page->out, page->answer->gpu->name);
    csv_put(page->out, page->what_if ? "true" : "false");
}

static void end_row(const Page *page)
{
    g_string_append_c(page->out, '\n');
}

/* ---- what the time went to ----------------------------------------------------------------- */

static void put_shares(const Page *page, const char *table, const GPtrArray *shares,
                       ShareWords words)
{
    for (guint i = 0; shares && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        g_autofree char *cycles =
            ps_format_rational(ps_machine_cycles(page->answer->machine, share->ticks));
        g_autofree char *name = words(page->answer, share);
        begin_row(page);
        put_text(page, table);
        put_text(page, name);
        put_text(page, cycles);
        put_known(page, share->share);
        g_string_append_printf(page->out, ",%" G_GINT64_FORMAT, share->times);
        end_row(page);
    }
}

static void put_path(const Page *page)
{
    const PsExplain *explain = page->answer->explain;
    put_shares(page, "class", explain->by_class, ps_class_share_name);
    put_shares(page, "line", explain->by_line, ps_line_share_words);
    put_shares(page, "pipeline", explain->by_pipeline, ps_pipeline_share_name);
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        g_autofree char *name = ps_wait_name(page->answer, row);
        begin_row(page);
        put_text(page, "wait");
        put_text(page, name);
        put_text(page, NULL);
        put_known(page, ps_explain_wait_share(explain, row));
        put_text(page, NULL);
        end_row(page);
    }
}

/* ---- what would be, and what helps --------------------------------------------------------- */

static void put_sensitivity(const Page *page)
{
    const GPtrArray *rows = page->answer->sensitivities->rows;
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        begin_row(page);
        put_text(page, ps_varies_name(row->varies));
        put_text(page, row->class_name);
        put_rational(page, row->value);
        for (guint k = 0; k < PS_SENSITIVITY_FACTORS; k++) {
            put_rational(page, row->tried[k]);
            put_known(page, row->seconds[k]);
        }
        put_known(page, row->elasticity);
        put_known(page, row->effect);
        end_row(page);
    }
}

static void put_advice(const Page *page)
{
    for (guint i = 0; i < page->answer->advice->len; i++) {
        const PsAdvice *advice = page->answer->advice->pdata[i];
        begin_row(page);
        put_text(page, ps_cause_name(advice->cause));
        put_text(page, advice->class_name);
        put_known(page, advice->seconds);
        put_known(page, advice->gain);
        put_text(page, advice->sentence);
        put_known(page, advice->half_width);
        end_row(page);
    }
}

/* -------------------------------------------------------------------------------------------- */

void explain_csv(const PsAnswer *answer, const PsAnswer *what_if, guint shows, GString *out)
{
    static const struct {
        guint shows;
        const char *columns;
        void (*put)(const Page *page);
    } tables[] = {
        {EXPLAIN_SHOWS_PATH, "table,name,cycles,share,times", put_path},
        {EXPLAIN_SHOWS_SENSITIVITY,
         "varies,class,value,half,half_seconds,tenth_more,tenth_more_seconds,double,double_seconds,"
         "elasticity,effect",
         put_sensitivity},
        {EXPLAIN_SHOWS_ADVICE, "kind,class,seconds,gain,sentence,half_width_seconds", put_advice}};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
        if (shows != tables[i].shows)
            continue;
        g_string_append_printf(out, "kernel,gpu,what_if,%s\n", tables[i].columns);
        tables[i].put(&(Page){answer, FALSE, out});
        if (what_if)
            tables[i].put(&(Page){what_if, TRUE, out});
    }
}
