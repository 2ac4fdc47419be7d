/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds a run up most. Simulations know best, so advice decides where there is any; the
 * critical path alone may go along one of two pipelines that are both nearly saturated. See
 * explain.h. */
#include "answer/explain.h"
#include "answer/levels.h"
#include "answer/loads.h"
#include "answer/relief.h"
#include "answer/traffic.h"

#include <math.h>
#include <string.h>

double explain_headroom(const Answer *answer)
{
    const double ceiling = bound_seconds(&answer->bound, CLAMP_CEILING);
    return ceiling > 0 ? (answer->seconds - answer->launch_seconds) / ceiling : NAN;
}

/* ---- shares and places --------------------------------------------------------------------- */

#define BIT(kind) (1U << (kind))

/* Whatever a class's latencies are charged for. */
#define BOTH_LATENCIES (BIT(PS_PATH_PIPELINE) | BIT(PS_PATH_COMPLETION))

/* How much of the path stretches of a class are that have one of these kinds. */
static double share_of_path(const Explain *explain, guint class_, guint kinds)
{
    double sum = 0;
    for (guint i = 0; i < explain->by_class->len; i++) {
        const ExplainShare *share = explain->by_class->pdata[i];
        if (share->class_ == class_ && kinds & BIT(share->kind))
            sum += share->share;
    }
    return sum;
}

/* The share of all warps' time that they wait at barriers. */
static double share_of_barriers(const Explain *explain)
{
    double sum = 0;
    for (guint i = 0; i < explain->waits->len; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        if (row->kind == PS_WAIT_BARRIER)
            sum += explain_wait_share(explain, row);
    }
    return sum;
}

/* The path's longest row of a class that has one of these kinds, else of the class. */
static const PsPathRow *longest_row(const Explain *explain, guint class_, guint kinds)
{
    const PsPathRow *any = NULL;
    for (guint i = 0; i < explain->path->len; i++) {
        const PsPathRow *row = explain->path->pdata[i];
        if (row->class_ != class_)
            continue;
        if (kinds & BIT(row->kind))
            return row;
        any = any ? any : row;
    }
    return any;
}

static const char *line_of(const Answer *answer, const PsPathRow *row)
{
    if (!row || row->node == G_MAXUINT)
        return NULL;
    g_autofree char *name = explain_line_name(answer, row);
    const Explain *explain = answer->explain;
    for (guint i = 0; i < explain->by_line->len; i++) {
        const ExplainShare *share = explain->by_line->pdata[i];
        if (strcmp(share->name, name) == 0 && strcmp(name, EXPLAIN_NO_LINE) != 0)
            return share->name;
    }
    return NULL;
}

/* Sets all but the kind: of throughput that is how long its pipeline is busy, where that is nearly
 * all the time. */
static void place(const Answer *answer, guint class_, guint kinds, Bottleneck *bottleneck)
{
    const Explain *explain = answer->explain;
    const PsMachineClass *bound = &answer->machine->classes[class_];
    const double load = load_of_pipeline(answer, bound->pipeline);
    bottleneck->klass = bound->asked;
    bottleneck->line = line_of(answer, longest_row(explain, class_, kinds));
    bottleneck->share = share_of_path(explain, class_, kinds);
    bottleneck->of = SHARE_PATH;
    if (kinds == BIT(PS_PATH_PIPELINE) && load >= ANSWER_NEARLY) {
        bottleneck->share = fmin(load, 1);
        bottleneck->of = SHARE_BUSY;
    }
}

/* Likewise what serves memory, for its busiest class. */
static void place_level(const Answer *answer, const PsServerRow *level, Bottleneck *bottleneck)
{
    const guint class_ = level_busiest_class(answer, level);
    place(answer, class_, BIT(PS_PATH_MEMORY), bottleneck);
    bottleneck->level = level->name;
    bottleneck->share = fmin(level_load(answer, level), 1);
    bottleneck->of = SHARE_BUSY;
}

/* ---- by advice ----------------------------------------------------------------------------- */

/* What the path charges for a kind of cause; 0 for what is none. */
static guint charges(const char *kind)
{
    static const struct {
        const char *kind;
        guint charges;
    } table[] = {{"bank-conflict", BOTH_LATENCIES},
                 {"uncoalesced", BOTH_LATENCIES | BIT(PS_PATH_MEMORY)},
                 {"bandwidth", BIT(PS_PATH_PIPELINE)},
                 {"throughput", BIT(PS_PATH_PIPELINE)},
                 {"latency", BIT(PS_PATH_COMPLETION) | BIT(PS_PATH_BARRIER)},
                 {"barrier", BIT(PS_PATH_BARRIER)},
                 {"issue-port", BIT(PS_PATH_PORT)}};
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        if (strcmp(table[i].kind, kind) == 0)
            return table[i].charges;
    return 0;
}

/* More groups at once, or a number that shares out evenly, hide a cause rather than being one. */
static gboolean hides_a_cause(const char *kind)
{
    return strcmp(kind, "occupancy") == 0 || strcmp(kind, "tail") == 0;
}

