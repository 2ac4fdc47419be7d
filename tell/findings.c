/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings.h. */
#include "tell/findings.h"

#include <string.h>

/* The fact of that number among those from `at` up to `end`; NULL: none, or it is not known. */
static const PsFact *fact_of(const PsTold *facts, guint at, guint end, guint16 number)
{
    for (guint i = at; i < end; i++) {
        const PsFact *fact = ps_told_at(facts, i);
        if (fact->fact == number)
            return fact->known ? fact : NULL;
    }
    return NULL;
}

static const char *text_of(const PsTold *facts, guint at, guint end, PsTextFact text)
{
    const PsFact *fact = fact_of(facts, at, end, text.n);
    return fact ? fact->value.text : NULL;
}

GArray *ps_findings(const PsTold *facts)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(PsFinding));
    for (guint i = 0; i < ps_told_length(facts); i++) {
        const PsFact *first = ps_told_at(facts, i);
        if (first->fact != PS_FACT_FINDING_LEVEL.n)
            continue;
        const guint end = ps_told_at(facts, i - 1)->end; /* of the item whose first fact it is */
        const PsFact *line = fact_of(facts, i, end, PS_FACT_FINDING_LINE.n);
        const PsFinding finding = {.kernel = text_of(facts, i, end, PS_FACT_FINDING_KERNEL),
                                   .figure = text_of(facts, i, end, PS_FACT_FINDING_FIGURE),
                                   .sentence = text_of(facts, i, end, PS_FACT_FINDING_SENTENCE),
                                   .cause = text_of(facts, i, end, PS_FACT_FINDING_CAUSE),
                                   .file = text_of(facts, i, end, PS_FACT_FINDING_FILE),
                                   .line = line ? line->value.count : 0,
                                   .fails = strcmp(first->value.text, "error") == 0};
        g_array_append_val(all, finding);
    }
    return all;
}

char *ps_finding_words(const PsFinding *finding)
{
    return finding->cause ? g_strdup_printf("%s; %s", finding->sentence, finding->cause)
                          : g_strdup(finding->sentence);
}
