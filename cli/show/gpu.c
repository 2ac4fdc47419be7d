/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU description as text: the chip, what limits occupancy, pipelines, classes, and the peaks
 * that the roofline calculates with, wherever they come from. */
#include "cli/show/show.h"

#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* Says what the pipeline belongs to; one of several must catch the eye. */
static char *describe_pipeline(const PsGpu *gpu, const PsPipeline *pipeline)
{
    if (!pipeline->per_scheduler)
        return g_strdup("one for the compute unit");
    return g_strdup_printf("ONE FOR EACH of the %" G_GINT64_FORMAT
                           " schedulers; latencies are those of one",
                           gpu->schedulers);
}

static void show_pipelines(const PsGpu *gpu, GString *out)
{
    if (!gpu->pipelines->len)
        return;
    g_string_append(out, "\nPipelines\n");
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = gpu->pipelines->pdata[i];
        g_autofree char *text = describe_pipeline(gpu, pipeline);
        g_string_append_printf(out, "  %s, %s\n", pipeline->name, text);
    }
}

static void add_class(PsTable *table, const PsGpu *gpu, const PsClass *class)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[class->pipeline];
    ps_table_add(table, g_strdup(class->name));
    ps_table_add(table,
                 g_strdup_printf("%s%s", pipeline->name, pipeline->per_scheduler ? " (each)" : ""));
    ps_table_add(table, ps_rational_format(class->latency.issue));
    ps_table_add(table, ps_rational_format(class->latency.completion));
    g_autofree char *source = show_source(gpu, class->source);
    ps_table_add(table, g_strconcat(class->derived ? "follows: " : "", source, NULL));
    for (guint i = 0; class->at && i < class->at->len; i++) {
        const PsLatencyAt *at = &g_array_index(class->at, PsLatencyAt, i);
        ps_table_add(table, g_strdup_printf("  at %" G_GINT64_FORMAT " warps", at->warps));
        ps_table_add(table, g_strdup(""));
        ps_table_add(table, ps_rational_format(at->latency.issue));
        ps_table_add(table, ps_rational_format(at->latency.completion));
        ps_table_add(table, g_strdup(""));
    }
}

static void show_classes(const PsGpu *gpu, GString *out)
{
    static const char *const head[] = {"", "pipeline", "lambda", "Lambda", "source"};
    if (!gpu->classes->len) {
        g_string_append(out,
                        "\nNo instruction classes: for the roofline only, not for simulation\n");
        return;
    }
    g_autoptr(PsTable) table = ps_table_new("llrrl");
    for (guint i = 0; i < G_N_ELEMENTS(head); i++)
        ps_table_add(table, g_strdup(head[i]));
    for (guint i = 0; i < gpu->classes->len; i++)
        add_class(table, gpu, gpu->classes->pdata[i]);
    g_string_append(out, "\nInstruction classes (lambda: issue, Lambda: completion latency, in "
                         "cycles)\n");
    ps_table_keep_rows(table);
    ps_table_print(table, 2, out);
    for (guint i = 0; i < gpu->defaults->len; i++) {
        const PsDefaultClass *other = gpu->defaults->pdata[i];
        const gboolean any = strcmp(other->kind, "unknown") == 0;
        g_string_append_printf(out, "  any other %s%sinstruction: as %s, with a warning\n",
                               any ? "" : other->kind, any ? "" : " ", other->class_name);
    }
}

/* ---- peaks --------------------------------------------------------------------------------- */

/* In 10^9 operations or bytes per second; nothing where it is not known. */
static char *format_peak(double rate)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return isnan(rate) ? g_strdup("") : g_strdup(g_ascii_formatd(text, sizeof text, "%.7g", rate));
}

/* Where a peak comes from, and whose figure that is. */
static void add_origin(PsTable *table, const PsGpu *gpu, PsPeakKind kind, PsPeakOrigin origin)
{
    const PsPeak *peak = ps_gpu_peak(gpu, ps_peak_kind_name(kind));
    const PsMemoryLevel *level = ps_peak_level(gpu, kind);
    if (origin == PS_PEAK_DERIVED)
        ps_table_add(table, g_strdup_printf("lambda of %s", ps_peak_class(gpu, kind)->name));
    else if (level && !(peak && peak->value.num))
        ps_table_add(table, g_strdup_printf("level %s", ps_level_name(level->level)));
    else
        ps_table_add(table, g_strdup(origin == PS_PEAK_STATED ? "stated" : "data sheet"));
    ps_table_add(table, show_source(gpu, figures_peak_source(gpu, kind, origin)));
}

