/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two GPUs side by side: each figure of both, and what B's is of A's. What only one of them states
 * has a dash for the other.
 */
#include "cli/show/show.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

typedef struct {
    const PsGpu *a, *b;
    gboolean sources; /* with two more columns */
    GString *out;
} Pair;

static PsTable *new_table(const Pair *pair)
{
    const char *const head[] = {"", "A", "B", "B / A", "", "source of A", "source of B"};
    PsTable *table = ps_table_new(pair->sources ? "lrrrlll" : "lrrrl");
    ps_table_keep_rows(table);
    for (guint i = 0; i < (pair->sources ? 7 : 5); i++)
        ps_table_add(table, g_strdup(head[i]));
    return table;
}

/* Either is NAN where it is not known, or no number. */
static char *ratio_of(double a, double b)
{
    return isnan(a) || isnan(b) || !(a > 0) ? g_strdup("differs") : ps_format_number(b / a);
}

/* "=" where the texts are the same, so that what differs stands out. */
static char *compare_figures(const Figure *a, const Figure *b)
{
    if (!a || !b)
        return g_strdup("-");
    if (strcmp(a->value, b->value) == 0)
        return g_strdup("=");
    return a->is_time == b->is_time ? ratio_of(a->number, b->number) : g_strdup("differs");
}

static void add_sources(PsTable *table, const Pair *pair, const char *a, const char *b)
{
    if (!pair->sources)
        return;
    ps_table_add(table, show_source(pair->a, a));
    ps_table_add(table, show_source(pair->b, b));
}

/* One of them may be NULL; either is the one that is there. */
static void add_figures(PsTable *table, const Pair *pair, const Figure *a, const Figure *b,
                        const Figure *either)
{
    ps_table_add(table, g_strdup(either->name));
    ps_table_add(table, g_strdup(a ? a->value : "-"));
    ps_table_add(table, g_strdup(b ? b->value : "-"));
    ps_table_add(table, compare_figures(a, b));
    ps_table_add(table, g_strdup(either->unit));
    add_sources(table, pair, a ? a->source : NULL, b ? b->source : NULL);
}

/* The names of both, each once: A's in its order, and what only B has behind what stands before it
 * there (g_queue_free). They are borrowed. */
static GQueue *all_names(const GPtrArray *a, const GPtrArray *b)
{
    GQueue *all = g_queue_new();
    g_autoptr(GHashTable) links = g_hash_table_new(g_str_hash, g_str_equal);
    GList *before = NULL;
    for (guint i = 0; i < a->len; i++) {
        g_queue_push_tail(all, a->pdata[i]);
        g_hash_table_insert(links, a->pdata[i], all->tail);
    }
    for (guint i = 0; i < b->len; i++) {
        GList *link = g_hash_table_lookup(links, b->pdata[i]);
        if (!link) {
            g_queue_insert_after(all, before, b->pdata[i]);
            link = before ? before->next : all->head;
            g_hash_table_insert(links, b->pdata[i], link);
        }
        before = link;
    }
    return all;
}

/* Figures by their names, and these in their order, as `names`. */
static GHashTable *by_name(const GPtrArray *figures, GPtrArray *names)
{
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < figures->len; i++) {
        Figure *figure = figures->pdata[i];
        g_hash_table_insert(table, figure->name, figure);
        g_ptr_array_add(names, figure->name);
    }
    return table;
}

/* Peaks are those at the clock that answers are for. */
static char *both_clocks(const Pair *pair)
{
    g_autofree char *a = ps_format_clock(pair->a, ps_gpu_usual_clock(pair->a));
    g_autofree char *b = ps_format_clock(pair->b, ps_gpu_usual_clock(pair->b));
    return g_strdup_printf(" (A at %s, B at %s)", a, b);
}

