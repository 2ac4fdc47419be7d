/* SPDX-License-Identifier: BSD-3-Clause */
/* See trust.h. */
#include "cli/report/trust.h"

/* Names of what is assumed that are listed; the others are counted. */
#define MAX_NAMES 6

const char *assumed_name(const PsAssumed *assumed)
{
    switch (assumed->kind) {
    case PS_ASSUMED_LEVEL:
        return assumed->level == PS_LEVEL_DEVICE ? "device memory" : ps_level_name(assumed->level);
    case PS_ASSUMED_MEMORY:
        return "loads and stores";
    case PS_ASSUMED_ATOMICS:
        return "atomics";
    case PS_ASSUMED_OVERHEADS:
        return "what launches cost";
    case PS_ASSUMED_CLASS:
        break;
    }
    return assumed->name;
}

/* "; assumed: branch, what launches cost", or nothing. */
static void append_names(GString *out, const char *what, const GArray *assumed)
{
    const guint n = assumed ? MIN(assumed->len, MAX_NAMES) : 0;
    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : what,
                               assumed_name(&g_array_index(assumed, PsAssumed, i)));
    if (assumed && n < assumed->len)
        g_string_append_printf(out, " and %u more", assumed->len - n);
}

char *trust_describe(const PsAnswer *answer)
{
    static const char *const words[] = {"measured", "published", "a vendor's", "derived"};
    g_auto(PsTrust) trust = ps_answer_trust(answer);
    GString *out = g_string_new(NULL);
    for (guint kind = 0; kind < PS_SOURCE_ASSUMED; kind++)
        if (trust.used[kind])
            g_string_append_printf(out, "%s%s", out->len ? ", " : "the GPU's figures are ",
                                   words[kind]);
    if (trust.unknown)
        g_string_append(out,
                        out->len ? ", or without a source" : "the GPU's figures have no source");
    if (!out->len)
        g_string_append(out, "nothing of it was measured");
    append_names(out, "; assumed: ", trust.assumed);
    if (!trust.assumed->len && !trust.unknown)
        g_string_append(out, "; nothing is assumed");
    return g_string_free(out, FALSE);
}

char *certainty_describe(const PsAdvice *advice)
{
    GString *out = g_string_new(NULL);
    append_names(out, "; it rests on assumed figures: ", advice->trust.assumed);
    if (advice->within_error)
        g_string_append_printf(out, "; that is less than the model can tell, %g %%",
                               100 * PS_MODEL_ERROR);
    return g_string_free(out, FALSE);
}
