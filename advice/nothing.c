/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that nothing helps, which is advice, too. See kind.h. */
#include "advice/kind.h"

#include "answer/avoidable.h"
#include "answer/figures.h"
#include "answer/words.h"
#include "tell/format.h"
#include "tell/words.h"

typedef struct {
    double share; /* share of the critical path that is its class's completion latency */
} Own;

/* ---- what is said of it -------------------------------------------------------------------- */

/* The busiest unit of a run that nothing helps. */
static char *advise_busiest(const PsAnswer *answer, const PsBusiest *busiest)
{
    const PsServerRow *server = ps_busiest_server(answer);
    g_autofree char *busy = ps_format_share(busiest->load);
    if (ps_dispatch_utilization(answer) >= busiest->load)
        return g_strdup_printf("used for %s of the time", busy);
    if (busiest->kind == PS_BUSY_PORTS)
        return g_strdup_printf("at %s of the issue of instructions", busy);
    if (server && ps_server_utilization(answer, server) >= busiest->load) {
        g_autofree char *text = ps_server_words(server);
        return g_strdup_printf("at %s of %s", busy, text);
    }
    g_autofree char *name = ps_answer_pipeline_words(answer, ps_answer_busiest(answer)->name);
    return g_strdup_printf("at %s of the %s pipeline", busy, name);
}

/* "; 65.1 % of the critical path is the completion latency of fmadd, which is the GPU's" */
static char *own_latency(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *name = ps_advice_class_words(answer, advice);
    if (!name)
        return g_strdup("");
    g_autofree char *share = ps_format_share(((const Own *)advice->data)->share);
    return g_strdup_printf("; %s of the critical path is the completion latency of %s, which is "
                           "the GPU's",
                           share, name);
}

/* The busiest unit as a sentence: "the busiest pipeline, wgmma, is busy 73.3 % of the time". */
static char *busiest_is(const PsAnswer *answer, const PsBusiest *busiest, const char *where)
{
    if (ps_dispatch_utilization(answer) >= busiest->load)
        return g_strdup_printf("the rate of launches is %s", where);
    if (busiest->kind == PS_BUSY_PORTS)
        return g_strdup_printf("what is busiest is %s", where);
    if (busiest->load > ps_answer_busy(answer))
        return g_strdup_printf("memory is %s", where);
    g_autofree char *busy = ps_format_share(busiest->load);
    g_autofree char *name = ps_answer_pipeline_words(answer, ps_answer_busiest(answer)->name);
    return g_strdup_printf("the busiest pipeline, %s, is busy %s of the time", name, busy);
}

/* Says that nothing that was tried helps. */
static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    if (answer->result.ticks == 0)
        return g_strdup("nothing is known: the graph has no instruction to run");
    if (answer->clamped)
        return g_strdup("nothing is known: the simulated time is below what the roofline allows, "
                        "so an input is wrong; see the cross-check, or take no clamp");
    g_autofree char *where = advise_busiest(answer, &busiest);
    const double headroom = ps_answer_headroom(answer), least = ps_advice_least_gain(answer);
    if (headroom * (1 - PS_ADVICE_LEAST) < 1) {
        g_autofree char *times = ps_format_number(headroom);
        return g_strdup_printf(
            "nothing gives more than %.0f %%: %s, the run takes %s times what the "
            "roofline allows for its operations and bytes",
            100 * least, where, times);
    }
    const PsServerRow *device = ps_server_called(answer, "device");
    if (device && device == ps_busiest_server(answer) && busiest.load >= PS_SATURATED &&
        ps_server_utilization(answer, device) >= busiest.load)
        return g_strdup_printf("nothing is left: %s, the run moves what its threads ask for, once",
                               where);
    /* A variant with half of its issue latencies was tried and gained nothing. */
    if (ps_answer_busy(answer) >= PS_SATURATED && ps_answer_busy(answer) >= busiest.load)
        return g_strdup_printf(
            "nothing alone gives more than %.0f %%: %s, but with half of its issue "
            "latencies other waits would take as long",
            100 * least, where);
    g_autofree char *latency = own_latency(answer, advice);
    g_autofree char *is = busiest_is(answer, &busiest, where);
    return g_strdup_printf("nothing is known: no latency, limit or launch that was tried gives "
                           "more than %.0f %%, and %s%s",
                           100 * least, is, latency);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Own *own = advice->data;
    if (own)
        ps_tell_entry_figure(facts, "path_share", own->share);
}

static const PsAdviceChange none = {
    .name = "none", .sentence = sentence, .tell_figures = tell_figures};

/* -------------------------------------------------------------------------------------------- */

const PsExplainShare *ps_advice_longest_latency(const PsAnswer *answer)
{
    const GPtrArray *shares = answer->explain->by_class;
    const PsExplainShare *top = shares && shares->len ? shares->pdata[0] : NULL;
    return top && top->kind == PS_PATH_COMPLETION ? top : NULL;
}

PsAdvice *ps_advice_nothing(const PsAnswer *answer)
{
    PsAdvice *advice = ps_advice_new(PS_CAUSE_NOTHING, &none, G_MAXUINT);
    const PsExplainShare *top = ps_advice_longest_latency(answer);
    if (!top)
        return advice;
    const PsMachineClass *bound = &answer->machine->classes[top->class_index];
    if (ps_latency_is_avoidable(bound->asked))
        return advice;
    advice->class_index = top->class_index;
    advice->class_name = ps_text_clean(bound->asked);
    ps_advice_data_new(advice, Own)->share = top->share;
    return advice;
}
