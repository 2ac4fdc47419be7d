/* SPDX-License-Identifier: BSD-3-Clause */
/* See relief.h. A bank conflict goes by asking for the plain class in a copy of the graph: just
 * what whoever writes the kernel would do. So do accesses that are not coalesced; of their bytes no
 * level sees more than there are then. */
#include "answer/relief.h"

#include "answer/trial.h"

#include <math.h>
#include <string.h>

static void free_relief(void *data)
{
    Relief *relief = data;
    g_free(relief->klass);
    g_free(relief->plain);
    g_free(relief->why);
    g_free(relief);
}

#define SECTOR 32 /* bytes */

/* Sectors that a full warp's bytes fill, of the node that has most of them; 0 where one does not
 * say. */
static gint64 least_sectors(const Answer *answer, guint class_)
{
    const PsMachine *machine = answer->machine;
    gint64 most = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            if (machine->class_of[p][n] != class_)
                continue;
            if (program->nodes[n].bytes <= 0 || program->nodes[n].bytes > G_MAXINT32)
                return 0;
            most = MAX(most, program->nodes[n].bytes);
        }
    }
    return (most * answer->gpu->warp_size + SECTOR - 1) / SECTOR;
}

/* Whether a class has other latencies than the plain one: by the GPU's description, or a what-if.
 */
static gboolean costs(const Answer *answer, guint class_, const char *plain)
{
    const PsMachineClass *bound = &answer->machine->classes[class_];
    const PsLatency own = trial_latency(answer->machine, class_);
    PsMatch match;
    const PsClass *other = ps_gpu_class(answer->gpu, plain, &match);
    return other && match != PS_MATCH_DEFAULT &&
           (other != bound->klass || ps_rational_cmp(own.issue, other->latency.issue) != 0 ||
            ps_rational_cmp(own.completion, other->latency.completion) != 0);
}

/* The most that one of a node's levels sees of its bytes: above 1 it moves sectors of which threads
 * want a part. */
static double largest_share(const PsProgramNode *node)
{
    double most = 0;
    for (guint level = 0; level < PS_N_LEVELS; level++)
        most = fmax(most, ps_rational_to_double(node->share[level]));
    return most;
}

/* Sectors of a full warp that its node moves which moves most, where levels say what it costs (R7).
 */
static gint64 moved_sectors(const Answer *answer, guint class_)
{
    const PsMachine *machine = answer->machine;
    double most = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++)
            if (machine->class_of[p][n] == class_)
                most =
                    fmax(most, largest_share(&program->nodes[n]) * (double)program->nodes[n].bytes);
    }
    return (gint64)ceil(fmin(most * (double)answer->gpu->warp_size / SECTOR, G_MAXINT32));
}

/* With levels classes cost what their bytes do, so it stays the same class, but for the number of
 * its sectors. */
static char *coalesced_at_levels(const Answer *answer, guint class_, gint64 *sectors, gint64 *least)
{
    const char *asked = answer->machine->classes[class_].asked;
    char *plain = ps_class_coalesced(asked);
    *sectors = moved_sectors(answer, class_);
    *least = least_sectors(answer, class_);
    if (*least > 0 && *sectors > *least && !ps_class_covers("atomic", asked))
        return plain ? plain : g_strdup(asked);
    g_free(plain);
    return NULL;
}

/* The class that an access would be of if it were coalesced, NULL where it is, or where that costs
 * nothing (g_free). */
static char *find_coalesced(const Answer *answer, guint class_, gint64 *sectors, gint64 *least)
{
    if (answer->machine->classes[class_].by_levels)
        return coalesced_at_levels(answer, class_, sectors, least);
    const char *asked = answer->machine->classes[class_].asked;
    g_autofree char *plain = ps_class_coalesced(asked);
    if (!plain || !costs(answer, class_, plain))
        return NULL;
    *sectors = ps_class_access(asked).sectors;
    *least = least_sectors(answer, class_);
    return *sectors > *least ? g_steal_pointer(&plain) : NULL;
}

