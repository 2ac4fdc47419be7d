/* SPDX-License-Identifier: BSD-3-Clause */
/* The list for people: tables, and titles broken into lines. */
#include "cli/list.h"

#include "cli/format.h"
#include "cli/table.h"

#include <math.h>
#include <string.h>

/* Room for what a GPU calls itself, beside the other columns. */
#define CHIP_WIDTH 36

static void add_head(Table *table, const char *const *head, guint n)
{
    for (guint i = 0; i < n; i++)
        table_add(table, g_strdup(head[i]));
}

/* Names of files may hold anything. */
static char *shown_name(const char *path)
{
    g_autofree char *name = list_name(path);
    return ps_text_clean(name);
}

static char *known(double value)
{
    return isnan(value) ? g_strdup("-") : format_number(value);
}

static void put_chips(const GPtrArray *gpus, GString *out)
{
    static const char *const head[] = {"", "chip", "CUs", "MHz", "GB/s", "TFLOP/s"};
    g_autoptr(Table) table = table_new("llrrrr");
    add_head(table, head, G_N_ELEMENTS(head));
    for (guint i = 0; i < gpus->len; i++) {
        const PsGpu *gpu = gpus->pdata[i];
        const ListPeaks peaks = list_peaks(gpu);
        table_add(table, shown_name(gpu->path));
        table_add(table, shorten_text(gpu->name, CHIP_WIDTH));
        table_add(table, g_strdup_printf("%" G_GINT64_FORMAT, gpu->compute_units));
        table_add(table, format_count((gint64)(ps_rational_to_double(gpu->clock) + 0.5)));
        table_add(table, known(peaks.bandwidth));
        table_add(table, known(peaks.gflops / 1e3));
    }
    table_print(table, 2, out);
    wrap_text(out, "  ", "GB/s of device memory, TFLOP/s in single precision, both at this clock");
}

static guint sum_of(const PsProvenance *counts)
{
    guint sum = counts->unsourced;
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        sum += counts->of[kind];
    return sum;
}

static char *share_of(guint n, guint all)
{
    return n ? g_strdup_printf("%.0f %%", 100.0 * n / all) : g_strdup("-");
}

/* A column of its own for what names no source, where there is such a thing. */
static void put_provenance(const GPtrArray *gpus, GString *out)
{
    gboolean unsourced = FALSE;
    for (guint i = 0; i < gpus->len; i++)
        unsourced |= ps_gpu_provenance(gpus->pdata[i]).unsourced > 0;
    g_autoptr(Table) table = table_new(unsourced ? "lrrrrrr" : "lrrrrr");
    table_add(table, g_strdup(""));
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        table_add(table, g_strdup(ps_source_kind_name((PsSourceKind)kind)));
    if (unsourced)
        table_add(table, g_strdup("no source"));
    for (guint i = 0; i < gpus->len; i++) {
        const PsGpu *gpu = gpus->pdata[i];
        const PsProvenance counts = ps_gpu_provenance(gpu);
        table_add(table, shown_name(gpu->path));
        for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
            table_add(table, share_of(counts.of[kind], sum_of(&counts)));
        if (unsourced)
            table_add(table, share_of(counts.unsourced, sum_of(&counts)));
    }
    g_string_append(out, "\nWhere their figures come from (share of classes and settings)\n");
    table_print(table, 2, out);
}

static void put_gpus(const GPtrArray *gpus, GString *out)
{
    g_string_append(out, gpus->len ? "GPUs\n" : "GPUs: none\n");
    if (!gpus->len)
        return;
    put_chips(gpus, out);
    put_provenance(gpus, out);
}

static void put_graphs(const GPtrArray *graphs, GString *out)
{
    gsize width = 0;
    g_string_append(out, graphs->len ? "Graphs\n" : "Graphs: none\n");
    for (guint i = 0; i < graphs->len; i++) {
        g_autofree char *name = shown_name(((const PsIdg *)graphs->pdata[i])->path);
        width = MAX(width, strlen(name));
    }
    for (guint i = 0; i < graphs->len; i++) {
        const PsIdg *idg = graphs->pdata[i];
        g_autofree char *name = shown_name(idg->path);
        g_autofree char *first = g_strdup_printf("  %-*s  ", (int)MIN(width, TEXT_WIDTH / 2), name);
        wrap_text(out, first, idg->title ? idg->title : idg->name);
    }
}

char *list_text(const List *list)
{
    GString *out = g_string_new(NULL);
    if (list->gpus)
        put_gpus(list->gpus, out);
    if (list->gpus && list->graphs)
        g_string_append_c(out, '\n');
    if (list->graphs)
        put_graphs(list->graphs, out);
    return g_string_free(out, FALSE);
}
