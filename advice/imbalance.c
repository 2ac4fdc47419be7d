/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on warps of a group that have more to do than others: the group keeps its place until the
 * last of them ends. In the variant all warps run the longest code, each loop as often as the mean
 * over warps. Work of fewer than half of the warps does not count as work to share. Nothing is told
 * if the variant moves less data, since accesses of the longest code stand for all. Each kind of
 * groups is looked at by itself. See kind.h.
 */
#include "advice/kind.h"

#include "advice/node-share.h"
#include "advice/parting.h"
#include "advice/work.h"
#include "base/class-name.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <math.h>

/* The largest share of another warp's work that the longest does not do; beyond it, the warps have
 * different tasks. */
#define MOST_OTHER 0.1

typedef struct {
    const PsAnswer *answer;
    guint kind;           /* kind of groups: groups of other kinds cannot share the work */
    GPtrArray *work;      /* [program]: ps_work_new */
    gint64 *warps;        /* [program]: warps of a group that run it */
    gint64 n_warps;       /* warps of a group */
    guint longest;        /* the longest program */
    GHashTable *straight; /* its work outside of loops, which others are assumed to do, too */
    GHashTable *keep;     /* PsIdgItem of the longest -> share of iterations that stays */
} Sharing;

static void sharing_clear(Sharing *sharing)
{
    g_ptr_array_unref(sharing->work);
    g_hash_table_unref(sharing->keep);
    g_clear_pointer(&sharing->straight, g_hash_table_unref);
    g_free(sharing->warps);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sharing, sharing_clear)

/* ---- what warps do ------------------------------------------------------------------------- */

static void add_programs(Sharing *sharing)
{
    const PsKernel *kernel = sharing->answer->kernel;
    sharing->warps = g_new0(gint64, kernel->n_programs);
    for (gint64 w = 0; w < sharing->answer->machine->launch.warps_per_group; w++) {
        const int program = ps_kernel_program_of(kernel, sharing->kind, w);
        if (program < 0)
            continue;
        sharing->warps[program]++;
        sharing->n_warps++;
        if (kernel->programs[program].length > kernel->programs[sharing->longest].length ||
            sharing->warps[sharing->longest] == 0)
            sharing->longest = (guint)program;
    }
    for (guint p = 0; p < kernel->n_programs; p++)
        g_ptr_array_add(sharing->work, ps_work_new(kernel, p, FALSE));
    sharing->straight = ps_work_new(kernel, sharing->longest, TRUE);
}

/* The share of a program's work that the longest program does not do. */
static double other_share(const Sharing *sharing, guint program)
{
    GHashTableIter iter;
    gpointer key, times;
    double all = 0, other = 0;
    g_hash_table_iter_init(&iter, sharing->work->pdata[program]);
    while (g_hash_table_iter_next(&iter, &key, &times)) {
        all += *(double *)times;
        if (ps_work_times(sharing->work->pdata[sharing->longest], key) == 0)
            other += *(double *)times;
    }
    return all > 0 ? other / all : 0;
}

static gboolean is_one_task(const Sharing *sharing)
{
    for (guint p = 0; p < sharing->work->len; p++)
        if (sharing->warps[p] > 0 && other_share(sharing, p) > MOST_OTHER)
            return FALSE;
    return TRUE;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Executions of a loop's nodes, without inner loops: by a warp of the longest program, and by a
 * warp in the mean; and the warps that execute any. */
typedef struct {
    double longest, mean;
    gint64 warps;
} Times;

static Times times_of(const Sharing *sharing, const PsIdgItem *loop)
{
    Times times = {0};
    for (guint p = 0; p < sharing->work->len; p++) {
        double sum = 0;
        for (guint i = 0; i < loop->body->len; i++) {
            const PsIdgItem *item = loop->body->pdata[i];
            if (item->kind == PS_IDG_LOOP)
                continue;
            g_autofree char *key = ps_work_key(sharing->answer->kernel->idg, item);
            sum += fmax(0, ps_work_times(sharing->work->pdata[p], key) -
                               ps_work_times(sharing->straight, key));
        }
        times.mean += sum * (double)sharing->warps[p] / (double)sharing->n_warps;
        times.warps += sum > 0 ? sharing->warps[p] : 0;
        if (p == sharing->longest)
            times.longest = sum;
    }
    return times;
}

/* Warps go round a loop with a barrier together: unequal work in it belongs to the algorithm. */
static gboolean has_barrier(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE && ps_class_covers("barrier", item->class_name))
            return TRUE;
    }
    return FALSE;
}

