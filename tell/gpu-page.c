/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs' descriptions as text, from their facts. See gpu-described.h. */
#include "tell/format.h"
#include "tell/gpu-described.h"
#include "tell/gpu-parts.h"
#include "tell/view.h"

#include <string.h>

/* ---- one, and what both have --------------------------------------------------------------- */

static char *title_of(const PsGpu *gpu)
{
    return g_strdup_printf("%s%s%s%s%s", gpu->name, gpu->architecture ? ", " : "",
                           gpu->architecture ? gpu->architecture : "", gpu->vendor ? ", " : "",
                           gpu->vendor ? gpu->vendor : "");
}

/* Peaks are those at the clock of answers. */
static char *heading_of(const PsGpu *gpu, PsGpuPart part)
{
    g_autofree char *clock = ps_format_clock(gpu, ps_gpu_usual_clock(gpu));
    return part == PS_GPU_PART_PEAKS ? g_strdup_printf("%s at %s", ps_gpu_part_title(part), clock)
                                     : g_strdup(ps_gpu_part_title(part));
}

/* The facts of one part alone; none if the description lacks it. */
static PsTold *part_of(const PsGpu *gpu, PsGpuPart part)
{
    PsTold *facts = ps_told_new();
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS_PARTS);
    ps_tell_gpu_part(gpu, part, facts);
    ps_tell_close(facts);
    return facts;
}

static void put_part(const PsGpu *gpu, PsGpuPart part, const PsPaper *paper)
{
    g_autoptr(PsTold) facts = part_of(gpu, part);
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_GPU_PART_PAGE, facts, NULL, FALSE);
    g_autofree char *heading = heading_of(gpu, part);
    if (!ps_table_has_rows(table))
        return;
    ps_paper_heading(paper, heading);
    ps_paper_table(paper, table, 2);
}

static void put_classes(const PsGpu *gpu, const PsTold *facts, const PsPaper *paper)
{
    if (!gpu->classes->len)
        ps_paper_heading(paper,
                         "No instruction classes: for the roofline only, not for simulation");
    ps_paper_view(paper, PS_VIEW_GPU_CLASSES_PAGE, facts, NULL, NULL);
    for (guint i = 0; i < gpu->defaults->len; i++) {
        const PsDefaultClass *other = gpu->defaults->pdata[i];
        const gboolean any = strcmp(other->kind, "unknown") == 0;
        g_autofree char *text =
            g_strdup_printf("any other %s%sinstruction: as %s, with a warning",
                            any ? "" : other->kind, any ? "" : " ", other->class_name);
        ps_paper_text(paper, "  ", text);
    }
}

static void put_model(const PsTold *facts, const char *first, const PsPaper *paper)
{
    const char *model = ps_told_text(facts, PS_FACT_SHOWN_GPUS_MODEL);
    ps_paper_text(paper, first, model ? model : "as published");
}

void ps_put_path(const char *path, const PsPaper *paper)
{
    const gboolean from_input = strcmp(path, "-") == 0;
    g_autofree char *text = g_strconcat("read from ", from_input ? "standard input" : path, NULL);
    ps_paper_line(paper, text);
}

void ps_put_sources(const GPtrArray *sources, const char *title, const PsPaper *paper)
{
    if (sources->len)
        ps_paper_heading(paper, title);
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = sources->pdata[i];
        g_autofree char *text = g_strdup_printf(
            "%s%s%s%s%s: %s", source->id ? source->id : "", source->id ? ", " : "",
            ps_source_kind_name(source->kind), source->family ? ", of the family " : "",
            source->family ? source->family : "", source->text);
        ps_paper_text(paper, "  - ", text);
    }
}

void ps_gpu_page(const PsGpu *gpu, const PsPaper *paper)
{
    g_autoptr(PsTold) facts = ps_gpus_described(gpu, NULL);
    g_autofree char *title = title_of(gpu);
    g_autofree char *named = g_strconcat("GPU ", title, NULL);
    ps_paper_title(paper, named, "");
    ps_put_path(gpu->path, paper);
    for (PsGpuPart part = 0; part < PS_N_GPU_PARTS; part++)
        if (part == PS_GPU_PART_RATES)
            put_classes(gpu, facts, paper);
        else if (part != PS_GPU_PART_COMPLETIONS)
            put_part(gpu, part, paper);
    ps_paper_heading(paper, "Model, unless options say otherwise");
    put_model(facts, "  ", paper);
    ps_put_sources(gpu->sources, "Sources", paper);
}

/* ---- two ----------------------------------------------------------------------------------- */

/* A figure of one side; members are NULL if the side lacks it. */
typedef struct {
    const PsFact *name, *words, *value, *seconds, *unit, *source;
} Figure;

static const PsFact *fact_of(const PsViewRow *row, guint16 number)
{
    const PsViewColumn column = {.facts = {number, PS_VIEW_NO_FACT}, .within = PS_VIEW_NO_FACT};
    const PsFact *fact = row ? ps_view_fact(row, &column, 0) : NULL;
    return fact && fact->known ? fact : NULL;
}

static Figure figure_of(const PsViewRow *row)
{
    return (Figure){fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_NAME.n),
                    fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_WORDS.n),
                    fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_VALUE.n),
                    fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_SECONDS.n),
                    fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_UNIT.n),
                    fact_of(row, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_SOURCE.n)};
}

