/* SPDX-License-Identifier: BSD-3-Clause */
/* The list for people: tables, and titles broken into lines. */
#include "cli/list/list.h"

#include "cli/report/table.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Room for what a GPU calls itself, so that all columns fit 100. */
#define CHIP_WIDTH 22

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
    return isnan(value) ? g_strdup("-") : ps_format_number(value);
}

/* "Instinct MI250 (...)": what stands in brackets goes first. */
static char *shown_chip(const char *name)
{
    const char *bracket = strstr(name, " (");
    if (g_utf8_strlen(name, -1) <= CHIP_WIDTH || !bracket)
        return shorten_text(name, CHIP_WIDTH);
    g_autofree char *before = g_strndup(name, (gsize)(bracket - name));
    g_autofree char *chip = g_strconcat(before, " (...)", NULL);
    return shorten_text(chip, CHIP_WIDTH);
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

/* The column behind those of the kinds is for what names no source. */
#define N_SHARES (PS_N_SOURCE_KINDS + 1)

static guint count_of(const PsProvenance *counts, guint share)
{
    return share < PS_N_SOURCE_KINDS ? counts->of[share] : counts->unsourced;
}

/* Which columns of shares have something in them. */
static void find_shares(const GPtrArray *gpus, gboolean shares[N_SHARES])
{
    for (guint i = 0; i < gpus->len; i++) {
        const PsProvenance counts = ps_gpu_provenance(gpus->pdata[i]);
        for (guint share = 0; share < N_SHARES; share++)
            shares[share] |= count_of(&counts, share) > 0;
    }
}

static Table *new_gpu_table(const gboolean shares[N_SHARES])
{
    static const char *const head[] = {"", "chip", "CUs", "MHz", "GB/s", "TFLOP/s"};
    char align[] = "llrrrrrrrrrr";
    guint columns = G_N_ELEMENTS(head);
    for (guint share = 0; share < N_SHARES; share++)
        columns += shares[share];
    align[columns] = '\0';
    Table *table = table_new(align);
    table_keep_rows(table);
    add_head(table, head, G_N_ELEMENTS(head));
    for (guint share = 0; share < N_SHARES; share++)
        if (shares[share])
            table_add(table,
                      g_strdup(share < PS_N_SOURCE_KINDS ? ps_source_kind_name((PsSourceKind)share)
                                                         : "no source"));
    return table;
}

static void add_gpu(Table *table, const PsGpu *gpu, const gboolean shares[N_SHARES])
{
    const ListPeaks peaks = list_peaks(gpu);
    const PsProvenance counts = ps_gpu_provenance(gpu);
    table_add(table, shown_name(gpu->path));
    table_add(table, shown_chip(gpu->name));
    table_add(table, g_strdup_printf("%" G_GINT64_FORMAT, gpu->compute_units));
    table_add(table,
              ps_format_count((gint64)(ps_rational_to_double(ps_gpu_usual_clock(gpu)) + 0.5)));
    table_add(table, known(peaks.bandwidth));
    table_add(table, known(peaks.gflops / 1e3));
    for (guint share = 0; share < N_SHARES; share++)
        if (shares[share])
            table_add(table, share_of(count_of(&counts, share), sum_of(&counts)));
}

static void put_gpus(const GPtrArray *gpus, GString *out)
{
    gboolean shares[N_SHARES] = {FALSE};
    g_string_append(out, gpus->len ? "GPUs\n" : "GPUs: none\n");
    if (!gpus->len)
        return;
    find_shares(gpus, shares);
    g_autoptr(Table) table = new_gpu_table(shares);
    for (guint i = 0; i < gpus->len; i++)
        add_gpu(table, gpus->pdata[i], shares);
    table_print(table, 2, out);
    wrap_text(out, "  ",
              "MHz under load, else of the boost clock, else of the base clock; GB/s of device "
              "memory and TFLOP/s in single precision at this clock; then the shares of classes "
              "and settings that are measured, published, ...");
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
