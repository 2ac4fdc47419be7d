/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats that programs read, and which there are; see format.h. */
#include "cli/roofline/format.h"

#include "pipesim-private.h"

void roofline_page_init(RooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart)
{
    *page = (RooflinePage){
        .out = paper.out, .paper = paper, .gpus = gpus, .apart = apart, .json = {.out = paper.out}};
    page->held = g_ptr_array_new_with_free_func(ps_roofline_kernel_unref);
    page->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void roofline_page_clear(RooflinePage *page)
{
    g_ptr_array_unref(page->held);
    g_hash_table_unref(page->files);
}

static void nothing(RooflinePage *page)
{
    (void)page;
}

static void nothing_at_end(RooflinePage *page, const GPtrArray *warnings)
{
    (void)page;
    (void)warnings;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_begin(RooflinePage *page)
{
    ps_roofline_json_begin(&page->json);
}

static void json_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    ps_roofline_json_kernel(&page->json, kernel, page->gpus, page->apart);
}

static void json_end(RooflinePage *page, const GPtrArray *warnings)
{
    ps_roofline_json_end(&page->json, page->gpus, warnings);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_begin_page(RooflinePage *page)
{
    g_autoptr(PsTold) none = ps_told_new();
    ps_csv_heads(page->out, PS_VIEW_ROOFLINE, none);
}

static void csv_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    g_autoptr(PsTold) facts = ps_roofline_told(kernel, page->gpus, page->apart);
    ps_csv_rows(page->out, PS_VIEW_ROOFLINE, facts);
}

/* ---- which there are ----------------------------------------------------------------------- */

static void no_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    (void)page;
    (void)kernel;
}

const RooflineFormat *roofline_format(Format format)
{
    static const RooflineFormat formats[] = {
        [FORMAT_TEXT] = {nothing, roofline_text_kernel, roofline_text_end, TRUE},
        [FORMAT_MARKDOWN] = {nothing, roofline_text_kernel, roofline_text_end, TRUE},
        [FORMAT_JSON] = {json_begin, json_kernel, json_end, TRUE},
        [FORMAT_CSV] = {csv_begin_page, csv_kernel, nothing_at_end, FALSE},
        /* the script of the chart, which is drawn when all are there */
        [FORMAT_GNUPLOT] = {nothing, no_kernel, nothing_at_end, FALSE},
    };
    return &formats[format];
}
