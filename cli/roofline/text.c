/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels on the GPUs as a table for people; a kernel alone on one GPU has a page of its own
 * (page.c). Columns that would be empty in all rows are left out.
 */
#include "cli/roofline/format.h"

#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Kernels, or launches, in one table: more make several, so that memory stays bounded. */
#define PAGE_ROWS 1000

/* A row: what the column shows of it. */
typedef struct {
    const RooflinePage *page;
    const PsRooflineKernel *kernel;
    guint gpu;
} Row;

static const PsRooflineResult *result_of(const Row *row)
{
    return ps_roofline_result(row->kernel, row->gpu);
}

static char *unknown(void)
{
    return g_strdup("-");
}

/* ---- columns ------------------------------------------------------------------------------- */

static char *name_cell(const Row *row)
{
    const char *name = row->kernel->kernel->name,
               *path = g_hash_table_lookup(row->page->files, name);
    if (row->gpu)
        return g_strdup("");
    g_autofree char *text =
        *path ? g_strdup(name) : g_strdup_printf("%s (%s)", name, row->kernel->path);
    return ps_text_clean(text);
}

static char *gpu_cell(const Row *row)
{
    return g_strdup_printf("%u", row->gpu + 1);
}

/* How many, or of launches apart which one. */
static char *launches_cell(const Row *row)
{
    const PsProfileKernel *of = row->kernel->kernel;
    if (!of->launch && !of->launches)
        return unknown();
    return of->launch ? g_strdup_printf("#%" G_GINT64_FORMAT, of->launch)
                      : g_strdup_printf("%" G_GINT64_FORMAT, of->launches);
}

static char *type_cell(const Row *row)
{
    const char *name = ps_k_type_name(result_of(row)->params.K_type);
    return name ? g_strdup(name) : unknown();
}

static char *time_text(double seconds)
{
    return isfinite(seconds) ? ps_format_time(seconds) : unknown();
}

static char *predicted_cell(const Row *row)
{
    return time_text(result_of(row)->prediction.seconds);
}

/* Not all that takes time is known. */
static gboolean is_half(const PsPrediction *p)
{
    const PsBound bound = p->bound == PS_BOUND_CEILING ? p->equations_bound : p->bound;
    return bound >= PS_BOUND_COMPUTE_ONLY;
}

/* What the predicted time is taken for; where a ceiling decides, whose it is. */
static char *for_cell(const Row *row)
{
    const PsPrediction *p = &result_of(row)->prediction;
    const char *words = p->bound == PS_BOUND_CEILING
                            ? ps_roofline_highest_words(row->kernel->kernel, result_of(row))
                            : ps_predicted_for(p->bound);
    return words ? g_strconcat(words, is_half(p) ? "?" : "", NULL) : unknown();
}

/* In per cent; what is beyond all measure has no digits. */
static char *percent(double share)
{
    if (!isfinite(share))
        return unknown();
    return fabs(share) < 9.9995 ? g_strdup_printf("%.1f%%", 100 * share) : g_strdup(">999%");
}

static char *efficiency_cell(const Row *row)
{
    return result_of(row)->estimated ? unknown() : percent(result_of(row)->efficiency);
}

static char *least_cell(const Row *row)
{
    return time_text(result_of(row)->ceilings.seconds);
}

static char *highest_cell(const Row *row)
{
    const char *name = ps_roofline_highest_words(row->kernel->kernel, result_of(row));
    return name ? g_strdup(name) : unknown();
}

static char *measured_cell(const Row *row)
{
    return time_text(row->kernel->kernel->seconds);
}

/* The share of the time of all kernels, which is known when the last one has come. */
static char *share_cell(const Row *row)
{
    return row->gpu ? g_strdup("") : percent(row->kernel->kernel->seconds / row->page->seconds);
}

static char *error_cell(const Row *row)
{
    const double error = result_of(row)->error;
    g_autofree char *text = percent(error);
    return g_strconcat(error > 0 && *text != '>' ? "+" : "", text, NULL);
}

static gboolean has_measured(const RooflinePage *page);

static gboolean has_shares(const RooflinePage *page)
{
    return has_measured(page) && (!page->apart || page->others);
}

typedef struct {
    const char *name;
    char *(*text)(const Row *row);
    gboolean (*needed)(const RooflinePage *page); /* NULL: always */
} Column;

static gboolean has_gpus(const RooflinePage *page)
{
    return page->gpus->len > 1;
}

static gboolean has_launches(const RooflinePage *page)
{
    for (guint i = 0; i < page->held->len; i++) {
        const PsProfileKernel *of = ((const PsRooflineKernel *)page->held->pdata[i])->kernel;
        if (of->launch || of->launches > 1)
            return TRUE;
    }
    return FALSE;
}

static gboolean has_measured(const RooflinePage *page)
{
    for (guint i = 0; i < page->held->len; i++)
        if (!isnan(((const PsRooflineKernel *)page->held->pdata[i])->kernel->seconds))
            return TRUE;
    return FALSE;
}

static const Column COLUMNS[] = {{"kernel", name_cell, NULL},
                                 {"GPU", gpu_cell, has_gpus},
                                 {"runs", launches_cell, has_launches},
                                 {"type", type_cell, NULL},
                                 {"predicted", predicted_cell, NULL},
                                 {"for", for_cell, NULL},
                                 {"at least", least_cell, NULL},
                                 {"by", highest_cell, NULL},
                                 {"effic.", efficiency_cell, has_measured},
                                 {"measured", measured_cell, has_measured},
                                 {"of all", share_cell, has_shares},
                                 {"error", error_cell, has_measured}};

