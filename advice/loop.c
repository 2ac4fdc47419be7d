/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on loops: several iterations at once, loads an iteration ahead, or loads as early as
 * possible. Each way has a graph of its own (idg/rearrange.h). See kind.h.
 */
#include "advice/loop-way.h"

#include "answer/avoidable.h"
#include "base/class-name.h"
#include "idg/edit.h"
#include "idg/rearrange.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* Loops that are tried, at most. */
#define MOST_LOOPS 3

/* The simplest way comes first: a later one is told only if it gains more. */
static const struct {
    guint times;
    gboolean ahead, chains;
} WAYS[] = {{2, FALSE, FALSE}, {4, FALSE, FALSE}, {1, TRUE, FALSE},
            {1, FALSE, FALSE}, {2, FALSE, TRUE},  {4, FALSE, TRUE}};

/* A loop of the source: codes of several kinds of warps may each have it. */
typedef struct {
    char *line;               /* line of its branch; NULL: unknown, so the loop is one code's */
    GArray *places;           /* Place */
    gint64 trips;             /* the largest number of iterations */
    double share;             /* share of the critical path */
    double loaded;            /* the part of that share that its loads take */
    const PsPathRow *longest; /* longest row among loads in it, or among all its nodes */
    gboolean loads;
} Loop;

/* A loop of a program, by the first and last node of its own body. */
typedef struct {
    guint program, first, last;
} Place;

static void loop_free(void *data)
{
    Loop *loop = data;
    g_array_unref(loop->places);
    g_free(loop->line);
    g_free(loop);
}

/* ---- which loops --------------------------------------------------------------------------- */

static const PsProgramNode *node_at(const PsAnswer *answer, guint program, guint node)
{
    return &answer->kernel->programs[program].nodes[node];
}

/* TRUE if two nodes of a program have the same innermost loop. */
static gboolean is_same_loop(const PsProgramNode *a, const PsProgramNode *b)
{
    return a->n_loops > 0 && a->n_loops == b->n_loops && a->loops[0].number == b->loops[0].number;
}

/* The loop with that line; added if it is new. */
static Loop *loop_with(GPtrArray *loops, char *line /* taken */)
{
    for (guint i = 0; line && i < loops->len; i++)
        if (g_strcmp0(((const Loop *)loops->pdata[i])->line, line) == 0) {
            g_free(line);
            return loops->pdata[i];
        }
    Loop *loop = g_new0(Loop, 1);
    loop->line = line;
    loop->places = g_array_new(FALSE, FALSE, sizeof(Place));
    g_ptr_array_add(loops, loop);
    return loop;
}

/* Finds the innermost loops of a program that run more than once. */
static void find_loops(const PsAnswer *answer, guint p, GPtrArray *loops)
{
    const PsProgram *program = &answer->kernel->programs[p];
    for (guint first = 0, last; first < program->n_nodes; first = last + 1) {
        const PsProgramNode *node = node_at(answer, p, first);
        for (last = first;
             last + 1 < program->n_nodes && is_same_loop(node, node_at(answer, p, last + 1));)
            last++;
        if (node->n_loops == 0 || node->loops[0].trips < 2)
            continue;
        const Place place = {p, first, last};
        Loop *loop = loop_with(loops, ps_item_line(answer->idg, node_at(answer, p, last)->item));
        g_array_append_val(loop->places, place);
        loop->trips = MAX(loop->trips, node->loops[0].trips);
    }
}

static void add_row(const PsAnswer *answer, const PsPathRow *row, Loop *loop)
{
    for (guint i = 0; i < loop->places->len; i++) {
        const Place *place = &g_array_index(loop->places, Place, i);
        if (place->program != row->program || row->node < place->first || row->node > place->last)
            continue;
        const gboolean loads = ps_advice_is_load(answer, row);
        const double share = (double)row->ticks / (double)answer->result.ticks;
        loop->share += share;
        loop->loaded += loads ? share : 0;
        if (!loop->longest || (loads && !loop->loads))
            loop->longest = row;
        loop->loads = loop->loads || loads;
    }
}

