/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings.h. */
#include "tell/findings.h"

#include "tell/findings-formats.h"

#include <string.h>

/* The fact with that number between `at` and `end`; NULL: there is none, or it is unknown. */
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

static void clear(gpointer data)
{
    g_free(((PsFinding *)data)->file);
}

static PsFinding finding_at(const PsTold *facts, guint i, guint end)
{
    const PsFact *line = fact_of(facts, i, end, PS_FACT_FINDING_LINE.n);
    return (PsFinding){.kernel = text_of(facts, i, end, PS_FACT_FINDING_KERNEL),
                       .figure = text_of(facts, i, end, PS_FACT_FINDING_FIGURE),
                       .on = text_of(facts, i, end, PS_FACT_FINDING_ON),
                       .sentence = text_of(facts, i, end, PS_FACT_FINDING_SENTENCE),
                       .cause = text_of(facts, i, end, PS_FACT_FINDING_CAUSE),
                       .file = g_strdup(text_of(facts, i, end, PS_FACT_FINDING_FILE)),
                       .line = line ? line->value.count : 0,
                       .fails = strcmp(ps_told_at(facts, i)->value.text, "error") == 0};
}

/* Advice is not a failure. Its place is "FILE:LINE", or unknown. */
static PsFinding advice_at(const PsTold *facts, guint i, guint end)
{
    const char *place = text_of(facts, i, end, PS_FACT_PLACE_LINE),
               *colon = place ? strrchr(place, ':') : NULL;
    const gint64 line = colon ? g_ascii_strtoll(colon + 1, NULL, 10) : 0;
    return (PsFinding){.kernel = ps_told_text(facts, PS_FACT_KERNEL),
                       .figure = ps_told_at(facts, i)->value.text,
                       .on = ps_told_text(facts, PS_FACT_GPU),
                       .sentence = text_of(facts, i, end, PS_FACT_ADVICE_SENTENCE),
                       .file = line > 0 ? g_strndup(place, (gsize)(colon - place)) : NULL,
                       .line = MAX(line, 0)};
}

GArray *ps_findings(const PsTold *facts)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(PsFinding));
    g_array_set_clear_func(all, clear);
    for (guint i = 1; i < ps_told_length(facts); i++) {
        const PsFact *first = ps_told_at(facts, i);
        const guint end = ps_told_at(facts, i - 1)->end; /* end of this fact's item */
        PsFinding finding;
        if (first->fact == PS_FACT_FINDING_LEVEL.n)
            finding = finding_at(facts, i, end);
        else if (first->fact == PS_FACT_ADVICE_KIND.n)
            finding = advice_at(facts, i, end);
        else
            continue;
        g_array_append_val(all, finding);
    }
    return all;
}

char *ps_finding_words(const PsFinding *finding)
{
    return finding->cause ? g_strdup_printf("%s; %s", finding->sentence, finding->cause)
                          : g_strdup(finding->sentence);
}

char *ps_finding_file(const PsFinding *finding, const char *root)
{
    if (!finding->file)
        return NULL;
    const gsize length = strlen(root);
    g_autofree char *whole = g_canonicalize_filename(finding->file, root);
    const gboolean below = g_str_has_prefix(whole, root) && whole[length] == '/';
    return g_strdup(below ? whole + length + 1 : finding->file);
}
