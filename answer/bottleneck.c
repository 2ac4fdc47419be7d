/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the cause that holds a run up most. A simulated change is the best evidence, so advice
 * decides where there is any: the critical path alone may follow one of two pipelines that are both
 * nearly saturated. See explain.h. */
#include "answer/advised.h"
#include "answer/avoidable.h"
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "answer/traffic.h"

#include <math.h>
#include <string.h>

const char *ps_cause_name(PsCause cause)
{
#define CAUSE_NAME(id, name) name,
    static const char *const names[] = {PS_CAUSES(CAUSE_NAME)};
#undef CAUSE_NAME
    return names[cause];
}

/* ---- shares and places --------------------------------------------------------------------- */

#define BIT(kind) (1U << (kind))

/* Charges of a class's two latencies. */
#define BOTH_LATENCIES (BIT(PS_PATH_PIPELINE) | BIT(PS_PATH_COMPLETION))

/* The share of the path in stretches of a class with one of these kinds. */
static double share_of_path(const PsExplain *explain, guint class_index, guint kinds)
{
    double sum = 0;
    for (guint i = 0; i < explain->by_class->len; i++) {
        const PsExplainShare *share = explain->by_class->pdata[i];
        if (share->class_index == class_index && kinds & BIT(share->kind))
            sum += share->share;
    }
    return sum;
}

/* The path's longest row of a class (G_MAXUINT: any) with one of these kinds, otherwise the class's
 * longest. */
static const PsPathRow *longest_row(const PsExplain *explain, guint class_index, guint kinds)
{
    const PsPathRow *any = NULL;
    for (guint i = 0; explain->path && i < explain->path->len; i++) {
        const PsPathRow *row = explain->path->pdata[i];
        const gboolean belongs = class_index == G_MAXUINT || row->class_index == class_index;
        if (belongs && kinds & BIT(row->kind))
            return row;
        any = !any && belongs && class_index != G_MAXUINT ? row : any;
    }
    return any;
}

static const char *line_of(const PsAnswer *answer, const PsPathRow *row)
{
    g_autofree char *line = row ? ps_explain_line(answer, row) : NULL;
    const GPtrArray *shares = answer->explain->by_line;
    for (guint i = 0; line && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if (g_strcmp0(share->line, line) == 0)
            return share->line;
    }
    return NULL;
}

/* Sets everything but the kind. For throughput the share is the pipeline's busy time, if that is
 * nearly all the time. */
static void place(const PsAnswer *answer, guint class_index, guint kinds, PsBottleneck *bottleneck)
{
    const PsExplain *explain = answer->explain;
    const PsMachineClass *bound = &answer->machine->classes[class_index];
    const double load = ps_pipeline_utilization(answer, bound->pipeline);
    bottleneck->class_index = class_index;
    const PsPathRow *row = longest_row(explain, class_index, kinds);
    bottleneck->line = line_of(answer, row);
    bottleneck->program = row ? row->program : 0;
    bottleneck->node = row ? row->node : G_MAXUINT;
    bottleneck->share = share_of_path(explain, class_index, kinds);
    bottleneck->of = PS_SHARE_OF_PATH;
    if (kinds == BIT(PS_PATH_PIPELINE) && load >= PS_NEARLY_SATURATED) {
        bottleneck->share = fmin(load, 1);
        bottleneck->of = PS_SHARE_OF_TIME;
    }
}

/* Sets the place by a server of memory and its busiest class. */
static void place_server(const PsAnswer *answer, const PsServerRow *server,
                         PsBottleneck *bottleneck)
{
    place(answer, ps_server_busiest_class(answer, server), BIT(PS_PATH_MEMORY), bottleneck);
    bottleneck->server = server;
    bottleneck->share = fmin(ps_server_utilization(answer, server), 1);
    bottleneck->of = PS_SHARE_OF_TIME;
}

/* Sets the place by a barrier; the share counts waits at all barriers. */
static void place_barrier(const PsAnswer *answer, guint class_index, PsBottleneck *bottleneck)
{
    place(answer, class_index, BIT(PS_PATH_BARRIER), bottleneck);
    bottleneck->share = ps_explain_barrier_share(answer->explain);
    bottleneck->of = PS_SHARE_OF_WARPS;
}

/* ---- by advice ----------------------------------------------------------------------------- */

/* The kinds of stretches that the path charges to a cause; 0: the cause is not one of the run
 * itself. */
static const guint CHARGES[PS_N_CAUSES] = {
    [PS_CAUSE_BANK_CONFLICT] = BOTH_LATENCIES,
    [PS_CAUSE_UNCOALESCED] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY),
    [PS_CAUSE_NARROW_ACCESS] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY),
    [PS_CAUSE_MISALIGNED] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY),
    [PS_CAUSE_ONE_ADDRESS] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY),
    [PS_CAUSE_REUSE] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY),
    [PS_CAUSE_BANDWIDTH] = BIT(PS_PATH_PIPELINE),
    [PS_CAUSE_THROUGHPUT] = BIT(PS_PATH_PIPELINE),
    [PS_CAUSE_LATENCY] = BIT(PS_PATH_COMPLETION) | BIT(PS_PATH_BARRIER) | BIT(PS_PATH_HOLD),
    [PS_CAUSE_BARRIER] = BIT(PS_PATH_BARRIER),
    [PS_CAUSE_ISSUE_PORT] = BIT(PS_PATH_PORT),
    [PS_CAUSE_READ_ONLY] = BOTH_LATENCIES | BIT(PS_PATH_MEMORY)};

