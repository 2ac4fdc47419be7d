/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on loops in words. See words.h. */
#include "advice/words.h"

#include "tell/describe.h"
#include "tell/format.h"

#include <math.h>

/* "two iterations", "iterations as they are": what is written otherwise. */
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

/* The same in short, as one of several. */
static char *name_way(const PsLoopWay *way)
{
    const char *times = way->times == 2 ? "two" : "four";
    return way->ahead        ? g_strdup("loads an iteration ahead")
           : way->times == 1 ? g_strdup("loads first")
           : way->sums       ? g_strdup_printf("%s with %s sums%s", times, times,
                                         way->rounds ? " (rounded otherwise)" : "")
                             : g_strdup(times);
}

/* "; four: 8.1 us; loads an iteration ahead: 9.2 us", of those that are known and give something.
 * More sums have a price, so they are told where they give more. */
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

/* What must be known for it, and what it costs: behind what is written otherwise, up to a comma. */
static char *describe_price(const PsLoopWay *way)
{
    g_autofree char *more = ps_format_noun(way->registers, "register");
    g_autofree char *registers =
        way->registers ? g_strdup_printf(", for some %s more", more) : g_strdup("");
    return g_strconcat(way->passes_store
                           ? ", where what it stores is not what it loads (__restrict__ says so)"
                           : "",
                       registers, way->passes_store || way->registers ? "," : "", NULL);
}

char *ps_raised_sentence(const PsAdvice *advice, const char *gives)
{
    const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, 0);
    g_autofree char *loads = ps_format_noun(way->loads, "load");
    g_autofree char *price = describe_price(way);
    return g_strdup_printf("%s earlier%s, before what waits for others%s %s", loads,
                           way->loads > 1 ? ", this one with them" : "", *price ? price : ",",
                           gives);
}

/* "; `#pragma unroll 4` before it, compiled, gives 8.1 us"; nothing where nobody asked. */
static char *describe_pragma(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsPragma *pragma = &advice->pragma;
    const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, 0);
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

char *ps_loop_sentence(const PsAnswer *answer, const PsAdvice *advice, const char *gives)
{
    const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, 0);
    g_auto(PsNodePlace) end = ps_answer_place(answer, advice->program, advice->loop);
    g_autofree char *of =
        end.line ? g_strdup_printf(" of the loop at %s", end.line) : g_strdup(" of the loop");
    g_autofree char *what = describe_way(way, of);
    g_autofree char *price = describe_price(way);
    g_autofree char *others = describe_others(advice->ways, answer->seconds);
    g_autofree char *pragma = describe_pragma(answer, advice);
    return g_strdup_printf("%s%s %s%s%s", what, price, gives, others, pragma);
}
