/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointers.h. */
#include "launch/pointers.h"

#include "base/usage.h"
#include "launch/fill.h"
#include "launch/value.h"

#include <string.h>

static const char PREFIX[] = "pointers:";

#define MOST_POINTERS 4096

gboolean ps_pointers_is(const char *text)
{
    return g_str_has_prefix(text, PREFIX);
}

/* The parts of the text; *buffer is borrowed from it. */
static gboolean split(const char *what, const char *text, char **count, const char **buffer,
                      GError **error)
{
    const char *from = text + strlen(PREFIX), *end = strchr(from, ':');
    if (!end || end == from || !end[1])
        return ps_usage_error(error, "%s: write pointers:COUNT:BUFFER, such as pointers:16:zero:4M",
                              what);
    *count = ps_value_expand(from);
    *strchr(*count, ':') = '\0';
    *buffer = end + 1;
    return TRUE;
}

/* Without a scope the formula is only checked. */
static gboolean parse_count(const char *what, const char *text, const PsScope *scope, guint *count,
                            GError **error)
{
    const PsIntRange range = {"number of pointers", 1, MOST_POINTERS};
    const PsPlace place = {what, 0};
    g_autoptr(GError) why = NULL;
    gint64 value = 0;
    g_autoptr(PsExpr) expr = ps_expr_new(text, place, &why);
    if (!expr || (scope && !ps_expr_eval_int(expr, scope, place, &range, &value, &why)))
        return ps_usage_error(error, "%s", why->message);
    *count = (guint)value;
    return TRUE;
}

gboolean ps_pointers_check(const char *what, const char *text, GError **error)
{
    g_autofree char *count = NULL;
    const char *buffer;
    guint n;
    return split(what, text, &count, &buffer, error) && parse_count(what, count, NULL, &n, error) &&
           ps_fill_check(what, buffer, error);
}

gboolean ps_pointers_set(const PsFieldsOf *of, PsPtxArgument *argument, const char *text,
                         GError **error)
{
    g_autofree char *count = NULL;
    const char *buffer;
    guint n;
    if (!split(of->what, text, &count, &buffer, error) ||
        !parse_count(of->what, count, of->scope, &n, error))
        return FALSE;
    PsPtxField *fields = g_new0(PsPtxField, n);
    argument->fields = fields;
    argument->size = (gsize)n * of->address_size;
    argument->data = g_malloc0(argument->size);
    for (guint i = 0; i < n; i++) {
        PsPtxField *field = &fields[argument->n_fields++];
        field->name = g_strdup_printf("%s[%u]", of->name, i);
        field->offset = (guint64)i * of->address_size;
        field->data =
            ps_fill_make_later(of->what, buffer, of->scope, &field->size, &field->blocks, error);
        if (!field->data)
            return FALSE;
    }
    return TRUE;
}
