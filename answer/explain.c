/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of the critical path's rows under names. See explain.h. */
#include "answer/explain.h"

#include <string.h>

/* ---- shares -------------------------------------------------------------------------------- */

static void free_share(void *data)
{
    ExplainShare *share = data;
    g_free(share->name);
    g_free(share);
}

/* Adds a row to the share of that name (taken). Rows come longest first. */
static void add_to_share(GPtrArray *shares, GHashTable *by_name, char *name, const PsPathRow *row)
{
    ExplainShare *share = g_hash_table_lookup(by_name, name);
    if (!share) {
        share = g_new0(ExplainShare, 1);
        *share = (ExplainShare){.name = name,
                                .kind = row->kind,
                                .class_ = row->class_,
                                .pipeline = row->pipeline,
                                .warp = row->warp};
        g_ptr_array_add(shares, share);
        g_hash_table_insert(by_name, name, share);
    } else {
        g_free(name);
    }
    share->ticks += row->ticks;
    share->times += row->times;
}

static int longest_first(gconstpointer a, gconstpointer b)
{
    const ExplainShare *x = *(ExplainShare *const *)a, *y = *(ExplainShare *const *)b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return strcmp(x->name, y->name);
}

typedef char *(*NameOf)(const Answer *answer, const PsPathRow *row);

static GPtrArray *sum_by(const Answer *answer, const GPtrArray *rows, NameOf name_of)
{
    GPtrArray *shares = g_ptr_array_new_with_free_func(free_share);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++)
        if (((const PsPathRow *)rows->pdata[i])->ticks > 0)
            add_to_share(shares, by_name, name_of(answer, rows->pdata[i]), rows->pdata[i]);
    for (guint i = 0; i < shares->len; i++) {
        ExplainShare *share = shares->pdata[i];
        share->share =
            answer->result.ticks ? (double)share->ticks / (double)answer->result.ticks : 0;
    }
    g_ptr_array_sort(shares, longest_first);
    return shares;
}

gboolean explain_launch(const Answer *answer, PsRational *launch, PsRational *whole)
{
    const PsMachine *machine = answer->machine;
    return machine->kernel_launch.num > 0 &&
           ps_rational_mul(machine->kernel_launch, machine->clock, launch) &&
           ps_rational_add(*launch, ps_machine_cycles(machine, answer->result.ticks), whole);
}

/* ---- names --------------------------------------------------------------------------------- */

static char *class_name(const Answer *answer, const PsPathRow *row)
{
    if (row->kind == PS_PATH_DRAIN)
        return g_strdup("memory, after the last group");
    if (row->kind == PS_PATH_PLACE)
        return g_strdup("places of groups that ended");
    if (row->kind == PS_PATH_LAUNCH || row->class_ == G_MAXUINT)
        return g_strdup("launching groups");
    g_autofree char *asked = ps_text_clean(answer->machine->classes[row->class_].asked);
    switch (row->kind) {
    case PS_PATH_PIPELINE:
        return g_strdup_printf("%s, holding its pipeline", asked);
    case PS_PATH_PORT:
        return g_strdup_printf("%s, holding the issue port", asked);
    case PS_PATH_MEMORY:
        return g_strdup_printf("%s, waiting for memory", asked);
    case PS_PATH_BARRIER:
        return g_strdup_printf("%s, after warp %u came last", asked, row->warp);
    default:
        return g_strdup_printf("%s, completion latency", asked);
    }
}

char *explain_line_name(const Answer *answer, const PsPathRow *row)
{
    if (row->node == G_MAXUINT)
        return g_strdup(EXPLAIN_NO_LINE);
    const PsIdgItem *item = answer->kernel->programs[row->program].nodes[row->node].item;
    const char *file = item->file ? item->file : answer->idg->file;
    if (item->source_line == 0)
        return g_strdup(EXPLAIN_NO_LINE);
    g_autofree char *clean = file ? ps_text_clean(file) : g_strdup("?");
    return g_strdup_printf("%s:%d", clean, item->source_line);
}

static char *pipeline_name(const Answer *answer, const PsPathRow *row)
{
    if (row->kind == PS_PATH_PORT)
        return g_strdup("issue port");
    if (row->pipeline == G_MAXUINT)
        return g_strdup(EXPLAIN_NO_PIPELINE);
    return ps_text_clean(((const PsPipeline *)answer->gpu->pipelines->pdata[row->pipeline])->name);
}

char *explain_wait_name(const Answer *answer, const PsWaitRow *row)
{
    const gboolean queue = row->kind == PS_WAIT_QUEUE;
    g_autofree char *of = NULL;
    if (row->which != G_MAXUINT)
        of = ps_text_clean(
            queue ? ((const PsPipeline *)answer->gpu->pipelines->pdata[row->which])->name
                  : answer->machine->classes[row->which].asked);
    switch (row->kind) {
    case PS_WAIT_ISSUING:
        return of ? g_strdup_printf("issuing %s", of) : g_strdup("issuing");
    case PS_WAIT_DATA:
        return of ? g_strdup_printf("data of %s", of) : g_strdup("data");
    case PS_WAIT_QUEUE:
        return of ? g_strdup_printf("queue of pipeline %s", of) : g_strdup("queue");
    case PS_WAIT_BARRIER:
        return g_strdup("barrier");
    case PS_WAIT_DRAIN:
        return g_strdup("last results, or other warps of the group");
    case PS_WAIT_NOT_STARTED:
        return g_strdup("not started");
    default:
        return g_strdup("done");
    }
}

double explain_wait_share(const Explain *explain, const PsWaitRow *row)
{
    return explain->warp_ticks > 0 ? row->ticks / explain->warp_ticks : 0;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void explain_path(Explain *explain, const Answer *answer, PsPath *path)
{
    g_autoptr(GError) error = NULL;
    explain->path = ps_path_rows(path, answer->result.ticks, &error);
    if (!explain->path) {
        explain->problem = g_strdup(error->message);
        return;
    }
    for (guint i = 0; i < explain->path->len; i++) {
        const PsPathRow *row = explain->path->pdata[i];
        explain->places += row->kind == PS_PATH_PLACE ? row->times : 0;
    }
    explain->by_class = sum_by(answer, explain->path, class_name);
    explain->by_line = sum_by(answer, explain->path, explain_line_name);
    explain->by_pipeline = sum_by(answer, explain->path, pipeline_name);
}

Explain *explain_new(const Answer *answer, PsPath *path, const PsWaits *waits)
{
    Explain *explain = g_new0(Explain, 1);
    const gint64 ticks = answer->result.ticks;
    explain_path(explain, answer, path);
    explain->waits = ps_waits_rows(waits, ticks);
    for (guint i = 0; i < explain->waits->len; i++)
        explain->warp_ticks += ((const PsWaitRow *)explain->waits->pdata[i])->ticks;
    explain->n_occupancy = ticks > 0 ? EXPLAIN_PARTS : 0;
    explain->occupancy = g_new0(double, EXPLAIN_PARTS);
    if (ticks > 0)
        ps_waits_occupancy(waits, ticks, explain->n_occupancy, explain->occupancy);
    explain->tail = ps_waits_tail(waits, ticks);
    return explain;
}

void explain_free(Explain *explain)
{
    if (!explain)
        return;
    GPtrArray *const arrays[] = {explain->path, explain->by_class, explain->by_line,
                                 explain->by_pipeline, explain->waits};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_ptr_array_unref(arrays[i]);
    g_free(explain->occupancy);
    g_free(explain->problem);
    g_free(explain);
}
