/* SPDX-License-Identifier: BSD-3-Clause */
/* See format.h. */
#include "cli/roofline/format.h"

#include "pipesim-private.h"

void roofline_page_init(RooflinePage *page, PsPaper paper, const GArray *gpus, gboolean apart)
{
    *page = (RooflinePage){.out = paper.out, .json = {.out = paper.out}};
    ps_roofline_page_init(&page->text, paper, gpus, apart);
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
    ps_roofline_json_kernel(&page->json, kernel, page->text.gpus, page->text.apart);
}

static void json_end(RooflinePage *page, const GPtrArray *warnings)
{
    ps_roofline_json_end(&page->json, page->text.gpus, warnings);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_begin_page(RooflinePage *page)
{
    g_autoptr(PsTold) none = ps_told_new();
    ps_csv_heads(page->out, PS_VIEW_ROOFLINE, none);
}

static void csv_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    g_autoptr(PsTold) facts = ps_roofline_told(kernel, page->text.gpus, page->text.apart);
    ps_csv_rows(page->out, PS_VIEW_ROOFLINE, facts);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void text_kernel(RooflinePage *page, PsRooflineKernel *kernel)
{
    ps_roofline_page_kernel(&page->text, kernel);
}

static void text_end(RooflinePage *page, const GPtrArray *warnings)
{
    ps_roofline_page_end(&page->text, warnings);
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
        [FORMAT_TEXT] = {nothing, text_kernel, text_end, TRUE},
        [FORMAT_MARKDOWN] = {nothing, text_kernel, text_end, TRUE},
        [FORMAT_JSON] = {json_begin, json_kernel, json_end, TRUE},
        [FORMAT_CSV] = {csv_begin_page, csv_kernel, nothing_at_end, FALSE},
        /* the script of the chart, which is drawn when all kernels are known */
        [FORMAT_GNUPLOT] = {nothing, no_kernel, nothing_at_end, FALSE},
    };
    return &formats[format];
}
