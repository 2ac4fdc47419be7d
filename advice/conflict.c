/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on accesses that cost too much: bank conflicts and uncoalesced accesses. See kind.h. */
#include "advice/kind.h"

#include "tell/format.h"

#include <math.h>
#include <string.h>

/* ---- what is said of it -------------------------------------------------------------------- */

/* The latencies that change: "issue latency 7 -> 1 and completion latency 100 -> 30". */
static char *describe_latencies(const PsAvoidable *avoidable)
{
    GString *out = g_string_new(NULL);
    const struct {
        const char *name;
        PsRational from, to;
    } parts[] = {{"issue latency", avoidable->from.issue, avoidable->to.issue},
                 {"completion latency", avoidable->from.completion, avoidable->to.completion}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (ps_rational_cmp(parts[i].from, parts[i].to) == 0)
            continue;
        g_autofree char *from = ps_format_latency(parts[i].from);
        g_autofree char *to = ps_format_latency(parts[i].to);
        g_string_append_printf(out, "%s%s %s -> %s", out->len ? " and " : "", parts[i].name, from,
                               to);
    }
    return g_string_free(out, FALSE);
}

/* The change of device memory's traffic, whose bytes are in the graph. */
static char *describe_traffic(const PsAvoidable *avoidable)
{
    if (isnan(avoidable->traffic_from) || isnan(avoidable->traffic_to))
        return g_strdup("how many bytes reach device memory is not known");
    g_autofree char *from = ps_format_scaled(avoidable->traffic_from);
    g_autofree char *to = ps_format_scaled(avoidable->traffic_to);
    if (strcmp(from, to) == 0)
        return g_strdup("the bytes of device memory stay");
    return g_strdup_printf("%s bytes of device memory instead of %s", to, from);
}

static char *tell_coalesced(const PsAvoidable *avoidable, const char *class_name,
                            const char *change, const char *gives)
{
    g_autofree char *traffic = describe_traffic(avoidable);
    g_autofree char *least =
        avoidable->least > 0
            ? g_strdup_printf(", where %" G_GINT64_FORMAT " would do", avoidable->least)
            : g_strdup("");
    return g_strdup_printf(
        "%s touches %" G_GINT64_FORMAT " sectors per request%s: coalesced, it %s%s%s; %s",
        class_name, avoidable->sectors, least, gives, *change ? ", with " : "", change, traffic);
}

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsAvoidable *avoidable = advice->data;
    g_autofree char *change = describe_latencies(avoidable);
    g_autofree char *gives = ps_would_give(answer, advice),
                    *name = ps_advice_class_words(answer, advice);
    if (advice->cause == PS_CAUSE_UNCOALESCED)
        return tell_coalesced(avoidable, name, change, gives);
    if (advice->cause == PS_CAUSE_WHAT_IF)
        return g_strdup_printf("%s %s, as the GPU has it, %s", name, change, gives);
    g_autofree char *degree = ps_format_number(ps_rational_to_double(avoidable->degree));
    g_autofree char *exact = ps_format_rational(avoidable->degree);
    return g_strdup_printf("%s %s %s: that is a bank conflict of degree %s", name, change, gives,
                           ps_rational_is_int(avoidable->degree) ? exact : degree);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const PsAvoidable *avoidable = advice->data;
    if (avoidable->plain)
        ps_tell_entry_text(facts, "plain", avoidable->plain);
    if (avoidable->degree.num > 0)
        ps_tell_entry_exact(facts, "degree", avoidable->degree);
    if (avoidable->sectors > 0)
        ps_tell_entry_whole(facts, "sectors", (double)avoidable->sectors);
    if (avoidable->least > 0)
        ps_tell_entry_whole(facts, "least_sectors", (double)avoidable->least);
    if (!isnan(avoidable->traffic_from) && !isnan(avoidable->traffic_to)) {
        ps_tell_entry_figure(facts, "traffic_now", avoidable->traffic_from);
        ps_tell_entry_figure(facts, "traffic_then", avoidable->traffic_to);
    }
}

static const PsAdviceChange plain = {
    .name = "class", .sentence = sentence, .tell_figures = tell_figures};

/* ---- what it is ---------------------------------------------------------------------------- */

/* The machine's class of that name; that of a what-if may be more general. */
static guint class_of(const PsAnswer *answer, const char *class_name)
{
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (strcmp(answer->machine->classes[i].asked, class_name) == 0)
            return i;
    return G_MAXUINT;
}

static void find(PsAdvicePlan *plan)
{
    const GPtrArray *avoidables = plan->sensitivities->avoidables;
    for (guint i = 0; i < avoidables->len; i++) {
        const PsAvoidable *avoidable = avoidables->pdata[i];
        PsAdvice *advice = ps_advice_add(plan, avoidable->cause, &plain,
                                         class_of(plan->answer, avoidable->class_name), NULL)
                               ->advice;
        g_free(advice->class_name);
        advice->class_name = ps_text_clean(avoidable->class_name);
        advice->seconds = avoidable->seconds;
        advice->half_width = avoidable->half_width;
        advice->data = g_memdup2(avoidable, sizeof *avoidable);
    }
}

const PsAdviceKind ps_advice_kind_conflict = {.find = find};