/* FALSE where no advice, or one that names no cause, stands before. */
static gboolean by_advice(const Answer *answer, Bottleneck *bottleneck)
{
    for (guint i = 0; answer->advice && i < answer->advice->len; i++) {
        const Advice *advice = answer->advice->pdata[i];
        const guint kinds = charges(advice->kind);
        if (hides_a_cause(advice->kind))
            continue;
        if (kinds == 0 || advice->class_ == G_MAXUINT)
            return FALSE;
        place(answer, advice->class_, kinds, bottleneck);
        bottleneck->kind = advice->kind;
        if (advice->level)
            place_level(answer, advice->level, bottleneck);
        if (kinds == BIT(PS_PATH_BARRIER)) {
            bottleneck->share = share_of_barriers(answer->explain);
            bottleneck->of = SHARE_WARPS;
        }
        return TRUE;
    }
    return FALSE;
}

/* ---- without advice ------------------------------------------------------------------------ */

/* What keeps a pipeline is bandwidth where that is used up. */
static const char *kind_of_pipeline(const Answer *answer, guint class_)
{
    const guint pipeline = answer->machine->classes[class_].pipeline;
    const char *relief = relief_kind(answer, class_);
    if (relief)
        return relief;
    return load_of_pipeline(answer, pipeline) >= ANSWER_NEARLY &&
                   traffic_is_of_class(answer, class_)
               ? "bandwidth"
               : "throughput";
}

static const char *kind_of_share(const Answer *answer, const ExplainShare *share)
{
    switch (share->kind) {
    case PS_PATH_BARRIER:
        return "barrier";
    case PS_PATH_PORT:
        return "issue-port";
    case PS_PATH_LAUNCH:
    case PS_PATH_PLACE:
        return "launch";
    default:
        break;
    }
    if (share->kind == PS_PATH_MEMORY || share->kind == PS_PATH_DRAIN)
        return "bandwidth";
    if (share->class_ == G_MAXUINT)
        return share->kind == PS_PATH_COMPLETION ? "latency" : "throughput";
    if (share->kind != PS_PATH_COMPLETION)
        return kind_of_pipeline(answer, share->class_);
    const char *relief = relief_kind(answer, share->class_);
    return relief ? relief : "latency";
}

/* The class that keeps a saturated pipeline, as "Limited by" has it; G_MAXUINT for none. */
static guint saturating_class(const Answer *answer)
{
    const guint pipeline = load_busiest_pipeline(answer);
    if (pipeline == G_MAXUINT || load_of_pipeline(answer, pipeline) < ANSWER_SATURATED)
        return G_MAXUINT;
    return load_busiest_class(answer, pipeline);
}

/* What serves memory and is saturated, and busier than any pipeline; NULL for none. */
static const PsServerRow *saturated_level(const Answer *answer)
{
    const PsServerRow *level = level_busiest(answer);
    const double load = level ? level_load(answer, level) : 0;
    return load >= ANSWER_SATURATED && load >= answer_busy(answer) ? level : NULL;
}

/* Requests that take turns are throughput; bytes may be more than there would have to be. */
static const char *kind_of_level(const Answer *answer, const PsServerRow *level)
{
    const char *relief = relief_kind(answer, level_busiest_class(answer, level));
    return level->level == PS_N_LEVELS ? "throughput" : relief ? relief : "bandwidth";
}

/* What warps wait for at barriers, where nothing is waited for more; NULL else. */
static const PsPathRow *waited_barrier(const Explain *explain)
{
    const PsWaitRow *wait = NULL;
    for (guint i = 0; i < explain->waits->len && !wait; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        if (row->kind == PS_WAIT_DATA || row->kind == PS_WAIT_QUEUE || row->kind == PS_WAIT_BARRIER)
            wait = row;
    }
    if (!wait || wait->kind != PS_WAIT_BARRIER)
        return NULL;
    for (guint i = 0; i < explain->path->len; i++)
        if (((const PsPathRow *)explain->path->pdata[i])->kind == PS_PATH_BARRIER)
            return explain->path->pdata[i];
    return NULL;
}

static void by_path(const Answer *answer, Bottleneck *bottleneck)
{
    const Explain *explain = answer->explain;
    const ExplainShare *top = explain->by_class->pdata[0];
    const PsPathRow *barrier = waited_barrier(explain);
    if (barrier) {
        place(answer, barrier->class_, BIT(PS_PATH_BARRIER), bottleneck);
        bottleneck->kind = "barrier";
        bottleneck->share = share_of_barriers(explain);
        bottleneck->of = SHARE_WARPS;
    } else if (top->class_ != G_MAXUINT) {
        place(answer, top->class_, BIT(top->kind), bottleneck);
        bottleneck->kind = kind_of_share(answer, top);
    } else {
        *bottleneck = (Bottleneck){.kind = kind_of_share(answer, top), .share = top->share};
    }
}

gboolean explain_bottleneck(const Answer *answer, Bottleneck *bottleneck)
{
    const Explain *explain = answer->explain;
    *bottleneck = (Bottleneck){0};
    if (!explain || !explain->path || !explain->by_class->len)
        return FALSE;
    const guint saturating = saturating_class(answer);
    const PsServerRow *level = saturated_level(answer);
    if (by_advice(answer, bottleneck))
        return TRUE;
    if (level) {
        place_level(answer, level, bottleneck);
        bottleneck->kind = kind_of_level(answer, level);
    } else if (saturating != G_MAXUINT) {
        place(answer, saturating, BIT(PS_PATH_PIPELINE), bottleneck);
        bottleneck->kind = kind_of_pipeline(answer, saturating);
    } else {
        by_path(answer, bottleneck);
    }
    return TRUE;
}
