/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the critical path's rows by class and kind, by source line, and by pipeline. See
 * explain.h. */
#include "answer/answer-private.h"
#include "sass/image.h"

/* ---- what is charged to the same ----------------------------------------------------------- */

/* Ticks that belong to no class come behind the classes; launches are one such row. */
static guint rank_of(const PsExplainShare *share)
{
    return share->kind == PS_PATH_DRAIN                                       ? 2
           : share->kind == PS_PATH_PLACE                                     ? 3
           : share->kind == PS_PATH_LAUNCH || share->class_index == G_MAXUINT ? 1
                                                                              : 0;
}

static PsExplainKey key_of_class(const PsAnswer *answer, const PsExplainShare *share)
{
    static const guint order[PS_PATH_N_KINDS] = {
        [PS_PATH_BARRIER] = 0, [PS_PATH_COMPLETION] = 1, [PS_PATH_PIPELINE] = 2,
        [PS_PATH_PORT] = 3,    [PS_PATH_MEMORY] = 4,     [PS_PATH_HOLD] = 5};
    if (rank_of(share))
        return (PsExplainKey){.rank = rank_of(share)};
    return (PsExplainKey){.name = answer->machine->classes[share->class_index].asked,
                          .order = order[share->kind],
                          .warp = share->kind == PS_PATH_BARRIER ? share->warp : 0};
}

static PsExplainKey key_of_pipeline(const PsAnswer *answer, const PsExplainShare *share)
{
    if (share->kind == PS_PATH_PORT || share->pipeline == G_MAXUINT)
        return (PsExplainKey){.rank = share->kind == PS_PATH_PORT ? 1 : 2};
    const PsPipeline *pipeline = answer->gpu->pipelines->pdata[share->pipeline];
    return (PsExplainKey){.name = pipeline->name};
}

PsExplainKey ps_explain_key(const PsAnswer *answer, const PsExplainShare *share, PsExplainBy by)
{
    return by == PS_EXPLAIN_BY_CLASS  ? key_of_class(answer, share)
           : by == PS_EXPLAIN_BY_LINE ? (PsExplainKey){.rank = !share->line, .name = share->line}
                                      : key_of_pipeline(answer, share);
}

static int compare_numbers(guint x, guint y)
{
    return (x > y) - (x < y);
}

int ps_explain_compare(const PsExplainKey *x, const PsExplainKey *y)
{
    const int by_rank = compare_numbers(x->rank, y->rank);
    const int by_name = by_rank ? by_rank : g_strcmp0(x->name, y->name);
    const int by_kind = by_name ? by_name : compare_numbers(x->order, y->order);
    return by_kind ? by_kind : compare_numbers(x->warp, y->warp);
}

/* ---- shares -------------------------------------------------------------------------------- */

static void free_share(void *data)
{
    PsExplainShare *share = data;
    g_free(share->line);
    g_free(share);
}

/* The quantity that is summed, and its key. */
typedef struct {
    const PsAnswer *answer;
    PsExplainBy by;
} Sum;

static int compare_shares(const Sum *sum, const PsExplainShare *x, const PsExplainShare *y)
{
    const PsExplainKey first = ps_explain_key(sum->answer, x, sum->by);
    const PsExplainKey second = ps_explain_key(sum->answer, y, sum->by);
    return ps_explain_compare(&first, &second);
}

static const PsIdgItem *item_of(const PsAnswer *answer, guint program, guint node)
{
    return answer->kernel->programs[program].nodes[node].item;
}

