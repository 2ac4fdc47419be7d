/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. The report as text. */
#include "tell/bench/report.h"

#include "base/message.h"
#include "gpu/rows.h"
#include "tell/format.h"
#include "tell/table.h"

#include <math.h>
#include <string.h>

static void put_line(const PsPaper *paper, const char *label, const char *text)
{
    g_autofree char *first = g_strdup_printf("%-14s", label);
    ps_paper_text(paper, first, text);
}

/* ---- what was measured --------------------------------------------------------------------- */

guint ps_bench_samples(const PsBenchReport *report)
{
    guint n = 0;
    for (guint i = 0; i < report->raw->rows->len; i++)
        n += ((const PsRawRow *)report->raw->rows->pdata[i])->problem == NULL;
    return n;
}

static void put_device(const PsBenchReport *report, const PsPaper *paper)
{
    const PsGpu *gpu = report->result->gpu;
    const PsDeviceInfo *info = &report->raw->info;
    g_autofree char *clock = ps_format_rational(gpu->clock),
                    *units = ps_format_noun(gpu->compute_units, "CU");
    g_autofree char *title = g_strdup_printf("%s (%s, %s MHz)", gpu->name, units, clock);
    ps_paper_title(paper, title, "");
    g_autofree char *samples = ps_format_noun(ps_bench_samples(report), "sample");
    g_autofree char *driver = ps_text_clean(info->driver);
    g_autofree char *text = g_strdup_printf("%s through %s%s%s", samples,
                                            info->backend ? info->backend : "an unknown driver",
                                            driver && *driver ? ", " : "", driver ? driver : "");
    ps_paper_gap(paper);
    put_line(paper, "Measured", text);
}

/* Explains figures from devices whose kernels cannot read a counter: OpenCL devices. */
static void put_meaning(const PsBenchReport *report, const PsPaper *paper)
{
    const PsDeviceInfo *info = &report->raw->info;
    if (info->counter)
        return;
    put_line(paper, "Cycles",
             "from times and the clock that the driver states, since kernels cannot read a counter "
             "here: boost clocks count in them, and so does what a launch costs, as far as the "
             "difference of two lengths leaves it in");
    g_autofree char *text = g_strdup_printf(
        "a warp is the %" G_GINT64_FORMAT " work-items that the driver prefers to run together. On "
        "a processor, which has no warps, they are lanes of its vector units as far as the "
        "compiler "
        "makes them so, and a group's work-items run one after another: the figures say what such "
        "kernels cost there, not what one of its instructions does, and no occupancy hides "
        "latencies",
        info->warp_size);
    put_line(paper, "Meaning", text);
}

/* ---- classes ------------------------------------------------------------------------------- */

/* Lists classes that need an explanation: their pipeline is unknown, or is no straight one. */
static void put_classes(const PsBenchReport *report, const PsTold *facts, const PsPaper *paper)
{
    gboolean bent = FALSE, untold = FALSE;
    for (guint i = 0; i < report->result->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(report->result->fits, PsBenchFit, i);
        bent |= fit->fit.n_points && fit->fit.at != NULL;
        untold |= fit->fit.n_points && fit->fit.scope == PS_PIPELINE_UNKNOWN;
    }
    ps_paper_view(paper, PS_VIEW_BENCH_CLASSES_PAGE, facts, NULL, NULL);
    if (untold)
        ps_paper_line(paper, "  - of CU or scheduler is not told; lambda is that of the CU");
    if (bent)
        ps_paper_text(
            paper, "  * ",
            "no straight pipeline: latencies grow with active warps, see the table in the "
            "description");
}

/* ---- peaks --------------------------------------------------------------------------------- */

PsRational ps_bench_data_sheet(const PsBenchReport *report, const PsPeak *peak)
{
    const PsPeak *known = report->known ? ps_gpu_peak(report->known, peak->name) : NULL;
    return known ? known->datasheet : PS_RATIONAL_INT(0);
}

/* "97.3 % of the data sheet's 900" (g_free); empty where none is known. */
static char *compare(const PsBenchReport *report, const PsPeak *peak)
{
    const double sheet = ps_rational_to_double(ps_bench_data_sheet(report, peak));
    if (sheet <= 0)
        return g_strdup("");
    g_autofree char *share = ps_format_share(ps_rational_to_double(peak->value) / sheet),
                    *figure = ps_format_number(sheet);
    return g_strdup_printf("%s of the data sheet's %s", share, figure);
}

static void put_peaks(const PsBenchReport *report, const PsPaper *paper)
{
    const GPtrArray *peaks = report->result->gpu->peaks;
    g_autoptr(PsTable) table = ps_table_new("lrll");
    for (guint i = 0; i < peaks->len; i++) {
        const PsPeak *peak = peaks->pdata[i];
        ps_table_add(table, g_strdup(peak->name));
        ps_table_add(table, ps_format_number(ps_rational_to_double(peak->value)));
        ps_table_add(table, g_strdup(peak->name[0] == 'B' ? "GB/s" : "Gop/s"));
        ps_table_add(table, compare(report, peak));
    }
    if (!peaks->len)
        return;
    ps_table_omit_head(table);
    ps_paper_heading(paper, "Peaks (best sustained rates at the base clock)");
    ps_paper_table(paper, table, 2);
}

/* -------------------------------------------------------------------------------------------- */

static gboolean serves(const PsGpu *gpu, const char *const *classes)
{
    for (; *classes; classes++)
        if (!ps_gpu_class(gpu, *classes, NULL))
            return FALSE;
    return TRUE;
}

/* A graph for which the description suffices: if only some classes were measured, few graphs run.
 * NULL: none does. */
static const char *graph_for(const PsGpu *gpu)
{
    static const char *const saxpy[] = {"index", "global.load", "fmadd", "global.store", NULL};
    static const char *const fadd[] = {"fadd", NULL};
    return serves(gpu, saxpy) ? "saxpy.idg" : serves(gpu, fadd) ? "fadd.idg" : NULL;
}

/* A name with a blank needs quotes. */
static void put_use(const PsBenchReport *report, const PsPaper *paper)
{
    g_autofree char *quoted = strpbrk(report->output, " '\"$`\\&;|<>()*?[]~#!") != NULL
                                  ? g_shell_quote(report->output)
                                  : g_strdup(report->output);
    ps_paper_gap(paper);
    put_line(paper, "Measurements", report->raw->path);
    put_line(paper, "Description", report->output);
    const char *graph = graph_for(report->result->gpu);
    g_autofree char *line =
        graph ? g_strdup_printf("Use it        pipesim %s %s %s", graph, report->option, quoted)
              : g_strdup_printf("Use it        pipesim show %s", quoted);
    ps_paper_line(paper, line);
}

void ps_bench_report_text(const PsBenchReport *report, const PsTold *facts, const PsPaper *paper)
{
    put_device(report, paper);
    put_meaning(report, paper);
    put_classes(report, facts, paper);
    ps_paper_view(paper, PS_VIEW_BENCH_LEVELS_PAGE, facts, NULL, NULL);
    put_peaks(report, paper);
    put_use(report, paper);
}
