/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a comparison's charges. See comparison-facts.h. */
#include "tell/comparison-facts.h"

#include "answer/words.h"
#include "idg/words.h"
#include "tell/format.h"
#include "tell/words.h"

#include <string.h>

char *ps_class_charge_words(const PsAnswer *answer, const PsCharge *charge)
{
    g_autofree char *name = answer ? ps_idg_class_words(answer->idg, charge->name) : NULL;
    return ps_path_words(charge->kind, answer ? name : charge->name);
}

/* "mmul.cu:24 -> 27": a file of both sides is named once. */
static char *both_places(const PsCharge *charge)
{
    const char *a = charge->places[0], *b = charge->places[1];
    const char *colon = strrchr(b, ':');
    const gsize file = (gsize)(colon - b) + 1;
    if (strcmp(a, b) == 0)
        return g_strdup(a);
    return g_strconcat(a, " -> ", strncmp(a, b, file) == 0 ? b + file : b, NULL);
}

char *ps_line_charge_words(const PsCharge *charge)
{
    static const char *const changes[PS_N_LINE_CHANGES] = {[PS_LINE_SAME] = "",
                                                           [PS_LINE_MOVED] = ", moved",
                                                           [PS_LINE_CHANGED] = ", changed",
                                                           [PS_LINE_ONLY_A] = ", A only",
                                                           [PS_LINE_ONLY_B] = ", B only"};
    if (!charge->name)
        return g_strdup(NO_LINE);
    g_autofree char *places =
        charge->places[0] && charge->places[1] ? both_places(charge) : g_strdup(charge->name);
    return g_strconcat(places, changes[charge->change], NULL);
}

char *ps_pipeline_charge_words(const PsAnswer *answer, const PsCharge *charge)
{
    return charge->name && answer         ? ps_answer_pipeline_words(answer, charge->name)
           : charge->name                 ? ps_text_clean(charge->name)
           : charge->kind == PS_PATH_PORT ? g_strdup(ISSUE_PORT)
                                          : g_strdup(NO_PIPELINE);
}

/* "; B has 0.5000 times as many operations", or "; B moves 0.5000 times as many bytes"; empty for
 * equal work (g_free). */
static char *describe_work(const PsComparison *comparison)
{
    if (comparison->work == 1)
        return g_strdup("");
    g_autofree char *times = ps_format_number(comparison->work);
    return g_strdup_printf("; B %s %s times as many %s",
                           comparison->work_is_operations ? "has" : "moves", times,
                           comparison->work_is_operations ? "operations" : "bytes");
}

char *ps_comparison_words(const PsComparison *comparison)
{
    const PsAnswer *a = comparison->answers[0], *b = comparison->answers[1];
    g_autofree char *first = ps_format_time(a->seconds), *second = ps_format_time(b->seconds);
    g_autofree char *work = describe_work(comparison);
    const double ratio = ps_answer_ratio(b, a);
    g_autofree char *slower = ps_format_number(ratio), *faster = ps_format_number(1 / ratio);
    if (a->seconds == b->seconds)
        return g_strdup_printf("A and B take the same time: %s%s", first, work);
    if (!(a->seconds > 0) || !(b->seconds > 0))
        return g_strdup_printf("B takes %s, A %s", second, first);
    return ratio > 1 ? g_strdup_printf("B takes %s times as long as A: %s instead of %s%s", slower,
                                       second, first, work)
                     : g_strdup_printf("B is %s times as fast as A: %s instead of %s%s", faster,
                                       second, first, work);
}