/* Finds the share of its iterations that each loop keeps, in addition to that of the loops around
 * it. Recursive like the graph's loops. */
static void find_loops(Sharing *sharing, const GPtrArray *body, double around)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE)
            continue;
        const Times times = times_of(sharing, item);
        double keep = around;
        if (times.longest > 0 && 2 * times.warps >= sharing->n_warps && !has_barrier(item->body))
            keep = fmin(times.mean / times.longest, around);
        const double own = keep / around;
        g_hash_table_insert(sharing->keep, (gpointer)item, g_memdup2(&own, sizeof own));
        find_loops(sharing, item->body, keep);
    }
}

static const GPtrArray *longest_body(const Sharing *sharing)
{
    return ((const PsIdgCode *)sharing->answer->kernel->idg->codes->pdata[sharing->longest])->body;
}

/* ---- graphs -------------------------------------------------------------------------------- */

static double times_now(const Sharing *sharing, const PsIdgItem *loop)
{
    PsRational times = PS_RATIONAL_INT(0);
    ps_expr_eval(loop->times, sharing->answer->kernel->scope, (PsPlace){"times", 0}, &times, NULL);
    return ps_rational_to_double(times);
}

static gboolean has_loop(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++)
        if (((const PsIdgItem *)body->pdata[i])->kind == PS_IDG_LOOP)
            return TRUE;
    return FALSE;
}

/* Sets the loops in a copy of the body for one of the warps, and adds their trip counts to the
 * text. Outer loops are rounded up, inner ones get what that leaves of the share, so that all warps
 * together do all of the work. */
static void share_body(const Sharing *sharing, gint64 rank, double left, const GPtrArray *from,
                       GPtrArray *to, GString *text)
{
    for (guint i = 0; i < from->len; i++) {
        const PsIdgItem *was = from->pdata[i];
        PsIdgItem *item = to->pdata[i];
        if (was->kind == PS_IDG_NODE)
            continue;
        const double keep = *(const double *)g_hash_table_lookup(sharing->keep, was);
        const double exact = times_now(sharing, was) * keep * left;
        const double at = ((double)rank + 0.5) / (double)sharing->n_warps;
        const double times = has_loop(was->body) ? ceil(exact) : floor(exact + at);
        g_string_append_printf(text, "%.0f ", times);
        ps_expr_free(item->times);
        item->times = ps_idg_number((gint64)times);
        share_body(sharing, rank, exact / fmax(times, 1), was->body, item->body, text);
    }
}

/* Removes the codes of the kind; returns how many remain. */
static guint leave_others(const Sharing *sharing, const PsIdg *idg)
{
    for (guint c = idg->codes->len; c-- > 0;)
        if (((const PsIdgCode *)idg->codes->pdata[c])->kind == sharing->kind)
            g_ptr_array_remove_index(idg->codes, c);
    return idg->codes->len;
}

/* Gives all warps of the kind's groups codes of equal length. */
static void share_out(const Sharing *sharing, PsIdg *idg)
{
    const PsKernel *kernel = sharing->answer->kernel;
    const PsIdgCode *longest = kernel->idg->codes->pdata[sharing->longest];
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    const guint others = leave_others(sharing, idg);
    gint64 rank = 0;
    for (gint64 w = 0; w < sharing->answer->machine->launch.warps_per_group; w++) {
        if (ps_kernel_program_of(kernel, sharing->kind, w) < 0)
            continue;
        PsIdgCode *code = ps_idg_add_copy(idg, longest);
        g_autoptr(GString) text = g_string_new(NULL);
        share_body(sharing, rank++, 1, longest->body, code->body, text);
        guint same = texts->len;
        if (g_ptr_array_find_with_equal_func(texts, text->str, g_str_equal, &same))
            g_ptr_array_set_size(idg->codes, (gint)(others + texts->len));
        else
            g_ptr_array_add(texts, g_strdup(text->str));
        ps_idg_add_warps(idg->codes->pdata[others + same], ps_idg_number(w), NULL);
    }
    ps_idg_sort_codes(idg);
}

