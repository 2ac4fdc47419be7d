/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on divergence: sort a group's threads, so that those of one warp take the same way, or run
 * a loop about equally often. As many of the warps that come by take each way as threads do now,
 * and all threads together run loops as often as now. Total traffic stays: a request of a full warp
 * moves as much as the requests of the partial warps that it replaces. See kind.h.
 */
#include "advice/kind.h"

#include "advice/node-share.h"
#include "advice/parting.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* Places that are tried, at most. */
#define MOST_PLACES 3

/* A source line with all of its divergences: a compiler may repeat its code. */
typedef struct {
    char *line;
    GPtrArray *divergences; /* PsDivergence, borrowed; they may be nested */
    GHashTable *nodes;      /* PsIdgItem: the nodes in these divergences */
    GHashTable *lines;      /* ps_line_shares_new of these nodes */
    double share;           /* share of the critical path that these nodes have */
    double instances, idle; /* of these nodes: their instances, and idle threads, in warps */
    guint first_line, last_line;
} Place;

static void place_free(void *data)
{
    Place *place = data;
    g_ptr_array_unref(place->divergences);
    g_hash_table_unref(place->nodes);
    g_hash_table_unref(place->lines);
    g_free(place->line);
    g_free(place);
}

/* ---- places -------------------------------------------------------------------------------- */

typedef struct {
    const PsAnswer *answer;
    GHashTable *nodes; /* ps_node_shares of the answer */
    const PsDivergence *divergence;
    Place *place;
} Weighing;

static void weigh(const PsIdgItem *item, void *data)
{
    const Weighing *weighing = data;
    Place *place = weighing->place;
    const PsNodeShare *share = g_hash_table_lookup(weighing->nodes, item);
    if (!share || !g_hash_table_add(place->nodes, (gpointer)item))
        return;
    const PsProgramNode *node =
        &weighing->answer->kernel->programs[share->program].nodes[share->node];
    const guint kind = weighing->answer->kernel->programs[share->program].kind;
    const double count = (double)(node->count * weighing->answer->kernel->kinds[kind].share);
    place->share += share->share;
    ps_line_shares_add(place->lines, weighing->answer->kernel->idg, item, share->share);
    place->instances += count;
    place->idle += count * (1 - ps_rational_to_double(node->lanes));
    if (item->source_line <= 0 || item->near ||
        g_strcmp0(item->file, weighing->divergence->at->file) != 0)
        return;
    const guint line = (guint)item->source_line;
    place->first_line = place->first_line ? MIN(place->first_line, line) : line;
    place->last_line = MAX(place->last_line, line);
}

static void add_divergence(const PsAnswer *answer, GHashTable *nodes, Place *place,
                           PsDivergence *divergence)
{
    Weighing weighing = {answer, nodes, divergence, place};
    g_ptr_array_add(place->divergences, divergence);
    for (guint w = 0; w < divergence->ways->len; w++) {
        const PsWay *way = &g_array_index(divergence->ways, PsWay, w);
        ps_idg_visit(divergence->body, way->first, way->end, weigh, &weighing);
    }
}

static Place *place_at(GPtrArray *places, const char *line)
{
    for (guint i = 0; i < places->len; i++)
        if (g_strcmp0(((const Place *)places->pdata[i])->line, line) == 0)
            return places->pdata[i];
    Place *place = g_new0(Place, 1);
    place->line = g_strdup(line);
    place->divergences = g_ptr_array_new();
    place->nodes = g_hash_table_new(NULL, NULL);
    place->lines = ps_line_shares_new();
    g_ptr_array_add(places, place);
    return place;
}

static int largest_share_first(gconstpointer a, gconstpointer b)
{
    const Place *x = *(Place *const *)a, *y = *(Place *const *)b;
    return (x->share < y->share) - (x->share > y->share);
}

/* Places, those with most of the critical path first. */
static GPtrArray *find_places(const PsAnswer *answer, GHashTable *nodes,
                              const GPtrArray *divergences)
{
    GPtrArray *places = g_ptr_array_new_with_free_func(place_free);
    for (guint i = 0; i < divergences->len; i++) {
        PsDivergence *divergence = divergences->pdata[i];
        g_autofree char *line = ps_item_line(answer->kernel->idg, divergence->at);
        add_divergence(answer, nodes, place_at(places, line), divergence);
    }
    g_ptr_array_sort(places, largest_share_first);
    return places;
}