static void show_both(const Pair *pair, Part part)
{
    g_autoptr(GPtrArray) figures_a = figures_of(pair->a, part);
    g_autoptr(GPtrArray) figures_b = figures_of(pair->b, part);
    g_autoptr(GPtrArray) names_a = g_ptr_array_new(), names_b = g_ptr_array_new();
    g_autoptr(GHashTable) a = by_name(figures_a, names_a), b = by_name(figures_b, names_b);
    g_autoptr(GQueue) all = all_names(names_a, names_b);
    g_autoptr(PsTable) table = new_table(pair);
    if (!all->length)
        return;
    for (const GList *name = all->head; name; name = name->next) {
        const Figure *of_a = g_hash_table_lookup(a, name->data);
        const Figure *of_b = g_hash_table_lookup(b, name->data);
        add_figures(table, pair, of_a, of_b, of_a ? of_a : of_b);
    }
    g_autofree char *clocks = part == PART_PEAKS ? both_clocks(pair) : g_strdup("");
    g_string_append_printf(pair->out, "\n%s%s\n", figures_title(part), clocks);
    ps_table_print(table, 2, pair->out);
}

/* ---- classes ------------------------------------------------------------------------------- */

static const PsClass *class_called(const PsGpu *gpu, const char *name)
{
    PsMatch match;
    const PsClass *class = ps_gpu_class(gpu, name, &match);
    return class && match == PS_MATCH_EXACT ? class : NULL;
}

/* What a compute unit does per cycle, or the completion latency, NAN where there is no class. */
static double class_figure(const PsGpu *gpu, const PsClass *class, gboolean rate)
{
    if (!class)
        return NAN;
    return rate ? ps_gpu_class_rate(gpu, class) : ps_rational_to_double(class->latency.completion);
}

static void add_class(PsTable *table, const Pair *pair, const char *name, gboolean rate)
{
    const PsClass *const a = class_called(pair->a, name), *const b = class_called(pair->b, name);
    const double of_a = class_figure(pair->a, a, rate), of_b = class_figure(pair->b, b, rate);
    ps_table_add(table, g_strdup(name));
    ps_table_add(table, isnan(of_a) ? g_strdup("-") : ps_format_number(of_a));
    ps_table_add(table, isnan(of_b) ? g_strdup("-") : ps_format_number(of_b));
    if (!a || !b)
        ps_table_add(table, g_strdup("-"));
    else
        ps_table_add(table, of_a == of_b ? g_strdup("=") : ratio_of(of_a, of_b));
    ps_table_add(table, g_strdup(""));
    add_sources(table, pair, a ? a->source : NULL, b ? b->source : NULL);
}

static GPtrArray *class_names(const PsGpu *gpu)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < gpu->classes->len; i++)
        g_ptr_array_add(names, ((const PsClass *)gpu->classes->pdata[i])->name);
    return names;
}

/* Latencies of a pipeline per scheduler and of one for all, or of warps of 32 and 64, say little
 * beside each other; what a compute unit does per cycle can be compared. */
static void show_classes(const Pair *pair, const char *title, gboolean rate)
{
    g_autoptr(GPtrArray) a = class_names(pair->a), b = class_names(pair->b);
    g_autoptr(GQueue) all = all_names(a, b);
    g_autoptr(PsTable) table = new_table(pair);
    if (!all->length)
        return;
    for (const GList *name = all->head; name; name = name->next)
        add_class(table, pair, name->data, rate);
    g_string_append_printf(pair->out, "\n%s\n", title);
    ps_table_print(table, 2, pair->out);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void put_title(const PsGpu *gpu, const char *first, GString *out)
{
    g_autofree char *title = show_title(gpu);
    g_autofree char *text = g_strdup_printf("%s; %s", title, gpu->path);
    ps_wrap_text(out, first, text);
}

static void put_model(const PsGpu *gpu, const char *first, GString *out)
{
    g_autofree char *model = show_model(gpu);
    ps_wrap_text(out, first, *model ? model : "as published");
}

void show_two(const PsGpu *a, const PsGpu *b, gboolean sources, GString *out)
{
    const Pair pair = {a, b, sources, out};
    put_title(a, "A  ", out);
    put_title(b, "B  ", out);
    for (guint part = 0; part < N_PARTS; part++)
        show_both(&pair, (Part)part);
    show_classes(&pair, "Instruction classes: instructions of threads per cycle and CU", TRUE);
    show_classes(&pair, "Instruction classes: completion latency in cycles", FALSE);
    g_string_append(out, "\nModel, unless options say otherwise\n");
    put_model(a, "  A  ", out);
    put_model(b, "  B  ", out);
    if (!sources)
        return;
    show_sources(a->sources, "Sources of A", out);
    show_sources(b->sources, "Sources of B", out);
}
