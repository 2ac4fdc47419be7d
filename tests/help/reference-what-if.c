/* SPDX-License-Identifier: BSD-3-Clause */
/* What-ifs for the slow simulator: see reference-what-if.h. Each function is a sentence of
 * docs/reference/model.md. */
#include "tests/help/reference-what-if.h"
#include "tests/help/fraction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a node takes: cycles of one scheduler's pipeline where the description gives it to each. */
typedef struct {
    const char *asked;
    RefClass *at; /* where it stands */
    Fraction lambda, Lambda;
    gint64 shares; /* schedulers that lambda is divided by there */
} Cost;

static RefClass *place_of(const RefCosts *costs, const PsIdgItem *item)
{
    RefTraffic *traffic = costs->traffic ? g_hash_table_lookup(costs->traffic, item) : NULL;
    if (traffic)
        return &traffic->serves;
    for (guint i = 0; i < costs->classes->len; i++)
        if (strcmp(g_array_index(costs->classes, RefClass, i).asked, item->class_name) == 0)
            return &g_array_index(costs->classes, RefClass, i);
    g_error("no class %s", item->class_name);
}

void ref_nodes(const GPtrArray *body, const PsScope *scope, GPtrArray *nodes)
{
    const PsIntRange range = {"number", 0, G_MAXINT32};
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        gint64 trips = 0;
        if (item->kind == PS_IDG_NODE)
            g_ptr_array_add(nodes, item);
        else if (ps_expr_eval_int(item->times, scope, (PsPlace){"test", 0}, &range, &trips, NULL) &&
                 trips > 0)
            ref_nodes(item->body, scope, nodes);
    }
}

/* In the order in which the graph asks for them. */
static GArray *list_costs(const RefCosts *costs)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Cost));
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    for (guint i = 0; i < costs->idg->codes->len; i++)
        ref_nodes(((const PsIdgCode *)costs->idg->codes->pdata[i])->body, costs->scope, nodes);
    for (guint i = 0; i < nodes->len; i++) {
        const PsIdgItem *item = nodes->pdata[i];
        RefClass *at = place_of(costs, item);
        const PsPipeline *pipeline = costs->gpu->pipelines->pdata[at->pipeline];
        const gint64 shares =
            pipeline->per_scheduler && costs->schedulers == 0 ? costs->gpu->schedulers : 1;
        const Cost cost = {item->class_name, at,
                           fraction(at->issue * shares, costs->ticks_per_cycle),
                           fraction(at->completion, costs->ticks_per_cycle), shares};
        g_array_append_val(list, cost);
    }
    return list;
}

static gboolean covers(const char *name, const char *asked)
{
    const gsize length = strlen(name);
    return strncmp(asked, name, length) == 0 && (asked[length] == 0 || asked[length] == '.');
}

/* The class of its very name, else the first that it covers; of either, the first node. */
static const Cost *present(const GArray *list, const char *name)
{
    for (guint i = 0; i < list->len; i++)
        if (strcmp(g_array_index(list, Cost, i).asked, name) == 0)
            return &g_array_index(list, Cost, i);
    for (guint i = 0; i < list->len; i++)
        if (covers(name, g_array_index(list, Cost, i).asked))
            return &g_array_index(list, Cost, i);
    return NULL;
}

static gboolean is(Fraction a, Fraction b)
{
    return !fraction_less(a, b) && !fraction_less(b, a);
}

/* Where v has more than four digits behind the point, V is v with four significant digits, or to
 * nine behind the point. */
static gboolean reads_as(Fraction new, Fraction v)
{
    char text[32];
    const double value = (double)v.num / (double)v.den, told = (double)new.num / (double)new.den;
    if (is(v, fraction(fraction_round(v, 10000), 10000)))
        return FALSE;
    snprintf(text, sizeof text, "%.4g", value);
    return fabs(told - strtod(text, NULL)) < 1e-12 * value || fabs(told - value) < 1e-9;
}

static Fraction in_proportion(Fraction w, Fraction v, Fraction new)
{
    if (is(new, v) || reads_as(new, v))
        return w;
    if (is(w, v))
        return new;
    const gint64 parts = fraction_round(fraction_div(fraction_mul(w, new), v), 1024);
    return fraction(MAX(parts, 1), 1024);
}

static PsRational figure_of(const PsWhatIf *what_if, gboolean completion)
{
    return completion ? what_if->completion : what_if->issue;
}

static Fraction own(const Cost *cost, gboolean completion)
{
    return completion ? cost->Lambda : cost->lambda;
}

/* The longest name's, of equal names the last; then all factors. */
static Fraction changed(const GArray *list, const GPtrArray *what_ifs, const Cost *cost,
                        gboolean completion)
{
    const PsWhatIf *counts = NULL;
    for (guint i = 0; i < what_ifs->len; i++) {
        const PsWhatIf *one = what_ifs->pdata[i];
        if (!one->times && figure_of(one, completion).num != 0 &&
            covers(one->class_name, cost->asked) &&
            (!counts || strlen(one->class_name) >= strlen(counts->class_name)))
            counts = one;
    }
    Fraction takes = own(cost, completion);
    if (counts)
        takes = in_proportion(takes, own(present(list, counts->class_name), completion),
                              fraction_of(figure_of(counts, completion)));
    for (guint i = 0; i < what_ifs->len; i++) {
        const PsWhatIf *one = what_ifs->pdata[i];
        if (one->times && figure_of(one, completion).num != 0 &&
            covers(one->class_name, cost->asked))
            takes = fraction_mul(takes, fraction_of(figure_of(one, completion)));
    }
    return takes;
}

void ref_what_if(const RefCosts *costs, const GPtrArray *what_ifs)
{
    g_autoptr(GArray) list = list_costs(costs);
    for (guint i = 0; i < list->len; i++) {
        const Cost *cost = &g_array_index(list, Cost, i);
        const Fraction lambda = changed(list, what_ifs, cost, FALSE);
        cost->at->issue =
            fraction_whole(fraction_div(lambda, fraction(cost->shares, 1)), costs->ticks_per_cycle);
        cost->at->completion =
            fraction_whole(changed(list, what_ifs, cost, TRUE), costs->ticks_per_cycle);
    }
}
