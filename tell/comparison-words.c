/* SPDX-License-Identifier: BSD-3-Clause */
/* What the charges of a comparison are called. See comparison-facts.h. */
#include "tell/comparison-facts.h"

#include "answer/words.h"
#include "idg/words.h"
#include "tell/words.h"

#include <string.h>

char *ps_class_charge_words(const PsAnswer *answer, const PsCharge *charge)
{
    g_autofree char *name = answer ? ps_idg_class_words(answer->idg, charge->name) : NULL;
    return ps_path_words(charge->kind, answer ? name : charge->name);
}

/* "mmul.cu:24 -> 27": of one file it is named once. */
static char *both_places(const PsCharge *charge)
{
    const char *a = charge->places[0], *b = charge->places[1];
    const char *colon = strrchr(b, ':');
    const gsize file = (gsize)(colon - b) + 1;
    if (strcmp(a, b) == 0)
        return g_strdup(a);
    return g_strconcat(a, " -> ", strncmp(a, b, file) == 0 ? b + file : b, NULL);
}

char *ps_line_charge_words(const PsAnswer *answer, const PsCharge *charge)
{
    (void)answer;
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