/* ---- warps --------------------------------------------------------------------------------- */

/* The way of one of n warps that come by: the rank-th from 0, ordered by what threads do. */
typedef struct {
    const PsKernel *kernel;
    const Place *place;
    guint code; /* code that the warp runs */
    guint rank, n;
} Sorted;

static gboolean goes(const Sorted *sorted, const PsWay *way)
{
    const double at = (sorted->rank + 0.5) / sorted->n;
    return at >= way->from && at < way->to;
}

/* Iterations of a loop in the warp of that rank: from few up to the present number, by a power of
 * the rank, so that the threads' mean stays. A warp runs as often as its last thread. */
static gint64 times_of(const Sorted *sorted, const PsIdgItem *loop, const PsWay *way)
{
    PsRational times = PS_RATIONAL_INT(0);
    ps_expr_eval(loop->times, sorted->kernel->scope, (PsPlace){"times", 0}, &times, NULL);
    const double at = (sorted->rank + 1.0) / sorted->n;
    return (gint64)ceil(ps_rational_to_double(times) * pow(at, 1 / way->to - 1));
}

/* The warp's way at each divergence of its code, as a text: warps with equal texts run the same. */
static char *describe(const Sorted *sorted)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < sorted->place->divergences->len; i++) {
        const PsDivergence *divergence = sorted->place->divergences->pdata[i];
        for (guint w = 0; divergence->code == sorted->code && w < divergence->ways->len; w++) {
            const PsWay *way = &g_array_index(divergence->ways, PsWay, w);
            const gint64 does = divergence->loop
                                    ? times_of(sorted, divergence->body->pdata[way->first], way)
                                    : goes(sorted, way);
            g_string_append_printf(text, "%" G_GINT64_FORMAT " ", does);
        }
    }
    return g_string_free(text, FALSE);
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* The sectors of a full warp's request: "global.load.s16". */
static void fill_sectors(PsIdgItem *node, double share)
{
    const char *last = strrchr(node->class_name, '.');
    if (!last || last[1] != 's' || !g_ascii_isdigit(last[2]))
        return;
    const double sectors = g_ascii_strtod(last + 2, NULL) / share;
    char *name = g_strdup_printf("%.*s.s%.0f", (int)(last - node->class_name), node->class_name,
                                 fmin(sectors, 32));
    g_free(node->class_name);
    node->class_name = name;
}

static void fill_share(PsExpr **of, double share)
{
    if (!*of)
        return;
    g_autofree char *text = g_strdup_printf("(%s)/%.6f", ps_expr_text(*of), share);
    ps_expr_free(*of);
    *of = ps_expr_new(text, (PsPlace){"share", 0}, NULL);
}

/* Keeps the traffic, with fewer and fuller requests. */
static void fill(const GPtrArray *items, guint i, double share)
{
    PsIdgItem *item = items->pdata[i];
    for (guint n = 0; item->kind == PS_IDG_LOOP && n < item->body->len; n++)
        fill(item->body, n, share);
    if (item->kind != PS_IDG_NODE)
        return;
    for (int level = 0; level < PS_N_LEVELS; level++)
        fill_share(&item->share[level], share);
    fill_share(&item->partial, share);
    fill_sectors(item, share);
}

static void note_gone(const PsIdgItem *node, void *gone)
{
    g_hash_table_add(gone, node->name);
}

static gboolean is_gone(const PsIdgItem *node, void *gone)
{
    return g_hash_table_contains(gone, node->name);
}

/* Replaces item i in a copy of a divergence's body by what the warp runs of it. */
static void sort_item(const Sorted *sorted, const PsDivergence *divergence, const PsWay *way,
                      GPtrArray *to, guint i, GHashTable *gone)
{
    PsIdgItem *item = to->pdata[i];
    fill(to, i, way->to - way->from);
    if (!divergence->loop && !goes(sorted, way))
        ps_idg_visit(divergence->body, i, i + 1, note_gone, gone);
    if (divergence->loop) {
        ps_expr_free(item->times);
        item->times = ps_idg_number(times_of(sorted, divergence->body->pdata[i], way));
    }
}