#define N_COLUMNS G_N_ELEMENTS(COLUMNS)

/* ---- above and below the table ------------------------------------------------------------- */

static void put_gpu(const RooflinePage *page, guint i)
{
    const PsRooflineGpu *on = ps_roofline_gpu(page->gpus, i);
    g_autofree char *chip = ps_format_chip(on->gpu, on->clock);
    g_autofree char *first =
        page->gpus->len > 1 ? g_strdup_printf("GPU %u  ", i + 1) : g_strdup("");
    g_autoptr(GString) peaks = g_string_new(NULL);
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++)
        if (!isnan(on->peaks.value[kind])) {
            g_autofree char *value = ps_format_number(on->peaks.value[kind] / 1e9);
            g_string_append_printf(peaks, "%s %s=%s", peaks->len ? "," : "",
                                   ps_peak_kind_name(kind), value);
        }
    g_autofree char *text = g_strdup_printf("%s (%s). Peaks in 10^9/s:%s", on->gpu->name, chip,
                                            peaks->len ? peaks->str : " none is known");
    ps_paper_text(&page->paper, first, text);
}

static gboolean is_half_known(const RooflinePage *page)
{
    for (guint i = 0; i < page->held->len; i++)
        for (guint j = 0; j < page->gpus->len; j++)
            if (is_half(&ps_roofline_result(page->held->pdata[i], j)->prediction))
                return TRUE;
    return FALSE;
}

static void put_others(const RooflinePage *page)
{
    g_autofree char *text =
        g_strdup_printf("and %" G_GUINT64_FORMAT " that take less time", page->others);
    if (page->others)
        ps_paper_line(&page->paper, text);
}

static void put_legend(const RooflinePage *page)
{
    ps_paper_gap(&page->paper);
    ps_paper_text(&page->paper, "at least  ",
                  "what the unit or level of memory takes that is asked most of its peak");
    ps_paper_text(&page->paper, "for       ",
                  "what the predicted time is taken for: instructions or traffic (equation 19), or "
                  "the unit or level of memory whose ceiling is above that");
    if (has_measured(page))
        ps_paper_text(&page->paper, "effic.    ",
                      "achieved rate as a share of the plain roofline min(T_op, O_krn * B_mem)");
    if (has_shares(page))
        ps_paper_text(&page->paper, "of all    ",
                      "share of the time that was measured of all kernels together");
    if (page->is_half_known)
        ps_paper_text(&page->paper, "?         ",
                      "not all that takes time is known: the time may be longer");
}

/* ---- the table ----------------------------------------------------------------------------- */

void roofline_page_expect(RooflinePage *page, const char *path, const char *name)
{
    const char *known = g_hash_table_lookup(page->files, name);
    if (!known)
        g_hash_table_insert(page->files, g_strdup(name), (gpointer)g_intern_string(path));
    else if (strcmp(known, path) != 0)
        g_hash_table_insert(page->files, g_strdup(name), (gpointer) "");
}

static void put_rows(const RooflinePage *page, const gboolean *shown, PsTable *table)
{
    for (guint i = 0; i < page->held->len; i++)
        for (guint gpu = 0; gpu < page->gpus->len; gpu++) {
            const Row row = {page, page->held->pdata[i], gpu};
            for (guint c = 0; c < N_COLUMNS; c++)
                if (shown[c])
                    ps_table_add(table, COLUMNS[c].text(&row));
        }
}

/* Writes what is held. */
static void put_table(RooflinePage *page)
{
    char align[N_COLUMNS + 1] = {0};
    gboolean shown[N_COLUMNS];
    guint n = 0;
    for (guint c = 0; c < N_COLUMNS; c++) {
        shown[c] = !COLUMNS[c].needed || COLUMNS[c].needed(page);
        if (shown[c])
            align[n++] = c && COLUMNS[c].text != for_cell && COLUMNS[c].text != highest_cell &&
                                 COLUMNS[c].text != type_cell
                             ? 'r'
                             : 'l';
    }
    g_autoptr(PsTable) table = ps_table_new(align);
    ps_table_tighten(table);
    for (guint c = 0; c < N_COLUMNS; c++)
        if (shown[c])
            ps_table_add(table, g_strdup(COLUMNS[c].name));
    put_rows(page, shown, table);
    for (guint i = 0; i < page->gpus->len && !page->written; i++)
        put_gpu(page, i);
    ps_paper_gap(&page->paper);
    ps_paper_table(&page->paper, table, 0);
    page->is_measured |= has_measured(page);
    page->is_half_known |= is_half_known(page);
    page->written++;
}

void roofline_text_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    roofline_page_expect(page, kernel->path, kernel->kernel->name);
    if (page->held->len == PAGE_ROWS) {
        put_table(page);
        g_ptr_array_set_size(page->held, 0);
    }
    g_ptr_array_add(page->held, ps_roofline_kernel_ref(kernel));
}

void roofline_text_end(RooflinePage *page, const GPtrArray *warnings)
{
    if (!page->written && page->held->len == 1 && page->gpus->len == 1) {
        roofline_text_one(page->held->pdata[0], ps_roofline_gpu(page->gpus, 0), &page->paper);
    } else {
        put_table(page);
        put_others(page);
        put_legend(page);
    }
    if (warnings->len)
        ps_paper_heading(&page->paper, "Warnings");
    for (guint i = 0; i < warnings->len; i++)
        ps_paper_text(&page->paper, "  - ", warnings->pdata[i]);
}