static int largest_share_first(gconstpointer a, gconstpointer b)
{
    const Loop *x = *(Loop *const *)a, *y = *(Loop *const *)b;
    return (x->share < y->share) - (x->share > y->share);
}

/* The loops, those with most of the path first. Rows come longest first. */
static GPtrArray *list_loops(const PsAnswer *answer)
{
    GPtrArray *loops = g_ptr_array_new_with_free_func(loop_free);
    const GPtrArray *path = answer->explain->path;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        find_loops(answer, p, loops);
    for (guint i = 0; path && i < path->len; i++)
        for (guint l = 0; l < loops->len; l++)
            if (((const PsPathRow *)path->pdata[i])->node != G_MAXUINT)
                add_row(answer, path->pdata[i], loops->pdata[l]);
    g_ptr_array_sort(loops, largest_share_first);
    return loops;
}

/* ---- what is said of it -------------------------------------------------------------------- */

static GArray *ways_of(const PsAdvice *advice)
{
    return ((const PsLoopWays *)advice->data)->ways;
}

static guint loop_of(const PsAdvice *advice)
{
    return ((const PsLoopWays *)advice->data)->loop;
}

/* "two iterations", or "iterations as they are": the words for the way. */
static char *describe_way(const PsLoopWay *way, const char *of)
{
    const char *times = way->times == 2 ? "two" : "four";
    if (way->ahead)
        return g_strdup_printf("loads of the next iteration%s before the work on this one", of);
    if (way->times == 1)
        return g_strdup_printf("loads%s before all that can wait for them", of);
    if (way->sums)
        return g_strdup_printf("%s iterations%s at once, each with a sum of its own%s", times, of,
                               way->rounds ? " (which rounds otherwise)" : "");
    if (way->apart)
        return g_strdup_printf("%s iterations%s in one (its barrier or branch keeps them apart)",
                               times, of);
    return g_strdup_printf("%s iterations%s at once, %s", times, of,
                           way->loads ? "with all their loads before the first use"
                                      : "an instruction of each in turns");
}

/* A short name of a way, in a list of several. */
static char *name_way(const PsLoopWay *way)
{
    const char *times = way->times == 2 ? "two" : "four";
    return way->ahead        ? g_strdup("loads an iteration ahead")
           : way->times == 1 ? g_strdup("loads first")
           : way->sums       ? g_strdup_printf("%s with %s sums%s", times, times,
                                         way->rounds ? " (rounded otherwise)" : "")
                             : g_strdup(times);
}

/* "; four: 8.1 us; loads an iteration ahead: 9.2 us": the ways that are known to gain something.
 * Several sums have a price, so they are told only where they gain more. */
static char *describe_others(const GArray *ways, double now)
{
    GString *out = g_string_new(NULL);
    const double first = g_array_index(ways, PsLoopWay, 0).seconds;
    for (guint i = 1; i < ways->len; i++) {
        const PsLoopWay *way = &g_array_index(ways, PsLoopWay, i);
        if (isnan(way->seconds) || !(way->seconds < (way->sums ? first : now)))
            continue;
        g_autofree char *name = name_way(way);
        g_autofree char *seconds = ps_format_time(way->seconds);
        g_string_append_printf(out, "; %s: %s", name, seconds);
    }
    return g_string_free(out, FALSE);
}