/* Further kinds of stretches in which a cause shows: waits that more groups would hide, or that
 * levels of memory serve. */
static const guint SHOWS[PS_N_CAUSES] = {[PS_CAUSE_WHAT_IF] = BOTH_LATENCIES,
                                         [PS_CAUSE_OCCUPANCY] =
                                             BIT(PS_PATH_COMPLETION) | BIT(PS_PATH_MEMORY),
                                         [PS_CAUSE_BANDWIDTH] = BIT(PS_PATH_MEMORY)};

const PsPathRow *ps_cause_row(const PsAnswer *answer, PsCause cause, guint class_index)
{
    const guint kinds = CHARGES[cause] | SHOWS[cause];
    return kinds ? longest_row(answer->explain, class_index, kinds) : NULL;
}

/* TRUE for remedies that hide a cause: more groups at once, an even share of groups, groups of
 * another size, or more of a warp's work at once. */
static gboolean hides_a_cause(PsCause cause)
{
    return cause == PS_CAUSE_OCCUPANCY || cause == PS_CAUSE_TAIL || cause == PS_CAUSE_SHAPE ||
           cause == PS_CAUSE_UNROLL || cause == PS_CAUSE_ORDER || cause == PS_CAUSE_STAGES ||
           cause == PS_CAUSE_MULTICAST || cause == PS_CAUSE_CONSUMERS ||
           cause == PS_CAUSE_TILE_SIZE;
}

/* TRUE if a latency without advice may matter more. There is no advice on latencies that no kernel
 * avoids: results of arithmetic, or the time of a class on a pipeline that is not full. Halving the
 * largest would gain at most half of its share of the path. */
static gboolean has_larger_latency(const PsAnswer *answer, double gain)
{
    const PsExplainShare *top = answer->explain->by_class->pdata[0];
    if (top->class_index == G_MAXUINT || top->share / 2 <= gain ||
        ps_avoidable_cause(answer, top->class_index) != PS_CAUSE_NOTHING)
        return FALSE;
    const PsMachineClass *bound = &answer->machine->classes[top->class_index];
    return top->kind == PS_PATH_PIPELINE
               ? ps_pipeline_utilization(answer, bound->pipeline) < PS_NEARLY_SATURATED
               : top->kind == PS_PATH_COMPLETION && !ps_latency_is_avoidable(bound->asked);
}

/* FALSE if no advice comes first, or one that names no cause or gains less than a cause without
 * advice might. */
static gboolean by_advice(const PsAnswer *answer, PsBottleneck *bottleneck)
{
    const PsAdvice *advice = NULL;
    for (guint i = 0; answer->advice && !advice && i < answer->advice->len; i++)
        if (!hides_a_cause(((const PsAdvice *)answer->advice->pdata[i])->cause))
            advice = answer->advice->pdata[i];
    if (!advice || CHARGES[advice->cause] == 0 || advice->class_index == G_MAXUINT ||
        has_larger_latency(answer, advice->gain))
        return FALSE;
    if (advice->server)
        place_server(answer, advice->server, bottleneck);
    else if (advice->cause == PS_CAUSE_BARRIER)
        place_barrier(answer, advice->class_index, bottleneck);
    else
        place(answer, advice->class_index, CHARGES[advice->cause], bottleneck);
    bottleneck->cause = advice->cause;
    return TRUE;
}

/* ---- without advice ------------------------------------------------------------------------ */

/* A busy pipeline means bandwidth if its bandwidth is used up. */
static PsCause cause_of_pipeline(const PsAnswer *answer, guint class_index)
{
    const guint pipeline = answer->machine->classes[class_index].pipeline;
    const PsCause avoidable = ps_avoidable_cause(answer, class_index);
    if (avoidable != PS_CAUSE_NOTHING)
        return avoidable;
    return ps_pipeline_utilization(answer, pipeline) >= PS_NEARLY_SATURATED &&
                   ps_traffic_is_of_class(answer, class_index)
               ? PS_CAUSE_BANDWIDTH
               : PS_CAUSE_THROUGHPUT;
}

static PsCause cause_of_share(const PsAnswer *answer, const PsExplainShare *share)
{
    switch (share->kind) {
    case PS_PATH_BARRIER:
        return PS_CAUSE_BARRIER;
    case PS_PATH_PORT:
        return PS_CAUSE_ISSUE_PORT;
    case PS_PATH_LAUNCH:
    case PS_PATH_PLACE:
        return PS_CAUSE_LAUNCH;
    case PS_PATH_MEMORY:
    case PS_PATH_DRAIN:
        return PS_CAUSE_BANDWIDTH;
    case PS_PATH_HOLD:
        return PS_CAUSE_LATENCY;
    default:
        break;
    }
    if (share->class_index == G_MAXUINT)
        return share->kind == PS_PATH_COMPLETION ? PS_CAUSE_LATENCY : PS_CAUSE_THROUGHPUT;
    if (share->kind != PS_PATH_COMPLETION)
        return cause_of_pipeline(answer, share->class_index);
    const PsCause avoidable = ps_avoidable_cause(answer, share->class_index);
    return avoidable != PS_CAUSE_NOTHING ? avoidable : PS_CAUSE_LATENCY;
}