/* ---- places -------------------------------------------------------------------------------- */

/* The loop on the critical path that gives most away. */
typedef struct {
    const PsIdg *idg;
    GHashTable *path; /* ps_work_key -> share of the path of all warps (double *) */
    const PsIdgItem *loop;
    double most, share; /* what it gives away; and all loops that do, as a share of the path */
} Giving;

/* Shares of the critical path by the work, whichever warp of that kind's groups does it. */
static GHashTable *path_shares(const PsAnswer *answer, guint kind, GHashTable *nodes)
{
    GHashTable *path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = answer->kernel->programs[p].nodes[n].item;
            if (answer->kernel->programs[p].kind != kind)
                break;
            char *key = ps_work_key(answer->kernel->idg, item);
            double *sum = g_new(double, 1);
            *sum = ps_work_times(path, key) +
                   ((const PsNodeShare *)g_hash_table_lookup(nodes, item))->share;
            g_hash_table_replace(path, key, sum);
        }
    return path;
}

static void add_share(const PsIdgItem *node, void *data)
{
    Giving *giving = data;
    g_autofree char *key = ps_work_key(giving->idg, node);
    giving->share += ps_work_times(giving->path, key);
    g_hash_table_remove(giving->path, key); /* count it once, though several nodes do it */
}

static void find_giving(const Sharing *sharing, const GPtrArray *body, Giving *giving)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        const double *keep = g_hash_table_lookup(sharing->keep, item);
        if (!keep)
            continue;
        const double before = giving->share;
        if (*keep < 1)
            ps_idg_visit(body, i, i + 1, add_share, giving);
        else
            find_giving(sharing, item->body, giving);
        const double gives = (giving->share - before) * (1 - *keep);
        if (gives <= giving->most)
            continue;
        giving->most = gives;
        giving->loop = item;
    }
}

/* The loop's last node has the line of the loop's condition. */
static const PsIdgItem *last_node(const PsIdgItem *item)
{
    while (item->kind == PS_IDG_LOOP)
        item = item->body->pdata[item->body->len - 1];
    return item;
}

/* The node of the loop whose line has most of the path. */
typedef struct {
    const PsIdg *idg;
    GHashTable *path; /* as in Giving */
    GHashTable *lines;
    const PsIdgItem *first;
} Lines;

static void add_line(const PsIdgItem *node, void *data)
{
    Lines *lines = data;
    g_autofree char *key = ps_work_key(lines->idg, node);
    lines->first = lines->first ? lines->first : node;
    ps_line_shares_add(lines->lines, lines->idg, node, ps_work_times(lines->path, key));
}

static const PsIdgItem *place_of(const Sharing *sharing, GHashTable *nodes, const PsIdgItem *loop)
{
    g_autoptr(GHashTable) path = path_shares(sharing->answer, sharing->kind, nodes);
    g_autoptr(GHashTable) shares = ps_line_shares_new();
    Lines lines = {sharing->answer->kernel->idg, path, shares, NULL};
    ps_idg_visit(loop->body, 0, loop->body->len, add_line, &lines);
    const PsIdgItem *most = ps_line_shares_most(shares);
    return most ? most : lines.first;
}

static gint64 warp_of(const Sharing *sharing)
{
    gint64 warp = 0;
    while (ps_kernel_program_of(sharing->answer->kernel, sharing->kind, warp) !=
           (int)sharing->longest)
        warp++;
    return warp;
}

/* ---- advice -------------------------------------------------------------------------------- */

/* Facts about the loop. */
typedef struct {
    guint warp;   /* warp that ends last */
    guint kind;   /* kind of groups that has it */
    double share; /* the mean warp's work in the loop, as a share of the last warp's */
    guint line;   /* line of the loop; 0: unknown */
} Uneven;

