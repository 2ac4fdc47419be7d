/* SPDX-License-Identifier: BSD-3-Clause */
/* A bank conflict is removed by asking for the plain class in a copy of the graph, as the kernel's
 * author would do. Accesses that are not coalesced are treated alike; no level then sees more than
 * their own bytes. See avoidable.h. */
#include "answer/avoidable.h"

#include "answer/variant.h"
#include "base/class-name.h"
#include "idg/edit.h"

#include <math.h>
#include <string.h>

static void free_avoidable(void *data)
{
    PsAvoidable *avoidable = data;
    g_free(avoidable->class_name);
    g_free(avoidable->plain);
    g_free(avoidable->why);
    g_free(avoidable);
}

/* ---- other classes in the graph ------------------------------------------------------------ */

/* Limits each level to one transfer of a node's bytes, and to no more lines than these fill. */
static void cap_shares(PsIdgItem *item)
{
    g_clear_pointer(&item->lines, ps_expr_free);
    g_clear_pointer(&item->wavefronts, ps_expr_free);
    g_clear_pointer(&item->rows, ps_expr_free);
    g_clear_pointer(&item->partial, ps_expr_free);
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

/* Where nodes of one body share sectors, the traffic stands at the node that brings them. When they
 * no longer share sectors, each brings its own: then each share is the mean over the body. */
static void even_shares(const GPtrArray *body, const char *class_name)
{
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        g_autoptr(GString) sum = g_string_new(NULL);
        gint64 n = 0;
        for (guint i = 0; i < body->len; i++) {
            const PsIdgItem *item = body->pdata[i];
            if (item->kind == PS_IDG_NODE && strcmp(item->class_name, class_name) == 0 &&
                item->share[level])
                g_string_append_printf(sum, "%s(%s)", n++ ? "+" : "",
                                       ps_expr_text(item->share[level]));
        }
        g_autofree char *mean = g_strdup_printf("(%s)/%" G_GINT64_FORMAT, sum->str, n);
        for (guint i = 0; n > 1 && i < body->len; i++) {
            PsIdgItem *item = body->pdata[i];
            if (item->kind != PS_IDG_NODE || strcmp(item->class_name, class_name) != 0 ||
                !item->share[level])
                continue;
            ps_expr_free(item->share[level]);
            item->share[level] = ps_expr_new(mean, (PsPlace){"share", 0}, NULL);
        }
    }
}

/* Gives nodes of one class another class. */
static void rename_class(GPtrArray *body, const char *class_name, const char *other, gboolean caps)
{
    if (caps)
        even_shares(body, class_name);
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            rename_class(item->body, class_name, other, caps);
        } else if (strcmp(item->class_name, class_name) == 0) {
            g_free(item->class_name);
            item->class_name = g_strdup(other);
            if (caps)
                cap_shares(item);
        }
    }
}

static gboolean any_covered(const PsAnswer *answer, const char *without, const char *plain,
                            const char *class_name)
{
    if (ps_class_covers(class_name, plain))
        return TRUE;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const char *asked = answer->machine->classes[i].asked;
        if (strcmp(asked, without) != 0 && ps_class_covers(class_name, asked))
            return TRUE;
    }
    return FALSE;
}

/* Drops what-ifs of classes that no node asks for any more: they would be errors. */
static void drop_what_ifs(PsVariant *variant, const PsAnswer *answer, const char *class_name,
                          const char *plain)
{
    for (guint i = variant->latencies->len; i > 0; i--) {
        const PsWhatIf *what_if = variant->latencies->pdata[i - 1];
        if (!any_covered(answer, class_name, plain, what_if->class_name))
            g_ptr_array_remove_index(variant->latencies, i - 1);
    }
}

/* The purpose and the inputs of a variant. */
typedef struct {
    PsAvoidable *avoidable;
    const PsIdg *idg; /* the present graph */
} Plain;

static PsAvoidable *avoidable_of(const PsVariant *variant)
{
    return ((const Plain *)variant->data)->avoidable;
}

/* A copy of the graph with the plain class. */
static PsIdg *make_plain(PsVariant *variant)
{
    const PsAvoidable *avoidable = avoidable_of(variant);
    PsIdg *idg = ps_idg_copy(((const Plain *)variant->data)->idg);
    for (guint i = 0; i < idg->codes->len; i++)
        rename_class(((PsIdgCode *)idg->codes->pdata[i])->body, avoidable->class_name,
                     avoidable->plain, avoidable->sectors > 0);
    return idg;
}

/* Compares latencies with the variant's machine class, if there is one. */
static void compare_latencies(PsVariant *variant)
{
    PsAvoidable *avoidable = avoidable_of(variant);
    const PsMachine *machine = variant->answer->machine;
    avoidable->traffic_to = variant->answer->roofline.params.W_traf;
    for (guint i = machine->n_classes; i > 0; i--) {
        const char *asked = machine->classes[i - 1].asked;
        if (avoidable->plain ? strcmp(avoidable->plain, asked) == 0
                             : ps_class_covers(avoidable->class_name, asked))
            avoidable->to = ps_what_if_latency(machine, i - 1);
    }
    if (avoidable->by_levels)
        avoidable->from = avoidable->to;
}

static void set_data(PsVariant *variant, PsAvoidable *avoidable)
{
    const Plain plain = {avoidable, variant->question.idg};
    variant->data = g_memdup2(&plain, sizeof plain);
    variant->look = compare_latencies;
}