static void add_peak(PsTable *table, const PsGpu *gpu, const PsPeaks *peaks, PsPeakKind kind)
{
    const char *name = ps_peak_kind_name(kind);
    const PsPeak *peak = ps_gpu_peak(gpu, name);
    const gboolean vendor = peak && peak->datasheet.num;
    ps_table_add(table, g_strdup(name));
    ps_table_add(table, format_peak(peaks->value[kind] / 1e9));
    ps_table_add(table, g_strdup(name[0] == 'B' ? "GB/s" : "Gop/s"));
    add_origin(table, gpu, kind, peaks->origin[kind]);
    ps_table_add(table, format_peak(vendor ? ps_rational_to_double(peak->datasheet) : NAN));
}

/* Those of matrix products by type, as they are stated. FALSE where there is none. */
static gboolean add_product_peaks(PsTable *table, const PsGpu *gpu)
{
    const double scale =
        ps_rational_to_double(ps_gpu_usual_clock(gpu)) / ps_rational_to_double(gpu->clock);
    gboolean any = FALSE;
    for (guint i = 0; i < gpu->peaks->len; i++) {
        const PsPeak *peak = gpu->peaks->pdata[i];
        if (!g_str_has_prefix(peak->name, "T_tensor."))
            continue;
        const gboolean stated = peak->value.num > 0;
        ps_table_add(table, g_strdup(peak->name));
        ps_table_add(table, format_peak(scale * ps_rational_to_double(stated ? peak->value
                                                                             : peak->datasheet)));
        ps_table_add(table, g_strdup("Gop/s"));
        ps_table_add(table, g_strdup(stated ? "stated" : "data sheet"));
        ps_table_add(table, show_source(gpu, peak->source));
        ps_table_add(
            table, format_peak(peak->datasheet.num ? ps_rational_to_double(peak->datasheet) : NAN));
        any = TRUE;
    }
    return any;
}

/* Those of Table 3 of the quantitative roofline that a kernel may need in vain. */
static void show_unknown(const PsPeaks *peaks, GString *out)
{
    static const PsPeakKind needed[] = {PS_T_SP, PS_T_DP, PS_T_INT, PS_T_ADD, PS_T_LDST, PS_B_MEM};
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (isnan(peaks->value[needed[i]]))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "",
                                   ps_peak_kind_name(needed[i]));
    if (names->len)
        g_string_append_printf(out, "  not known: %s\n", names->str);
}

static void show_peaks(const PsGpu *gpu, GString *out)
{
    static const char *const head[] = {"", "", "", "origin", "source", "data sheet"};
    g_autoptr(PsTable) table = ps_table_new("lrlllr");
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    gboolean any = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(head); i++)
        ps_table_add(table, g_strdup(head[i]));
    for (guint kind = 0; kind < PS_N_PEAKS; kind++) {
        const gboolean known = !isnan(peaks.value[kind]);
        if (known)
            add_peak(table, gpu, &peaks, (PsPeakKind)kind);
        any |= known;
        if (kind == PS_T_TENSOR)
            any |= add_product_peaks(table, gpu);
    }
    g_autofree char *clock = ps_format_clock(gpu, ps_gpu_usual_clock(gpu));
    g_string_append_printf(out, "\nPeaks at %s\n", clock);
    if (any)
        ps_table_print(table, 2, out);
    show_unknown(&peaks, out);
}

char *show_model(const PsGpu *gpu)
{
    PsRefinements refinements;
    g_autoptr(GError) error = NULL;
    if (!ps_refinements_resolve(gpu, NULL, &refinements, &error))
        return g_strdup(error->message);
    return ps_sentence_refinements(&refinements);
}

char *show_title(const PsGpu *gpu)
{
    return g_strdup_printf("%s%s%s%s%s", gpu->name, gpu->architecture ? ", " : "",
                           gpu->architecture ? gpu->architecture : "", gpu->vendor ? ", " : "",
                           gpu->vendor ? gpu->vendor : "");
}

void show_gpu(const PsGpu *gpu, GString *out)
{
    g_autofree char *title = show_title(gpu), *model = show_model(gpu);
    g_string_append_printf(out, "GPU %s\n", title);
    show_path(gpu->path, out);
    show_part(gpu, PART_CHIP, out);
    show_part(gpu, PART_LIMITS, out);
    show_memory(gpu, out);
    show_pipelines(gpu, out);
    show_classes(gpu, out);
    show_peaks(gpu, out);
    show_part(gpu, PART_OVERHEADS, out);
    if (*model) {
        g_string_append(out, "\nModel, unless options say otherwise\n");
        ps_wrap_text(out, "  ", model);
    }
    show_sources(gpu->sources, "Sources", out);
}
