/* SPDX-License-Identifier: BSD-3-Clause */
/* "CLASS.issue=V,LEVEL.latency=xV,...": other figures for some classes and levels of memory. */
#include "sim/sim.h"

#include "base/class-name.h"
#include "base/nearest.h"

#include <string.h>

PsWhatIf *ps_what_if_new(const char *class_name)
{
    const PsRational kept = {0, 1};
    PsWhatIf *what_if = g_new(PsWhatIf, 1);
    *what_if = (PsWhatIf){g_strdup(class_name), kept, kept, kept, kept, kept, FALSE, FALSE};
    return what_if;
}

void ps_what_if_free(PsWhatIf *what_if)
{
    if (!what_if)
        return;
    g_free(what_if->class_name);
    g_free(what_if);
}

static PsWhatIf *find_or_add(GPtrArray *list, const char *class_name, gboolean times)
{
    for (guint i = 0; i < list->len; i++) {
        PsWhatIf *what_if = list->pdata[i];
        if (what_if->times == times && strcmp(what_if->class_name, class_name) == 0)
            return what_if;
    }
    PsWhatIf *what_if = ps_what_if_new(class_name);
    what_if->times = times;
    g_ptr_array_add(list, what_if);
    return what_if;
}

static gboolean malformed(const char *part, const char *why, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "what-if '%s': %s; write CLASS.issue=CYCLES or CLASS.completion=CYCLES, or of a "
                "level of memory LEVEL.latency=CYCLES, LEVEL.bandwidth=GB/S or LEVEL.port=BYTES; "
                "x0.5 is half of what there is",
                part, why);
    return FALSE;
}

static gboolean is_level(const char *name)
{
    for (PsLevel level = PS_LEVEL_L0; level < PS_N_LEVELS; level++)
        if (strcmp(ps_level_name(level), name) == 0)
            return TRUE;
    return FALSE;
}

/* The figure of that name; NULL: neither classes nor levels have it. */
static PsRational *figure(PsWhatIf *what_if, const char *name)
{
    const struct {
        const char *name;
        PsRational *value;
        gboolean of_level;
    } figures[] = {{"issue", &what_if->issue, FALSE},
                   {"completion", &what_if->completion, FALSE},
                   {"latency", &what_if->latency, TRUE},
                   {"bandwidth", &what_if->bandwidth, TRUE},
                   {"port", &what_if->port, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        if (strcmp(figures[i].name, name) == 0 &&
            figures[i].of_level == is_level(what_if->class_name))
            return figures[i].value;
    return NULL;
}

/* Refuses a figure that only levels have, for a name that is no level. */
static gboolean no_level(const char *part, const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GString) known = g_string_new(NULL);
    for (PsLevel level = PS_LEVEL_L0; level < PS_N_LEVELS; level++) {
        g_ptr_array_add(names, (gpointer)ps_level_name(level));
        g_string_append_printf(known, "%s%s", known->len ? ", " : "", ps_level_name(level));
    }
    g_autofree char *near = ps_did_you_mean(name, names);
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "what-if '%s': there is no level '%s' of memory; levels are %s%s", part, name,
                known->str, near);
    return FALSE;
}

static gboolean is_figure_of_level(const char *name)
{
    static const char *const names[] = {"latency", "bandwidth", "port", NULL};
    return g_strv_contains(names, name);
}

/* Reads a decimal number; JSON may show a latency with more digits behind the point than fractions
 * are read with. */
static gboolean parse_value(const char *text, PsRational *value)
{
    enum { DIGITS = 9 };
    const char *point = strchr(text, '.');
    const gsize n = point ? strspn(point + 1, "0123456789") : 0;
    const gboolean longer = n > DIGITS && !point[1 + n];
    g_autofree char *cut =
        g_strndup(text, longer ? (gsize)(point - text) + 1 + DIGITS : strlen(text));
    return ps_rational_parse(cut, value) && value->num > 0 &&
           ps_rational_cmp(*value, PS_RATIONAL_INT(PS_MAX_LATENCY)) <= 0;
}

/* Reads one "CLASS.issue=V". */
static gboolean parse_part(const char *part, GPtrArray *list, GError **error)
{
    const char *equals = strchr(part, '=');
    if (!equals)
        return malformed(part, "there is no '='", error);
    g_autofree char *written = g_strndup(part, (gsize)(equals - part));
    const char *last = ps_class_cut_last(written);
    g_autofree char *class_name = ps_class_of_cuda(written);
    if (!last)
        return malformed(part, "there is no class", error);
    const gboolean times = equals[1] == 'x' || equals[1] == '*';
    PsRational *to = figure(find_or_add(list, class_name, times), last);
    if (!to && is_figure_of_level(last))
        return no_level(part, class_name, error);
    if (!to)
        return malformed(part,
                         is_level(class_name)
                             ? "a level has a 'latency', a 'bandwidth' and a 'port'"
                             : "a latency is called 'issue' or 'completion'",
                         error);
    PsRational value;
    if (!parse_value(equals + 1 + times, &value))
        return malformed(part, "the value must be a decimal number above 0, at most 10^9", error);
    *to = value;
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

/* TRUE if a graph could ask the GPU for a class that the name covers. */
static gboolean may_be_asked(const PsGpu *gpu, const char *name)
{
    gboolean may_be = is_level(name) || ps_gpu_class(gpu, name, NULL) != NULL;
    for (guint i = 0; !may_be && i < gpu->classes->len; i++)
        may_be = ps_class_covers(name, ((const PsClass *)gpu->classes->pdata[i])->name);
    return may_be;
}

gboolean ps_what_if_check(const GPtrArray *what_ifs, const PsGpu *gpu, GError **error)
{
    for (guint i = 0; what_ifs && i < what_ifs->len; i++) {
        const PsWhatIf *what_if = what_ifs->pdata[i];
        if (may_be_asked(gpu, what_if->class_name))
            continue;
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
        for (guint c = 0; c < gpu->classes->len; c++)
            ps_class_add_names(((const PsClass *)gpu->classes->pdata[c])->name, names);
        g_autofree char *near = ps_did_you_mean(what_if->class_name, names);
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "what-if: the description of %s has no class '%s', nor any above or below it%s",
                    gpu->name, what_if->class_name, near);
        return FALSE;
    }
    return TRUE;
}