const char *relief_kind(const Answer *answer, guint class_)
{
    gint64 sectors, least;
    g_autofree char *plain = ps_class_without_conflict(answer->machine->classes[class_].asked);
    if (plain && costs(answer, class_, plain))
        return "bank-conflict";
    g_free(plain);
    plain = find_coalesced(answer, class_, &sectors, &least);
    return plain ? "uncoalesced" : NULL;
}

/* ---- other classes in the graph ------------------------------------------------------------ */

/* A level sees each byte of a node at most once. */
static void cap_shares(PsIdgItem *item)
{
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        if (!item->share[level])
            continue;
        g_autofree char *text = g_strdup_printf("min(1, %s)", ps_expr_text(item->share[level]));
        PsExpr *capped = ps_expr_new(text, (PsPlace){"share", 0}, NULL);
        if (!capped)
            continue;
        ps_expr_free(item->share[level]);
        item->share[level] = capped;
    }
}

/* Nodes of that class ask for the other one. */
static void rename_class(GPtrArray *body, const char *klass, const char *other, gboolean caps)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            rename_class(item->body, klass, other, caps);
        } else if (strcmp(item->klass, klass) == 0) {
            g_free(item->klass);
            item->klass = g_strdup(other);
            if (caps)
                cap_shares(item);
        }
    }
}

/* A copy of the graph, NULL where it cannot be had. */
static PsIdg *copy_graph(const PsIdg *idg)
{
    g_autofree char *text = ps_idg_write(idg);
    return ps_idg_parse(text, strlen(text), idg->path ? idg->path : "graph", NULL);
}

static gboolean any_covered(const Answer *answer, const char *without, const char *plain,
                            const char *klass)
{
    if (ps_class_covers(klass, plain))
        return TRUE;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const char *asked = answer->machine->classes[i].asked;
        if (strcmp(asked, without) != 0 && ps_class_covers(klass, asked))
            return TRUE;
    }
    return FALSE;
}

/* What-ifs of classes that nobody asks for any more would be an error. */
static void drop_what_ifs(Trial *trial, const Answer *answer, const char *klass, const char *plain)
{
    for (guint i = trial->latencies->len; i > 0; i--) {
        const PsWhatIf *what_if = trial->latencies->pdata[i - 1];
        if (!any_covered(answer, klass, plain, what_if->klass))
            g_ptr_array_remove_index(trial->latencies, i - 1);
    }
}

/* Plans the graph with the plain class instead. NULL where it cannot be had. */
static Relief *plan_plain(const Question *question, const Answer *answer, guint class_,
                          const char *plain, gboolean caps, GPtrArray *trials)
{
    const char *asked = answer->machine->classes[class_].asked;
    PsIdg *idg = copy_graph(question->idg);
    if (!idg)
        return NULL;
    Trial *trial = trial_new(question);
    for (guint i = 0; i < idg->codes->len; i++)
        rename_class(((PsIdgCode *)idg->codes->pdata[i])->body, asked, plain, caps);
    trial->question.idg = trial->idg = idg;
    trial->keep = TRUE;
    drop_what_ifs(trial, answer, asked, plain);
    Relief *relief = g_new0(Relief, 1);
    *relief = (Relief){.klass = g_strdup(asked),
                       .plain = g_strdup(plain),
                       .from = trial_latency(answer->machine, class_),
                       .degree = PS_RATIONAL_INT(0),
                       .seconds = NAN};
    g_ptr_array_add(trials, trial);
    return relief;
}

static void plan_conflict(const Question *question, const Answer *answer, guint class_,
                          GPtrArray *reliefs, GPtrArray *trials)
{
    const char *asked = answer->machine->classes[class_].asked;
    g_autofree char *plain = ps_class_without_conflict(asked);
    PsMatch match;
    if (!plain || !ps_gpu_class(answer->gpu, plain, &match) || match == PS_MATCH_DEFAULT)
        return;
    Relief *relief = plan_plain(question, answer, class_, plain, FALSE, trials);
    if (!relief)
        return;
    const gint64 conflicts = ps_class_access(asked).conflicts;
    relief->degree = PS_RATIONAL_INT(conflicts > 1 ? conflicts : 0);
    g_ptr_array_add(reliefs, relief);
}

