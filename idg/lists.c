/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of a graph, and the attributes of an .idg file that are lists: `after` and `reads`
 * (dependences, separated by white space) and `warps` (ranges, separated by commas). White space,
 * commas and dots inside brackets belong to an expression.
 */
#include "idg/internal.h"
#include <string.h>

#define WHITE_SPACE " \t\r\n"

/* ---- lists --------------------------------------------------------------------------------- */

void ps_idg_free_dep(void *data)
{
    PsIdgDep *dep = data;
    g_free(dep->on);
    ps_expr_free(dep->distance);
    g_free(dep);
}

GPtrArray *ps_idg_new_deps(void)
{
    return g_ptr_array_new_with_free_func(ps_idg_free_dep);
}

PsIdgDep *ps_idg_add_dep(PsIdgItem *node, const char *on)
{
    PsIdgDep *dep = g_new0(PsIdgDep, 1);
    dep->on = g_strdup(on);
    g_ptr_array_add(node->after, dep);
    return dep;
}

PsIdgDep *ps_idg_add_read(PsIdgItem *node, const char *on)
{
    PsIdgDep *dep = g_new0(PsIdgDep, 1);
    dep->on = g_strdup(on);
    if (!node->reads)
        node->reads = ps_idg_new_deps();
    g_ptr_array_add(node->reads, dep);
    return dep;
}

static void warps_free(gpointer data)
{
    PsIdgWarps *warps = data;
    ps_expr_free(warps->first);
    ps_expr_free(warps->last);
    g_free(warps);
}

GPtrArray *ps_idg_new_warps(void)
{
    return g_ptr_array_new_with_free_func(warps_free);
}

PsIdgWarps *ps_idg_add_warps(PsIdgCode *code, PsExpr *first, PsExpr *last)
{
    PsIdgWarps *warps = g_new0(PsIdgWarps, 1);
    if (!code->warps)
        code->warps = ps_idg_new_warps();
    warps->first = first;
    warps->last = last;
    g_ptr_array_add(code->warps, warps);
    return warps;
}

/* ---- attributes ---------------------------------------------------------------------------- */

const char *ps_idg_outside_brackets(const char *text, const char *stops)
{
    int depth = 0;
    for (; *text != '\0'; text++) {
        if (depth <= 0 && strchr(stops, *text))
            break;
        depth += (*text == '(') - (*text == ')');
    }
    return text;
}

/* ---- after, reads -------------------------------------------------------------------------- */

/* Reads one dependence: "x", "x@DISTANCE", "x@all". */
static gboolean read_dep(PsIdgDep *(*add)(PsIdgItem *node, const char *on), PsIdgItem *node,
                         const char *attribute, char *word, PsPlace place, GError **error)
{
    char *distance = strchr(word, '@');
    if (distance)
        *distance++ = '\0';
    if (!ps_expr_is_name(word)) {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "%s: \"%s%s%s\" does not start with the name of a node (a letter or \"_\", "
                    "then letters, digits, \"_\"); write x, x@2, x@(2*k) or x@all",
                    attribute, word, distance ? "@" : "", distance ? distance : "");
        return FALSE;
    }
    if (distance && *distance == '\0') {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "%s: \"%s@\" lacks a distance; write x@2, x@(2*k) or x@all", attribute, word);
        return FALSE;
    }
    PsIdgDep *dep = add(node, word);
    dep->all = distance && strcmp(distance, "all") == 0;
    if (distance && !dep->all)
        dep->distance = ps_expr_new(distance, place, error);
    return !distance || dep->all || dep->distance;
}

gboolean ps_idg_read_deps(PsIdgItem *node, const char *attribute, const char *text, PsPlace place,
                          GError **error)
{
    PsIdgDep *(*add)(PsIdgItem * node, const char *on) =
        strcmp(attribute, "after") == 0 ? ps_idg_add_dep : ps_idg_add_read;
    text += strspn(text, WHITE_SPACE);
    if (*text == '\0') {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "%s is empty; name the nodes whose results this one needs, or leave it out",
                    attribute);
        return FALSE;
    }
    for (guint n = 0; *text != '\0'; n++) {
        if (n >= PS_IDG_MAX_AFTER) {
            ps_error_at(error, PS_ERROR_LIMIT, place,
                        "%s: node \"%s\" has more than %d dependences, the most allowed", attribute,
                        node->name, PS_IDG_MAX_AFTER);
            return FALSE;
        }
        const char *end = ps_idg_outside_brackets(text, WHITE_SPACE);
        g_autofree char *word = g_strndup(text, (gsize)(end - text));
        if (!read_dep(add, node, attribute, word, place, error))
            return FALSE;
        text = end + strspn(end, WHITE_SPACE);
    }
    return TRUE;
}

/* TRUE for a distance that would end early or mean all without brackets. */
static gboolean needs_brackets(const char *distance)
{
    return *ps_idg_outside_brackets(distance, WHITE_SPACE) != '\0' || strcmp(distance, "all") == 0;
}

char *ps_idg_spell_deps(const GPtrArray *deps)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < deps->len; i++) {
        const PsIdgDep *dep = g_ptr_array_index(deps, i);
        const char *distance = dep->distance ? ps_expr_text(dep->distance) : NULL;
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", dep->on);
        if (dep->all)
            g_string_append(text, "@all");
        else if (distance)
            g_string_append_printf(text, needs_brackets(distance) ? "@(%s)" : "@%s", distance);
    }
    return g_string_free(text, FALSE);
}

/* ---- warps --------------------------------------------------------------------------------- */

/* The ".." of a range, or the end of the text. */
static char *range_dots(char *text)
{
    const char *dot = ps_idg_outside_brackets(text, ".");
    while (*dot != '\0' && dot[1] != '.')
        dot = ps_idg_outside_brackets(dot + 1, ".");
    return text + (dot - text);
}

/* "FIRST" or "FIRST..LAST". */
static gboolean read_range(PsIdgCode *code, char *word, PsPlace place, GError **error)
{
    char *dots = range_dots(word);
    gboolean range = *dots != '\0';
    g_autoptr(PsExpr) first = NULL;
    g_autoptr(PsExpr) last = NULL;
    if (range)
        *dots = '\0';
    g_strstrip(word);
    char *end = range ? g_strstrip(dots + 2) : NULL;
    if (*word == '\0' || (range && *end == '\0')) {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "warps: a number is missing; write a list such as \"0..3, 7\"");
        return FALSE;
    }
    first = ps_expr_new(word, place, error);
    if (!first)
        return FALSE;
    last = range ? ps_expr_new(end, place, error) : NULL;
    if (range && !last)
        return FALSE;
    ps_idg_add_warps(code, g_steal_pointer(&first), g_steal_pointer(&last));
    return TRUE;
}

gboolean ps_idg_read_warps(PsIdgCode *code, const char *text, PsPlace place, GError **error)
{
    for (;;) {
        const char *end = ps_idg_outside_brackets(text, ",");
        g_autofree char *word = g_strndup(text, (gsize)(end - text));
        if (!read_range(code, word, place, error))
            return FALSE;
        if (*end == '\0')
            return TRUE;
        text = end + 1;
    }
}

char *ps_idg_spell_warps(const PsIdgCode *code)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < code->warps->len; i++) {
        const PsIdgWarps *warps = g_ptr_array_index(code->warps, i);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", ps_expr_text(warps->first));
        if (warps->last)
            g_string_append_printf(text, "..%s", ps_expr_text(warps->last));
    }
    return g_string_free(text, FALSE);
}