/* Changes a copy of a body to what the warp runs of it. Recursive like the graph's loops. */
static void sort_body(const Sorted *sorted, const GPtrArray *from, GPtrArray *to, GHashTable *gone)
{
    const GPtrArray *divergences = sorted->place->divergences;
    for (guint d = 0; d < divergences->len; d++) {
        const PsDivergence *divergence = divergences->pdata[d];
        for (guint w = 0; divergence->body == from && w < divergence->ways->len; w++) {
            const PsWay *way = &g_array_index(divergence->ways, PsWay, w);
            for (guint i = way->first; i < way->end; i++)
                sort_item(sorted, divergence, way, to, i, gone);
        }
    }
    for (guint i = 0; i < from->len; i++) {
        const PsIdgItem *was = from->pdata[i];
        if (was->kind == PS_IDG_LOOP)
            sort_body(sorted, was->body, ((PsIdgItem *)to->pdata[i])->body, gone);
    }
}

/* Adds a code for the warp. */
static PsIdgCode *add_sorted(const Sorted *sorted, PsIdg *idg)
{
    g_autoptr(GHashTable) gone = g_hash_table_new(g_str_hash, g_str_equal);
    const PsIdgCode *from = sorted->kernel->idg->codes->pdata[sorted->code];
    PsIdgCode *code = ps_idg_add_copy(idg, from);
    sort_body(sorted, from->body, code->body, gone);
    ps_idg_remove(idg, idg->codes->len - 1, is_gone, gone);
    return code;
}

/* TRUE if warps of the program come to the place. */
static gboolean comes_by(const Place *place, int program)
{
    for (guint d = 0; d < place->divergences->len; d++)
        if ((int)((const PsDivergence *)place->divergences->pdata[d])->code == program)
            return TRUE;
    return FALSE;
}

/* Number of warps of a group of that kind that come to the place. */
static guint count_warps(const PsAnswer *answer, const Place *place, guint kind)
{
    guint n = 0;
    for (gint64 w = 0; w < answer->machine->launch.warps_per_group; w++)
        n += comes_by(place, ps_kernel_program_of(answer->kernel, kind, w));
    return n;
}

/* FALSE for a group of one warp, which has no other to exchange threads with. */
static gboolean may_sort(const PsAnswer *answer, const Place *place)
{
    for (guint kind = 0; kind < answer->kernel->n_kinds; kind++)
        if (count_warps(answer, place, kind) > 1)
            return TRUE;
    return FALSE;
}

/* Adds codes for the warps that share one: a single code for those that do the same. */
static void sort_code(const PsAnswer *answer, Sorted *sorted, PsIdg *idg)
{
    const guint kind = answer->kernel->programs[sorted->code].kind;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    const guint before = idg->codes->len;
    sorted->rank = G_MAXUINT;
    for (gint64 w = 0; w < answer->machine->launch.warps_per_group; w++) {
        const int program = ps_kernel_program_of(answer->kernel, kind, w);
        if (!comes_by(sorted->place, program))
            continue;
        sorted->rank++;
        if (program != (int)sorted->code)
            continue;
        g_autofree char *text = describe(sorted);
        guint same = 0;
        if (!g_ptr_array_find_with_equal_func(texts, text, g_str_equal, &same)) {
            same = texts->len;
            g_ptr_array_add(texts, g_steal_pointer(&text));
            add_sorted(sorted, idg);
        }
        ps_idg_add_warps(idg->codes->pdata[before + same], ps_idg_number(w), NULL);
    }
}

static PsIdg *sort_warps(const PsAnswer *answer, const Place *place)
{
    PsIdg *idg = ps_idg_copy(answer->kernel->idg);
    for (guint c = answer->kernel->n_programs; c-- > 0;) {
        const guint n = count_warps(answer, place, answer->kernel->programs[c].kind);
        Sorted sorted = {answer->kernel, place, c, 0, n};
        if (!comes_by(place, (int)c) || n < 2)
            continue;
        sort_code(answer, &sorted, idg);
        g_ptr_array_remove_index(idg->codes, c);
    }
    ps_idg_sort_codes(idg);
    return idg;
}

