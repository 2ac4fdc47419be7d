/* SPDX-License-Identifier: BSD-3-Clause */
/* "CLASS.issue=V,CLASS.completion=V,...": other latencies for some classes. */
#include "sim/sim.h"

#include <string.h>

void ps_what_if_free(PsWhatIf *what_if)
{
    if (what_if == NULL)
        return;
    g_free(what_if->klass);
    g_free(what_if);
}

static PsWhatIf *find_or_add(GPtrArray *list, const char *klass)
{
    for (guint i = 0; i < list->len; i++) {
        PsWhatIf *what_if = list->pdata[i];
        if (strcmp(what_if->klass, klass) == 0)
            return what_if;
    }
    PsWhatIf *what_if = g_new0(PsWhatIf, 1);
    *what_if = (PsWhatIf){g_strdup(klass), {0, 1}, {0, 1}};
    g_ptr_array_add(list, what_if);
    return what_if;
}

static gboolean malformed(const char *part, const char *why, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "what-if '%s': %s; write CLASS.issue=CYCLES or CLASS.completion=CYCLES", part, why);
    return FALSE;
}

/* One "CLASS.issue=V". */
static gboolean parse_part(const char *part, GPtrArray *list, GError **error)
{
    const char *equals = strchr(part, '=');
    if (equals == NULL)
        return malformed(part, "there is no '='", error);
    g_autofree char *klass = g_strndup(part, (gsize)(equals - part));
    char *dot = strrchr(klass, '.');
    if (dot == NULL || dot == klass)
        return malformed(part, "there is no class", error);
    *dot = '\0';
    const gboolean issue = strcmp(dot + 1, "issue") == 0;
    if (!issue && strcmp(dot + 1, "completion") != 0)
        return malformed(part, "a latency is called 'issue' or 'completion'", error);
    PsRational value;
    if (!ps_rational_parse(equals + 1, &value) || value.num <= 0 ||
        ps_rational_cmp(value, PS_RATIONAL_INT(PS_MAX_LATENCY)) > 0)
        return malformed(part, "the latency must be a decimal number above 0, at most 10^9", error);
    PsWhatIf *what_if = find_or_add(list, klass);
    if (issue)
        what_if->issue = value;
    else
        what_if->completion = value;
    return TRUE;
}

GPtrArray *ps_what_if_parse(const char *text, GError **error)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)ps_what_if_free);
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    for (guint i = 0; parts[i] != NULL; i++)
        if (!parse_part(g_strstrip(parts[i]), list, error))
            return NULL;
    if (list->len == 0) {
        malformed(text, "it is empty", error);
        return NULL;
    }
    return g_steal_pointer(&list);
}