/* Adds a row to its share. Rows come longest first. */
static void add_to_share(const Sum *sum, GPtrArray *shares, const PsPathRow *row)
{
    g_autofree char *line =
        sum->by == PS_EXPLAIN_BY_LINE ? ps_explain_line(sum->answer, row) : NULL;
    const PsExplainShare one = {.kind = row->kind,
                                .class_index = row->class_index,
                                .pipeline = row->pipeline,
                                .warp = row->warp,
                                .line = line,
                                .program = row->program,
                                .node = row->node};
    PsExplainShare *share = NULL;
    for (guint i = 0; i < shares->len && !share; i++)
        if (compare_shares(sum, shares->pdata[i], &one) == 0)
            share = shares->pdata[i];
    if (!share) {
        share = g_memdup2(&one, sizeof one);
        share->line = g_strdup(line);
        g_ptr_array_add(shares, share);
    }
    share->ticks += row->ticks;
    if (line && item_of(sum->answer, row->program, row->node)->near)
        share->near += row->ticks;
    share->times += row->times;
}

/* Equal rows are ordered by name; rows without a name come last. */
static int longest_first(gconstpointer a, gconstpointer b, gpointer sum)
{
    const PsExplainShare *x = *(PsExplainShare *const *)a, *y = *(PsExplainShare *const *)b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return compare_shares(sum, x, y);
}

static GPtrArray *sum_by(const PsAnswer *answer, const GPtrArray *rows, PsExplainBy by)
{
    GPtrArray *shares = g_ptr_array_new_with_free_func(free_share);
    const gint64 ticks = answer->result.ticks;
    Sum sum = {answer, by};
    for (guint i = 0; i < rows->len; i++)
        if (((const PsPathRow *)rows->pdata[i])->ticks > 0)
            add_to_share(&sum, shares, rows->pdata[i]);
    for (guint i = 0; i < shares->len; i++) {
        PsExplainShare *share = shares->pdata[i];
        share->share = ticks ? (double)share->ticks / (double)ticks : 0;
    }
    g_ptr_array_sort_with_data(shares, longest_first, &sum);
    return shares;
}

char *ps_item_line(const PsIdg *idg, const PsIdgItem *item)
{
    const char *file = item->file ? item->file : idg->file;
    if (item->source_line == 0)
        return NULL;
    g_autofree char *clean = file ? ps_text_clean(file) : g_strdup("?");
    return g_strdup_printf("%s:%d", clean, item->source_line);
}

char *ps_explain_line(const PsAnswer *answer, const PsPathRow *row)
{
    return row->node == G_MAXUINT
               ? NULL
               : ps_item_line(answer->idg, item_of(answer, row->program, row->node));
}

/* ---- places -------------------------------------------------------------------------------- */

PsNodePlace ps_answer_place(const PsAnswer *answer, guint program, guint node)
{
    if (node == G_MAXUINT)
        return (PsNodePlace){.address = -1};
    const PsIdgItem *item = item_of(answer, program, node);
    return (PsNodePlace){ps_item_line(answer->idg, item),
                         item->via ? ps_text_clean(item->via) : NULL, item->near, item->name,
                         item->instruction ? (gint64)(item->instruction - 1) * PS_SASS_BYTES : -1};
}

void ps_node_place_clear(PsNodePlace *place)
{
    g_clear_pointer(&place->line, g_free);
    g_clear_pointer(&place->via, g_free);
}

gboolean ps_answer_has_lines(const PsAnswer *answer)
{
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++)
            if (item_of(answer, p, n)->source_line > 0)
                return TRUE;
    return FALSE;
}

/* ---- figures ------------------------------------------------------------------------------- */

gboolean ps_explain_launch(const PsAnswer *answer, PsRational *launch, PsRational *whole)
{
    const PsMachine *machine = answer->machine;
    return machine->kernel_launch.num > 0 &&
           ps_rational_mul(machine->kernel_launch, machine->clock, launch) &&
           ps_rational_add(*launch, ps_machine_cycles(machine, answer->result.ticks), whole);
}

double ps_explain_path_share(const PsAnswer *answer, PsPathKind kind, guint class_index)
{
    const GPtrArray *shares = answer->explain ? answer->explain->by_class : NULL;
    double sum = 0;
    for (guint i = 0; shares && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if ((kind == PS_PATH_N_KINDS || kind == share->kind) &&
            (class_index == G_MAXUINT || class_index == share->class_index))
            sum += share->share;
    }
    return sum;
}