/* ---- advice -------------------------------------------------------------------------------- */

/* Facts about such a place. */
typedef struct {
    double share;                /* share of a warp's threads that idle */
    gboolean alike;              /* the place is a loop that some threads leave early */
    guint first_line, last_line; /* source lines that the idle threads do not run; 0: unknown */
    guint part_line;             /* source line where threads part; 0: unknown */
} Idle;

/* "where lines 14 to 18 run" */
static char *where_words(const Idle *of)
{
    if (of->first_line == 0)
        return g_strdup("in code without lines");
    return of->first_line == of->last_line
               ? g_strdup_printf("where line %u runs", of->first_line)
               : g_strdup_printf("where lines %u to %u run", of->first_line, of->last_line);
}

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Idle *of = advice->data;
    const double lanes = (double)answer->gpu->warp_size;
    g_autofree char *idle = ps_format_number(of->share * lanes);
    g_autofree char *where = where_words(of);
    g_autofree char *part = ps_at_line_words(of->part_line);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s of %g lanes idle in the mean %s, since threads of a warp "
                           "%s%s%s: threads sorted so that those of a warp %s, with as much "
                           "traffic in all, %s",
                           idle, lanes, where, of->alike ? "run the loop" : "part", part,
                           of->alike ? " more or less often" : " and the others wait",
                           of->alike ? "run it equally often" : "go one way", gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Idle *of = advice->data;
    ps_tell_entry_figure(facts, "idle_share", of->share);
    ps_tell_entry_flag(facts, "alike", of->alike);
    ps_tell_entry_whole(facts, "first_line", of->first_line);
    ps_tell_entry_whole(facts, "last_line", of->last_line);
    ps_tell_entry_whole(facts, "part_line", of->part_line);
}

static const PsAdviceChange sorted_threads = {
    .name = "sorted", .sentence = sentence, .tell_figures = tell_figures};

/* TRUE if one thread works for its warp: nothing is lost, since the work is needed once. */
static gboolean is_of_one(const PsAnswer *answer, const Place *place)
{
    return 1 - place->idle / place->instances <= 1.0 / (double)answer->gpu->warp_size;
}

static gboolean has_loop(const Place *place)
{
    gboolean has = FALSE;
    for (guint d = 0; d < place->divergences->len; d++)
        has = has || ((const PsDivergence *)place->divergences->pdata[d])->loop;
    return has;
}

static void add_place(PsAdvicePlan *plan, GHashTable *nodes, const Place *place)
{
    const PsAnswer *answer = plan->answer;
    const PsDivergence *first = place->divergences->pdata[0];
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = sort_warps(answer, place);
    variant->share = place->share;
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_DIVERGENCE, &sorted_threads, G_MAXUINT, variant)->advice;
    const PsIdgItem *most = ps_line_shares_most(place->lines);
    const PsNodeShare *at = g_hash_table_lookup(nodes, most ? most : first->at);
    advice->program = at->program;
    advice->node = at->node;
    *ps_advice_data_new(advice, Idle) = (Idle){.share = place->idle / place->instances,
                                               .alike = has_loop(place),
                                               .first_line = place->first_line,
                                               .last_line = place->last_line,
                                               .part_line = (guint)first->at->source_line};
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_autoptr(GPtrArray) divergences = ps_divergences_find(answer->kernel);
    g_autoptr(GHashTable) nodes = ps_node_shares(answer);
    g_autoptr(GPtrArray) places = find_places(answer, nodes, divergences);
    for (guint i = 0, n = 0; i < places->len && n < MOST_PLACES; i++) {
        const Place *place = places->pdata[i];
        const PsDivergence *first = place->divergences->pdata[0];
        if (place->share < PS_ADVICE_LEAST || !g_hash_table_contains(nodes, first->at) ||
            !may_sort(answer, place) || is_of_one(answer, place))
            continue;
        add_place(plan, nodes, place);
        n++;
    }
}

const PsAdviceKind ps_advice_kind_divergence = {.find = find, .copies_graph = TRUE};