static PsAvoidable *plan_plain(const PsQuestion *question, const PsAnswer *answer,
                               guint class_index, const char *plain, GPtrArray *variants)
{
    const char *asked = answer->machine->classes[class_index].asked;
    PsVariant *variant = ps_variant_new(question);
    variant->share = ps_explain_path_share(answer, PS_PATH_N_KINDS, class_index);
    drop_what_ifs(variant, answer, asked, plain);
    PsAvoidable *avoidable = g_new0(PsAvoidable, 1);
    set_data(variant, avoidable);
    variant->make = make_plain;
    variant->making = PS_VARIANT_COPIED;
    *avoidable = (PsAvoidable){.class_name = g_strdup(asked),
                               .plain = g_strdup(plain),
                               .from = ps_what_if_latency(answer->machine, class_index),
                               .degree = PS_RATIONAL_INT(0),
                               .seconds = NAN};
    g_ptr_array_add(variants, variant);
    return avoidable;
}

static void plan_conflict(const PsQuestion *question, const PsAnswer *answer, guint class_index,
                          GPtrArray *avoidables, GPtrArray *variants)
{
    const char *asked = answer->machine->classes[class_index].asked;
    g_autofree char *plain = ps_class_without_conflict(asked);
    PsMatch match;
    if (!plain || !ps_gpu_class(answer->gpu, plain, &match) || match == PS_MATCH_DEFAULT)
        return;
    PsAvoidable *avoidable = plan_plain(question, answer, class_index, plain, variants);
    const gint64 conflicts = ps_class_access(asked).conflicts;
    avoidable->degree = PS_RATIONAL_INT(conflicts > 1 ? conflicts : 0);
    g_ptr_array_add(avoidables, avoidable);
}

static void plan_coalesced(const PsQuestion *question, const PsAnswer *answer, guint class_index,
                           GPtrArray *avoidables, GPtrArray *variants)
{
    gint64 sectors, least;
    g_autofree char *plain = ps_costly_coalesced(answer, class_index, &sectors, &least);
    if (!plain)
        return;
    PsAvoidable *avoidable = plan_plain(question, answer, class_index, plain, variants);
    avoidable->sectors = sectors;
    avoidable->least = least;
    avoidable->traffic_from = answer->roofline.params.W_traf;
    avoidable->by_levels = answer->machine->classes[class_index].by_levels;
    g_ptr_array_add(avoidables, avoidable);
}

/* ---- what-ifs ------------------------------------------------------------------------------ */

static void plan_what_if(const PsQuestion *question, const PsAnswer *answer, guint number,
                         GPtrArray *avoidables, GPtrArray *variants)
{
    const PsWhatIf *what_if = question->latencies->pdata[number];
    PsVariant *variant = ps_variant_new(question);
    g_ptr_array_remove_index(variant->latencies, number);
    PsAvoidable *avoidable = g_new0(PsAvoidable, 1);
    set_data(variant, avoidable);
    *avoidable = (PsAvoidable){
        .class_name = g_strdup(what_if->class_name), .degree = PS_RATIONAL_INT(0), .seconds = NAN};
    for (guint i = answer->machine->n_classes; i > 0; i--)
        if (ps_class_covers(what_if->class_name, answer->machine->classes[i - 1].asked)) {
            avoidable->from = ps_what_if_latency(answer->machine, i - 1);
            variant->share += ps_explain_path_share(answer, PS_PATH_N_KINDS, i - 1);
        }
    g_ptr_array_add(avoidables, avoidable);
    g_ptr_array_add(variants, variant);
}

GPtrArray *ps_avoidables_plan(const PsQuestion *question, const PsAnswer *answer,
                              GPtrArray *variants)
{
    GPtrArray *avoidables = g_ptr_array_new_with_free_func(free_avoidable);
    if (answer->result.ticks == 0)
        return avoidables;
    for (guint i = 0; i < answer->machine->n_classes; i++)
        plan_conflict(question, answer, i, avoidables, variants);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        plan_coalesced(question, answer, i, avoidables, variants);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++)
        plan_what_if(question, answer, i, avoidables, variants);
    return avoidables;
}

/* ---- what they gave ------------------------------------------------------------------------ */

/* The degree of a conflict: as the class states it, otherwise the ratio of the times that the
 * pipeline is busy. */
static void find_degree(PsAvoidable *avoidable)
{
    PsRational ratio;
    if (avoidable->to.issue.num == 0 || avoidable->degree.num > 0 || avoidable->sectors > 0 ||
        (!avoidable->plain && !ps_class_covers("local", avoidable->class_name)))
        return;
    if (ps_rational_div(avoidable->from.issue, avoidable->to.issue, &ratio) &&
        ps_rational_cmp(ratio, PS_RATIONAL_INT(1)) > 0 &&
        (avoidable->plain || ps_rational_is_int(ratio)))
        avoidable->degree = ratio;
}

static void conclude(PsAvoidable *avoidable, PsVariant *variant)
{
    avoidable->seconds = variant->seconds;
    avoidable->half_width = variant->half_width;
    avoidable->why = g_steal_pointer(&variant->why);
    find_degree(avoidable);
    avoidable->cause = avoidable->sectors      ? PS_CAUSE_UNCOALESCED
                       : avoidable->degree.num ? PS_CAUSE_BANK_CONFLICT
                                               : PS_CAUSE_WHAT_IF;
}

/* Costs whose gain is unknown come last. */
static int fastest_first(gconstpointer a, gconstpointer b)
{
    const PsAvoidable *x = *(PsAvoidable *const *)a, *y = *(PsAvoidable *const *)b;
    if (isnan(x->seconds) || isnan(y->seconds))
        return isnan(x->seconds) - isnan(y->seconds);
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void ps_avoidables_conclude(GPtrArray *avoidables, const GPtrArray *variants)
{
    for (guint i = 0; i < avoidables->len; i++)
        conclude(avoidables->pdata[i], variants->pdata[i]);
    g_ptr_array_sort(avoidables, fastest_first);
}