double ps_explain_barrier_share(const PsExplain *explain)
{
    double share = 0;
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        if (row->kind == PS_WAIT_BARRIER)
            share += ps_explain_wait_share(explain, row);
    }
    return share;
}

double ps_explain_wait_share(const PsExplain *explain, const PsWaitRow *row)
{
    return explain->warp_ticks > 0 ? row->ticks / explain->warp_ticks : 0;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void fit_waits(PsExplain *explain, double factor)
{
    for (guint i = 0; i < explain->waits->len; i++)
        ((PsWaitRow *)explain->waits->pdata[i])->ticks *= factor;
    for (guint i = 0; i < explain->node_waits->len; i++)
        g_array_index(explain->node_waits, PsNodeWait, i).ticks *= factor;
}

/* Changes rows of so many ticks to add up to another number: what rounding takes from one, the next
 * gets. */
static void fit_rows(const GPtrArray *rows, gint64 from, gint64 to)
{
    __extension__ __int128 sum = 0;
    gint64 before = 0;
    for (guint i = 0; i < rows->len; i++) {
        PsPathRow *row = rows->pdata[i];
        sum += row->ticks;
        const gint64 after = (gint64)(sum * to / from);
        row->ticks = after - before;
        before = after;
    }
}

static void explain_path(PsExplain *explain, const PsAnswer *answer, gint64 seen, PsPath *path)
{
    g_autoptr(GError) error = NULL;
    explain->path = ps_path_rows(path, seen, &error);
    if (!explain->path) {
        explain->problem = g_strdup(error->message);
        return;
    }
    if (seen != answer->result.ticks)
        fit_rows(explain->path, seen, answer->result.ticks);
    for (guint i = 0; i < explain->path->len; i++) {
        const PsPathRow *row = explain->path->pdata[i];
        explain->places += row->kind == PS_PATH_PLACE ? row->times : 0;
    }
    explain->by_class = sum_by(answer, explain->path, PS_EXPLAIN_BY_CLASS);
    explain->by_line = sum_by(answer, explain->path, PS_EXPLAIN_BY_LINE);
    explain->by_pipeline = sum_by(answer, explain->path, PS_EXPLAIN_BY_PIPELINE);
}

PsExplain *ps_explain_new(const PsAnswer *answer, const PsSimResult *seen, PsPath *path,
                          const PsWaits *waits)
{
    PsExplain *explain = g_new0(PsExplain, 1);
    const gint64 ticks = seen->ticks;
    explain->simulated = seen->simulated;
    explain_path(explain, answer, ticks, path);
    explain->waits = ps_waits_rows(waits, ticks);
    explain->node_waits = ps_waits_of_nodes(waits);
    if (ticks != answer->result.ticks)
        fit_waits(explain, (double)answer->result.ticks / (double)ticks);
    for (guint i = 0; i < explain->waits->len; i++)
        explain->warp_ticks += ((const PsWaitRow *)explain->waits->pdata[i])->ticks;
    explain->n_occupancy = ticks > 0 ? PS_EXPLAIN_PARTS : 0;
    explain->occupancy = g_new0(double, PS_EXPLAIN_PARTS);
    if (ticks > 0)
        ps_waits_occupancy(waits, ticks, explain->n_occupancy, explain->occupancy);
    explain->tail = ps_waits_tail(waits, ticks);
    return explain;
}

void ps_explain_free(PsExplain *explain)
{
    if (!explain)
        return;
    GPtrArray *const arrays[] = {explain->path, explain->by_class, explain->by_line,
                                 explain->by_pipeline, explain->waits};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_ptr_array_unref(arrays[i]);
    if (explain->node_waits)
        g_array_unref(explain->node_waits);
    ps_role_table_free(explain->roles);
    g_free(explain->occupancy);
    g_free(explain->problem);
    g_free(explain);
}