/* " of a group of the kind edge", if there are several kinds. */
static char *kind_words(const PsAnswer *answer, guint kind)
{
    const PsKernel *kernel = answer->kernel;
    return kernel->n_kinds > 1
               ? g_strdup_printf(" of each group of the kind %s", kernel->kinds[kind].name)
               : g_strdup("");
}

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Uneven *uneven = advice->data;
    g_autofree char *share = ps_format_share(uneven->share);
    g_autofree char *at = ps_at_line_words(uneven->line);
    g_autofree char *of = kind_words(answer, uneven->kind);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf(
        "warp %u%s comes last, and its group holds its place until then: in the "
        "mean its warps run the loop%s only %s as often, and all of them that often "
        "%s",
        uneven->warp, of, at, share, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Uneven *uneven = advice->data;
    ps_tell_entry_whole(facts, "warp", uneven->warp);
    ps_tell_entry_whole(facts, "group_kind", uneven->kind);
    ps_tell_entry_figure(facts, "mean_share", uneven->share);
    ps_tell_entry_whole(facts, "part_line", uneven->line);
}

static const PsAdviceChange shared_out = {
    .name = "shared-out", .sentence = sentence, .tell_figures = tell_figures};

/* The shared work of the kind of groups where sharing gains most. */
typedef struct {
    PsIdg *idg;   /* the graph with shared work, all kinds; NULL: there is none */
    double share; /* the loops' share of the critical path */
    guint program, node, warp, kind, line;
    double times;
} SharedOut;

static void note_shared(GHashTable *nodes, const Sharing *sharing, const Giving *giving,
                        SharedOut *shared)
{
    const PsNodeShare *at = g_hash_table_lookup(nodes, place_of(sharing, nodes, giving->loop));
    const Times times = times_of(sharing, giving->loop);
    shared->share = giving->share;
    shared->program = sharing->longest;
    shared->node = at ? at->node : G_MAXUINT;
    shared->warp = (guint)warp_of(sharing);
    shared->kind = sharing->kind;
    shared->line = (guint)last_node(giving->loop)->source_line;
    shared->times = times.mean / times.longest;
}

static void share_out_kind(const PsAnswer *answer, guint kind, SharedOut *shared)
{
    g_auto(Sharing)
        sharing = {.answer = answer,
                   .kind = kind,
                   .work = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref),
                   .keep = g_hash_table_new_full(NULL, NULL, NULL, g_free)};
    g_autoptr(GHashTable) nodes = ps_node_shares(answer);
    g_autoptr(GHashTable) path = path_shares(answer, kind, nodes);
    Giving giving = {.idg = answer->kernel->idg, .path = path};
    add_programs(&sharing);
    if (sharing.n_warps < 2)
        return;
    find_loops(&sharing, longest_body(&sharing), 1);
    find_giving(&sharing, longest_body(&sharing), &giving);
    if (!giving.loop || giving.share < PS_ADVICE_LEAST || !is_one_task(&sharing))
        return;
    shared->idg = shared->idg ? shared->idg : ps_idg_copy(answer->kernel->idg);
    share_out(&sharing, shared->idg);
    if (giving.share > shared->share)
        note_shared(nodes, &sharing, &giving, shared);
}

static void find(PsAdvicePlan *plan)
{
    const PsKernel *kernel = plan->answer->kernel;
    SharedOut shared = {.idg = NULL};
    for (guint kind = 0; kernel->n_programs > 1 && kind < kernel->n_kinds; kind++)
        share_out_kind(plan->answer, kind, &shared);
    if (!shared.idg)
        return;
    g_autoptr(PsKernel) then = ps_kernel_new(shared.idg, plan->question->params, NULL);
    if (!then || !ps_work_is_as_much(kernel, then, plan->answer->machine->launch.warps_per_group)) {
        ps_idg_free(shared.idg);
        return;
    }
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = shared.idg;
    variant->share = shared.share;
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_IMBALANCE, &shared_out, G_MAXUINT, variant)->advice;
    advice->program = shared.program;
    advice->node = shared.node;
    *ps_advice_data_new(advice, Uneven) =
        (Uneven){shared.warp, shared.kind, shared.times, shared.line};
}

const PsAdviceKind ps_advice_kind_imbalance = {.find = find, .copies_graph = TRUE};
