/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats that programs read, and which there are; see format.h. */
#include "cli/roofline/format.h"

#include "cli/report/csv.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

void roofline_page_init(RooflinePage *page, GString *out, const GArray *gpus, gboolean apart)
{
    *page = (RooflinePage){.out = out, .gpus = gpus, .apart = apart, .json = {.out = out}};
    page->held = g_ptr_array_new_with_free_func(roofline_kernel_unref);
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

/* Kernels are told and written one at a time, since there may be very many. */
static void json_begin(RooflinePage *page)
{
    ps_json_open(&page->json, NULL, '{', PS_JSON_LINES);
    ps_json_open_fact(&page->json, PS_FACT_ROOFLINE_REPORT_KERNELS);
}

static void json_kernel(RooflinePage *page, RooflineKernel *kernel)
{
    g_autoptr(PsTold) facts = roofline_kernel_told(page, kernel);
    ps_json_told_object(&page->json, facts);
}

static void json_end(RooflinePage *page, const GPtrArray *warnings)
{
    g_autoptr(PsTold) facts = roofline_end_told(page, warnings);
    ps_json_close(&page->json, ']');
    ps_json_told(&page->json, facts);
    ps_json_close(&page->json, '}');
    g_string_append_c(page->out, '\n');
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_begin_page(RooflinePage *page)
{
    g_string_append(page->out,
                    "kernel,launches,launch,device,gpu,clock_mhz,K_type,W_comp,W_traf,E_mix,D_ops,"
                    "D_ldst,D_other,O_krn,T_op,W_op,W_ldst,W_other,C_op,C_ldst,C_other,E_instr,"
                    "T_adjusted,O_dev,T_predicted,seconds,bound,ceiling_seconds,efficiency,"
                    "headroom,measured_seconds,error,least_seconds,least_by\n");
}

/* Empty where it is not known. */
static void csv_number(GString *out, double value)
{
    g_autofree char *text = isnan(value) ? g_strdup("") : ps_format_plain(value);
    csv_put(out, text);
}

static void csv_count(GString *out, gint64 value)
{
    g_autofree char *text = value ? g_strdup_printf("%" G_GINT64_FORMAT, value) : g_strdup("");
    csv_put(out, text);
}

static void csv_text(GString *out, const char *text)
{
    csv_put(out, text ? text : "");
}

static void csv_numbers(GString *out, const double *values, guint n)
{
    for (guint i = 0; i < n; i++)
        csv_number(out, values[i]);
}

static void csv_row(const PsProfileKernel *of, const RooflineResult *result, const RooflineGpu *on,
                    GString *out)
{
    const PsParams *k = &result->params;
    const PsPrediction *p = &result->prediction;
    const double params[] = {k->W_comp, k->W_traf,  k->E_mix, k->D_ops,
                             k->D_ldst, k->D_other, k->O_krn};
    const double values[] = {p->T_op,       p->W_op,   p->W_ldst,      p->W_other,
                             p->C_op,       p->C_ldst, p->C_other,     p->E_instr,
                             p->T_adjusted, p->O_dev,  p->T_predicted, p->seconds};
    /* What was not measured has reached no share of anything; JSON says that it is estimated. */
    const double efficiency = result->estimated ? NAN : result->efficiency,
                 headroom = result->estimated ? NAN : result->headroom;
    const double after[] = {p->ceiling_seconds, efficiency, headroom, of->seconds, result->error};
    csv_text(out, of->name);
    csv_count(out, of->launches);
    csv_count(out, of->launch);
    csv_text(out, of->device);
    csv_text(out, on->gpu->name);
    csv_number(out, ps_rational_to_double(result->clock));
    csv_text(out, ps_k_type_name(k->K_type));
    csv_numbers(out, params, G_N_ELEMENTS(params));
    csv_numbers(out, values, G_N_ELEMENTS(values));
    csv_text(out, ps_bound_name(p->bound));
    csv_numbers(out, after, G_N_ELEMENTS(after));
    csv_number(out, result->ceilings.seconds);
    csv_text(out, roofline_highest(result));
    g_string_append_c(out, '\n');
}

static void csv_kernel(RooflinePage *page, RooflineKernel *kernel)
{
    for (guint i = 0; i < page->gpus->len; i++)
        csv_row(kernel->kernel, roofline_result(kernel, i), roofline_gpu(page->gpus, i), page->out);
}

/* ---- which there are ----------------------------------------------------------------------- */

static void no_kernel(RooflinePage *page, RooflineKernel *kernel)
{
    (void)page;
    (void)kernel;
}

const RooflineFormat *roofline_format(Format format)
{
    static const RooflineFormat formats[] = {
        [FORMAT_TEXT] = {nothing, roofline_text_kernel, roofline_text_end, TRUE},
        [FORMAT_JSON] = {json_begin, json_kernel, json_end, TRUE},
        [FORMAT_CSV] = {csv_begin_page, csv_kernel, nothing_at_end, FALSE},
        /* the script of the chart, which is drawn when all are there */
        [FORMAT_GNUPLOT] = {nothing, no_kernel, nothing_at_end, FALSE},
    };
    return &formats[format];
}