/* The class that keeps a saturated pipeline busy, as "Limited by" names it; G_MAXUINT: none. */
static guint saturating_class(const PsAnswer *answer)
{
    const guint pipeline = ps_busiest_pipeline(answer);
    if (pipeline == G_MAXUINT || ps_pipeline_utilization(answer, pipeline) < PS_SATURATED)
        return G_MAXUINT;
    return ps_busiest_class(answer, pipeline);
}

/* The saturated server of memory that is busier than any pipeline; NULL: none. */
static const PsServerRow *saturated_server(const PsAnswer *answer)
{
    const PsServerRow *server = ps_busiest_server(answer);
    const double load = server ? ps_server_utilization(answer, server) : 0;
    return load >= PS_SATURATED && load >= ps_answer_busy(answer) ? server : NULL;
}

/* The cause of a busy server: requests that take turns are throughput, bytes may be more than
 * necessary. */
static PsCause cause_of_server(const PsAnswer *answer, const PsServerRow *server)
{
    const PsCause avoidable = ps_avoidable_cause(answer, ps_server_busiest_class(answer, server));
    return server->level == PS_N_LEVELS    ? PS_CAUSE_THROUGHPUT
           : avoidable != PS_CAUSE_NOTHING ? avoidable
                                           : PS_CAUSE_BANDWIDTH;
}

/* The path's row of waits at a barrier, if nothing takes more; otherwise NULL. */
static const PsPathRow *waited_barrier(const PsExplain *explain)
{
    const PsWaitRow *wait = NULL;
    for (guint i = 0; i < explain->waits->len && !wait; i++) {
        const PsWaitRow *row = explain->waits->pdata[i];
        if (row->kind == PS_WAIT_DATA || row->kind == PS_WAIT_QUEUE || row->kind == PS_WAIT_PORT ||
            row->kind == PS_WAIT_BARRIER || row->kind == PS_WAIT_HOLD)
            wait = row;
    }
    if (!wait || wait->kind != PS_WAIT_BARRIER)
        return NULL;
    for (guint i = 0; i < explain->path->len; i++)
        if (((const PsPathRow *)explain->path->pdata[i])->kind == PS_PATH_BARRIER)
            return explain->path->pdata[i];
    return NULL;
}

/* The instructions that hold issue ports for most of the path; FALSE: none does. */
static gboolean by_ports(const PsAnswer *answer, PsBottleneck *bottleneck)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    const PsPathRow *row = longest_row(answer->explain, G_MAXUINT, BIT(PS_PATH_PORT));
    if (busiest.kind != PS_BUSY_PORTS || busiest.load < PS_SATURATED || !row ||
        row->class_index == G_MAXUINT)
        return FALSE;
    place(answer, row->class_index, BIT(PS_PATH_PORT), bottleneck);
    bottleneck->cause = PS_CAUSE_ISSUE_PORT;
    bottleneck->share = fmin(busiest.load, 1);
    bottleneck->of = PS_SHARE_OF_TIME;
    return TRUE;
}

static void by_path(const PsAnswer *answer, PsBottleneck *bottleneck)
{
    const PsExplain *explain = answer->explain;
    const PsExplainShare *top = explain->by_class->pdata[0];
    const PsPathRow *barrier = waited_barrier(explain);
    bottleneck->share = top->share;
    if (barrier)
        place_barrier(answer, barrier->class_index, bottleneck);
    else if (top->class_index != G_MAXUINT)
        place(answer, top->class_index, BIT(top->kind), bottleneck);
    bottleneck->cause = barrier ? PS_CAUSE_BARRIER : cause_of_share(answer, top);
}

gboolean ps_answer_bottleneck(const PsAnswer *answer, PsBottleneck *bottleneck)
{
    const PsExplain *explain = answer->explain;
    *bottleneck = (PsBottleneck){.class_index = G_MAXUINT, .node = G_MAXUINT};
    if (!explain || !explain->path || !explain->by_class->len)
        return FALSE;
    if (by_advice(answer, bottleneck))
        return TRUE;
    const guint saturating = saturating_class(answer);
    const PsServerRow *server = saturated_server(answer);
    if (server) {
        place_server(answer, server, bottleneck);
        bottleneck->cause = cause_of_server(answer, server);
    } else if (saturating != G_MAXUINT) {
        place(answer, saturating, BIT(PS_PATH_PIPELINE), bottleneck);
        bottleneck->cause = cause_of_pipeline(answer, saturating);
    } else if (!by_ports(answer, bottleneck)) {
        by_path(answer, bottleneck);
    }
    return TRUE;
}
