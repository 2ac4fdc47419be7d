/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels on the GPUs as a table in text. See roofline-page.h. */
#include "tell/roofline-page.h"

#include "tell/format.h"

#include <math.h>
#include <string.h>

/* Kernels, or launches, in one table; more make several tables, so that memory stays bounded. */
#define PAGE_ROWS 1000

void ps_roofline_page_init(PsRooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart)
{
    *page = (PsRooflinePage){.paper = paper, .gpus = gpus, .apart = apart};
    page->held = g_ptr_array_new_with_free_func(ps_roofline_kernel_unref);
    page->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void ps_roofline_page_clear(PsRooflinePage *page)
{
    g_ptr_array_unref(page->held);
    g_hash_table_unref(page->files);
}

/* ---- facts --------------------------------------------------------------------------------- */

static gboolean has_launches(const PsRooflinePage *page)
{
    for (guint i = 0; i < page->held->len; i++) {
        const PsProfileKernel *of = ((const PsRooflineKernel *)page->held->pdata[i])->kernel;
        if (of->launch || of->launches > 1)
            return TRUE;
    }
    return FALSE;
}

static gboolean has_measured(const PsRooflinePage *page)
{
    for (guint i = 0; i < page->held->len; i++)
        if (!isnan(((const PsRooflineKernel *)page->held->pdata[i])->kernel->seconds))
            return TRUE;
    return FALSE;
}

/* TRUE if some kernel was measured on one of the GPUs, so that it has an efficiency. */
static gboolean has_efficiency(const PsRooflinePage *page)
{
    for (guint i = 0; i < page->held->len * page->gpus->len; i++) {
        const PsRooflineResult *result =
            ps_roofline_result(page->held->pdata[i / page->gpus->len], i % page->gpus->len);
        if (!result->estimated && !isnan(result->efficiency))
            return TRUE;
    }
    return FALSE;
}

static gboolean has_shares(const PsRooflinePage *page)
{
    return has_measured(page) && (!page->apart || page->others);
}

/* Tells the table's facts of a kernel. Its name has the file if several files have that name; its
 * share of the total time is known since the last kernel came. */
static void tell_kernel(const PsRooflinePage *page, PsRooflineKernel *kernel, PsTold *facts)
{
    const PsProfileKernel *of = kernel->kernel;
    const char *path = g_hash_table_lookup(page->files, of->name);
    g_autofree char *name =
        *path ? g_strdup(of->name) : g_strdup_printf("%s (%s)", of->name, kernel->path);
    g_autoptr(PsTold) all = ps_roofline_told(kernel, page->gpus, page->apart);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, name);
    if (has_launches(page)) {
        ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCH, of->launch);
        ps_tell_positive(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCHES,
                         of->launch ? 0 : of->launches);
    }
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_MEASURED_SECONDS, of->seconds);
    if (has_shares(page))
        ps_tell(facts, PS_FACT_AMOUNT_SHARE, of->seconds / page->seconds);
    ps_tell_found(facts, all, PS_FACT_ROOFLINE_PARAMETERS);
    ps_tell_found(facts, all, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS);
    ps_tell_close(facts);
}

/* ---- above and below the table ------------------------------------------------------------- */

static void put_gpu(const PsRooflinePage *page, guint i)
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

/* TRUE if a time covers only a part of the kernel's work. */
static gboolean is_half_known(const PsTold *facts)
{
    for (guint i = 0; i < ps_told_length(facts); i++) {
        const PsFact *fact = ps_told_at(facts, i);
        if (fact->known &&
            fact->fact == PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_PREDICTED_FOR.n &&
            g_str_has_suffix(fact->value.text, "?"))
            return TRUE;
    }
    return FALSE;
}

static void put_others(const PsRooflinePage *page)
{
    g_autofree char *text =
        g_strdup_printf("and %" G_GUINT64_FORMAT " that take less time", page->others);
    if (page->others)
        ps_paper_line(&page->paper, text);
}

static void put_legend(const PsRooflinePage *page)
{
    ps_paper_gap(&page->paper);
    ps_paper_text(&page->paper, "at least  ",
                  "the time of the unit or level of memory that needs most, at its peak");
    ps_paper_text(
        &page->paper, "for       ",
        "instructions or traffic, which make the time of equation 19, or the unit or level "
        "of memory whose ceiling is above that time");
    if (has_efficiency(page))
        ps_paper_text(&page->paper, "effic.    ",
                      "achieved rate as a share of the plain roofline min(T_op, O_krn * B_mem)");
    if (has_shares(page))
        ps_paper_text(&page->paper, "of all    ",
                      "share of the measured time of all kernels together");
    if (page->is_half_known)
        ps_paper_text(&page->paper, "?         ",
                      "not all that takes time is known: the time may be longer");
}

/* ---- the table ----------------------------------------------------------------------------- */

void ps_roofline_page_expect(PsRooflinePage *page, const char *path, const char *name)
{
    const char *known = g_hash_table_lookup(page->files, name);
    if (!known)
        g_hash_table_insert(page->files, g_strdup(name), (gpointer)g_intern_string(path));
    else if (strcmp(known, path) != 0)
        g_hash_table_insert(page->files, g_strdup(name), (gpointer) "");
}

/* Writes the collected table. */
static void put_table(PsRooflinePage *page)
{
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_KERNELS);
    for (guint i = 0; i < page->held->len; i++)
        tell_kernel(page, page->held->pdata[i], facts);
    ps_tell_close(facts);
    for (guint i = 0; i < page->gpus->len && !page->written; i++)
        put_gpu(page, i);
    ps_paper_gap(&page->paper);
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_ROOFLINE_PAGE, facts, NULL, FALSE);
    ps_paper_table(&page->paper, table, 0);
    page->is_measured |= has_measured(page);
    page->is_half_known |= is_half_known(facts);
    page->written++;
}

void ps_roofline_page_kernel(PsRooflinePage *page, PsRooflineKernel *kernel)
{
    ps_roofline_page_expect(page, kernel->path, kernel->kernel->name);
    if (page->held->len == PAGE_ROWS) {
        put_table(page);
        g_ptr_array_set_size(page->held, 0);
    }
    g_ptr_array_add(page->held, ps_roofline_kernel_ref(kernel));
}

void ps_roofline_page_end(PsRooflinePage *page, const GPtrArray *warnings)
{
    if (!page->written && page->held->len == 1 && page->gpus->len == 1) {
        ps_roofline_page_one(page->held->pdata[0], page->gpus, &page->paper);
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