/* "; `#pragma unroll 4` before it, compiled, gives 8.1 us"; empty if nothing asked for it. */
static char *describe_pragma(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsPragma *pragma = &((const PsLoopWays *)advice->data)->pragma;
    const PsLoopWay *way = ps_loop_way(advice, 0);
    if (pragma->why)
        return g_strdup_printf("; what `#pragma unroll` gives is not known: %s", pragma->why);
    if (pragma->same)
        return g_strdup_printf("; `#pragma unroll %u` changes nothing there: the compiler makes "
                               "the same code of it",
                               pragma->times);
    if (!pragma->times)
        return g_strdup("");
    g_autofree char *seconds = ps_format_time(pragma->seconds);
    const gboolean helps = pragma->seconds <= answer->seconds * (1 - PS_ADVICE_LEAST);
    return g_strdup_printf("; `#pragma unroll %u` there, compiled, gives %s%s", pragma->times,
                           seconds,
                           helps               ? ""
                           : way->passes_store ? ", and does not do it: the compiler keeps loads "
                                                 "behind stores"
                                               : ", and does not do it");
}

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsLoopWay *way = ps_loop_way(advice, 0);
    g_auto(PsNodePlace) end = ps_answer_place(answer, advice->program, loop_of(advice));
    g_autofree char *of =
        end.line ? g_strdup_printf(" of the loop at %s", end.line) : g_strdup(" of the loop");
    g_autofree char *what = describe_way(way, of);
    g_autofree char *price = ps_loop_price(way);
    g_autofree char *others = describe_others(ways_of(advice), answer->seconds);
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *pragma = describe_pragma(answer, advice);
    return g_strdup_printf("%s%s %s%s%s", what, price, gives, others, pragma);
}

static void tell_way(const PsLoopWay *way, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_TIMES, way->times);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_AHEAD, way->ahead);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_SUMS, way->sums);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_ROUNDS, way->rounds);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_PASSES_STORE, way->passes_store);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_REGISTERS, way->registers);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_WAYS_SECONDS, way->seconds);
    ps_tell_close(facts);
}

/* Tells the ways that were tried. */
static void tell_own(const PsAnswer *answer, const PsAdvice *advice, PsTold *facts)
{
    g_auto(PsNodePlace) end = ps_answer_place(answer, advice->program, loop_of(advice));
    ps_tell_open(facts, PS_FACT_ADVICE_LOOP);
    ps_tell(facts, PS_FACT_ADVICE_LOOP_LINE, end.line);
    ps_tell_open(facts, PS_FACT_ADVICE_LOOP_WAYS);
    for (guint i = 0; i < ways_of(advice)->len; i++)
        tell_way(ps_loop_way(advice, i), facts);
    ps_tell_close(facts);
    ps_tell_close(facts);
}

static const PsAdviceChange written_otherwise = {
    .name = "loop", .sentence = sentence, .tell_own = tell_own, .clear = ps_loop_ways_clear};

gboolean ps_advice_is_loop(const PsAdvice *advice)
{
    return advice->change == &written_otherwise;
}

/* ---- ways to write one --------------------------------------------------------------------- */

/* Rearranges the loop wherever the graph has it; FALSE if that is impossible somewhere. */
static gboolean rearrange(const PsAnswer *answer, const Loop *loop, const PsIdgWay *way, PsIdg *idg,
                          PsLoopWay *found)
{
    guint words = 0;
    for (guint i = 0; i < loop->places->len; i++) {
        const Place *place = &g_array_index(loop->places, Place, i);
        PsIdgRearranged did;
        if (!ps_idg_rearrange(idg, place->program,
                              node_at(answer, place->program, place->first)->item->name, way, &did))
            return FALSE;
        words = MAX(words, did.words);
        found->loads = MAX(found->loads, did.loads);
        found->passes_store = found->passes_store || did.passes_store;
        found->apart = found->apart || did.apart;
        found->sums = MAX(found->sums, did.sums);
        found->rounds = found->rounds || did.rounds;
    }
    found->registers = words;
    return TRUE;
}

/* The node whose line stands for the loop, where most of its time is. */
static guint end_of(const Loop *loop)
{
    for (guint i = 0; i < loop->places->len; i++) {
        const Place *place = &g_array_index(loop->places, Place, i);
        if (place->program == loop->longest->program && loop->longest->node >= place->first &&
            loop->longest->node <= place->last)
            return place->last;
    }
    return loop->longest->node;
}