static void plan_coalesced(const Question *question, const Answer *answer, guint class_,
                           GPtrArray *reliefs, GPtrArray *trials)
{
    gint64 sectors, least;
    g_autofree char *plain = find_coalesced(answer, class_, &sectors, &least);
    if (!plain)
        return;
    Relief *relief = plan_plain(question, answer, class_, plain, TRUE, trials);
    if (!relief)
        return;
    relief->sectors = sectors;
    relief->least = least;
    relief->traffic_from = answer->bound.params.W_traf;
    relief->by_levels = answer->machine->classes[class_].by_levels;
    g_ptr_array_add(reliefs, relief);
}

/* ---- what-ifs ------------------------------------------------------------------------------ */

static void plan_what_if(const Question *question, const Answer *answer, guint number,
                         GPtrArray *reliefs, GPtrArray *trials)
{
    const PsWhatIf *what_if = question->latencies->pdata[number];
    Trial *trial = trial_new(question);
    g_ptr_array_remove_index(trial->latencies, number);
    trial->keep = TRUE;
    Relief *relief = g_new0(Relief, 1);
    *relief =
        (Relief){.klass = g_strdup(what_if->klass), .degree = PS_RATIONAL_INT(0), .seconds = NAN};
    for (guint i = answer->machine->n_classes; i > 0; i--)
        if (ps_class_covers(what_if->klass, answer->machine->classes[i - 1].asked))
            relief->from = trial_latency(answer->machine, i - 1);
    g_ptr_array_add(reliefs, relief);
    g_ptr_array_add(trials, trial);
}

GPtrArray *reliefs_plan(const Question *question, const Answer *answer, GPtrArray *trials)
{
    GPtrArray *reliefs = g_ptr_array_new_with_free_func(free_relief);
    if (answer->result.ticks == 0)
        return reliefs;
    for (guint i = 0; i < answer->machine->n_classes; i++)
        plan_conflict(question, answer, i, reliefs, trials);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        plan_coalesced(question, answer, i, reliefs, trials);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++)
        plan_what_if(question, answer, i, reliefs, trials);
    return reliefs;
}

/* ---- what they gave ------------------------------------------------------------------------ */

/* The degree of a conflict is how much longer it keeps the pipeline, unless the class says it. */
static void find_degree(Relief *relief)
{
    PsRational ratio;
    if (relief->degree.num > 0 || relief->sectors > 0 ||
        (!relief->plain && !ps_class_covers("local", relief->klass)))
        return;
    if (ps_rational_div(relief->from.issue, relief->to.issue, &ratio) &&
        ps_rational_cmp(ratio, PS_RATIONAL_INT(1)) > 0 &&
        (relief->plain || ps_rational_is_int(ratio)))
        relief->degree = ratio;
}

static void conclude(Relief *relief, Trial *trial)
{
    relief->seconds = trial->seconds;
    relief->why = g_steal_pointer(&trial->why);
    if (!trial->answer)
        return;
    const PsMachine *machine = trial->answer->machine;
    relief->traffic_to = trial->answer->bound.params.W_traf;
    for (guint i = machine->n_classes; i > 0; i--) {
        const char *asked = machine->classes[i - 1].asked;
        if (relief->plain ? strcmp(relief->plain, asked) == 0
                          : ps_class_covers(relief->klass, asked))
            relief->to = trial_latency(machine, i - 1);
    }
    if (relief->by_levels)
        relief->from = relief->to;
    if (relief->to.issue.num > 0)
        find_degree(relief);
}

/* Those that are not known last. */
static int fastest_first(gconstpointer a, gconstpointer b)
{
    const Relief *x = *(Relief *const *)a, *y = *(Relief *const *)b;
    if (isnan(x->seconds) || isnan(y->seconds))
        return isnan(x->seconds) - isnan(y->seconds);
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void reliefs_conclude(GPtrArray *reliefs, const GPtrArray *trials)
{
    for (guint i = 0; i < reliefs->len; i++)
        conclude(reliefs->pdata[i], trials->pdata[i]);
    g_ptr_array_sort(reliefs, fastest_first);
}