static char *text_of(const PsFact *fact, const char *without)
{
    return g_strdup(fact ? fact->value.text : without);
}

/* "=" for equal texts, so that differences stand out. Times are compared in seconds. */
static char *ratio_of(const Figure *a, const Figure *b)
{
    if (!a->words || !b->words)
        return g_strdup("-");
    if (strcmp(a->words->value.text, b->words->value.text) == 0)
        return g_strdup("=");
    const gboolean times = a->seconds && b->seconds;
    const double from = ps_fact_number(times ? a->seconds : a->value);
    const double to = ps_fact_number(times ? b->seconds : b->value);
    const gboolean alike = !a->seconds == !b->seconds;
    return alike && from > 0 && to >= 0 ? ps_format_number(to / from) : g_strdup("differs");
}

static void add_pair(PsTable *table, gboolean sources, const PsViewRow *row_a,
                     const PsViewRow *row_b)
{
    const Figure a = figure_of(row_a), b = figure_of(row_b);
    if (!a.words && !b.words)
        return;
    ps_table_add(table, text_of(a.name ? a.name : b.name, ""));
    ps_table_add(table, text_of(a.words, "-"));
    ps_table_add(table, text_of(b.words, "-"));
    ps_table_add(table, ratio_of(&a, &b));
    ps_table_add(table, text_of(a.unit ? a.unit : b.unit, ""));
    if (!sources)
        return;
    ps_table_add(table, text_of(a.source, ""));
    ps_table_add(table, text_of(b.source, ""));
}

/* The place of the row with that key; the number of rows: there is none. */
static guint place_of(const GArray *rows, const char *key)
{
    guint i = 0;
    while (i < rows->len && g_strcmp0(ps_view_key(&g_array_index(rows, PsViewRow, i)), key) != 0)
        i++;
    return i;
}

/* Adds the rows that only B has, from that row up to the next one of both. */
static void add_others(PsTable *table, gboolean sources, const GArray *a, const GArray *b,
                       guint from)
{
    for (; from < b->len; from++) {
        const PsViewRow *row = &g_array_index(b, PsViewRow, from);
        if (place_of(a, ps_view_key(row)) < a->len)
            return;
        add_pair(table, sources, NULL, row);
    }
}

/* Adds A's rows in order; a row that only B has stands behind its predecessor. */
static void add_pairs(PsTable *table, gboolean sources, const GArray *a, const GArray *b)
{
    add_others(table, sources, a, b, 0);
    for (guint i = 0; i < a->len; i++) {
        const PsViewRow *row = &g_array_index(a, PsViewRow, i);
        const guint place = place_of(b, ps_view_key(row));
        add_pair(table, sources, row, place < b->len ? &g_array_index(b, PsViewRow, place) : NULL);
        add_others(table, sources, a, b, place + 1);
    }
}

static PsTable *new_table(gboolean sources)
{
    static const char *const heads[] = {"", "A", "B", "B / A", "", "source of A", "source of B"};
    PsTable *table = ps_table_new(sources ? "lrrrlll" : "lrrrl");
    ps_table_keep_rows(table);
    for (guint i = 0; i < (sources ? 7 : 5); i++)
        ps_table_add(table, g_strdup(heads[i]));
    return table;
}

static void put_both(const PsGpu *gpus[2], PsGpuPart part, gboolean sources, const PsPaper *paper)
{
    const PsView *view = &ps_views[PS_VIEW_GPU_PART_PAGE];
    g_autoptr(PsTold) told_a = part_of(gpus[0], part), told_b = part_of(gpus[1], part);
    g_autoptr(GArray) a = ps_view_rows(view, told_a), b = ps_view_rows(view, told_b);
    g_autoptr(PsTable) table = new_table(sources);
    g_autofree char *clock_a = ps_format_clock(gpus[0], ps_gpu_usual_clock(gpus[0])),
                    *clock_b = ps_format_clock(gpus[1], ps_gpu_usual_clock(gpus[1]));
    g_autofree char *peaks = g_strdup_printf("Peaks (A at %s, B at %s)", clock_a, clock_b);
    add_pairs(table, sources, a, b);
    if (!ps_table_has_rows(table))
        return;
    ps_paper_heading(paper, part == PS_GPU_PART_PEAKS ? peaks : ps_gpu_part_title(part));
    ps_paper_table(paper, table, 2);
}

static void put_name(const PsGpu *gpu, const char *first, const PsPaper *paper)
{
    g_autofree char *title = title_of(gpu);
    g_autofree char *text = g_strdup_printf("%s; %s", title, gpu->path);
    ps_paper_text(paper, first, text);
}

void ps_gpus_beside(const PsGpu *a, const PsGpu *b, gboolean sources, const PsPaper *paper)
{
    const PsGpu *gpus[] = {a, b};
    g_autoptr(PsTold) told_a = ps_gpus_described(a, NULL), told_b = ps_gpus_described(b, NULL);
    put_name(a, "A  ", paper);
    put_name(b, "B  ", paper);
    for (PsGpuPart part = 0; part < PS_N_GPU_PARTS; part++)
        put_both(gpus, part, sources, paper);
    ps_paper_heading(paper, "Model, unless options say otherwise");
    put_model(told_a, "  A  ", paper);
    put_model(told_b, "  B  ", paper);
    if (!sources)
        return;
    ps_put_sources(a->sources, "Sources of A", paper);
    ps_put_sources(b->sources, "Sources of B", paper);
}