static void add_item(PsAdvicePlan *plan, const Loop *loop, const PsLoopWay *way, PsIdg *idg)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = idg;
    variant->share = fmin(loop->share, ps_latency_most_gain(plan->answer));
    PsAdvice *advice = ps_advice_add(plan, way->times > 1 ? PS_CAUSE_UNROLL : PS_CAUSE_ORDER,
                                     &written_otherwise, loop->longest->class_index, variant)
                           ->advice;
    advice->program = loop->longest->program;
    advice->node = loop->longest->node;
    ps_loop_ways_init(advice, end_of(loop), way);
}

/* FALSE if the loop cannot be written that way. */
static gboolean add_way(PsAdvicePlan *plan, const Loop *loop, guint w)
{
    const PsAnswer *answer = plan->answer;
    const PsIdgWay way = {WAYS[w].times, WAYS[w].chains, WAYS[w].ahead, answer->kernel->scope};
    PsLoopWay found = {.times = way.times, .ahead = way.prefetch, .seconds = NAN};
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    /* if loads take all of the time, sums do not matter */
    if (loop->trips < way.times || (way.chains && loop->share - loop->loaded < PS_ADVICE_LEAST) ||
        !rearrange(answer, loop, &way, idg, &found) ||
        !ps_advice_add_registers(answer, found.registers, idg))
        return FALSE;
    add_item(plan, loop, &found, g_steal_pointer(&idg));
    return TRUE;
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(GPtrArray) loops = list_loops(plan->answer);
    for (guint i = 0, tried = 0; i < loops->len && tried < MOST_LOOPS; i++) {
        gboolean any = FALSE;
        if (((const Loop *)loops->pdata[i])->share < PS_ADVICE_LEAST)
            return;
        for (guint w = 0; w < G_N_ELEMENTS(WAYS); w++)
            any = add_way(plan, loops->pdata[i], w) || any;
        tried += any;
    }
}

/* ---- which of them ------------------------------------------------------------------------- */

static gboolean is_of(const PsAdviceItem *item, const PsAdvice *advice)
{
    return ps_advice_is_loop(item->advice) && item->advice->program == advice->program &&
           loop_of(item->advice) == loop_of(advice);
}

/* The simplest way whose gain is not noticeably smaller than that of others. */
static PsAdviceItem *best_of(const PsAdvicePlan *plan, const PsAdvice *advice)
{
    PsAdviceItem *best = NULL;
    for (guint i = 0; i < plan->items->len; i++) {
        PsAdviceItem *item = plan->items->pdata[i];
        if (is_of(item, advice) && !isnan(item->advice->seconds) &&
            (!best || item->advice->gain >= best->advice->gain + PS_ADVICE_LEAST))
            best = item;
    }
    return best;
}

/* Gives the best item of a loop the facts about the other ways, which are not told by
 * themselves. */
static void gather_ways(const PsAdvicePlan *plan, PsAdviceItem *best)
{
    for (guint i = 0; i < plan->items->len; i++) {
        PsAdviceItem *item = plan->items->pdata[i];
        if (!is_of(item, best->advice) || item == best)
            continue;
        item->least = INFINITY;
        g_array_append_val(ways_of(best->advice), *ps_loop_way(item->advice, 0));
    }
}

static void conclude(PsAdvicePlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        if (ps_advice_is_loop(item->advice))
            ps_loop_way(item->advice, 0)->seconds = item->advice->seconds;
    }
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        PsAdviceItem *best = ps_advice_is_loop(item->advice) && item->least < INFINITY &&
                                     ways_of(item->advice)->len == 1
                                 ? best_of(plan, item->advice)
                                 : NULL;
        if (best)
            gather_ways(plan, best);
    }
}

const PsAdviceKind ps_advice_kind_loop = {.find = find, .copies_graph = TRUE, .conclude = conclude};
