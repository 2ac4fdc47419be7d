/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of parameters by name. A hash table finds them, a list keeps their order for messages and
 * reports.
 */
#include "idg/expr.h"

struct PsScope {
    GHashTable *values; /* char * to PsRational *, both owned */
    GPtrArray *names;   /* keys of values, in the order of their definition */
};

PsScope *ps_scope_new(void)
{
    PsScope *scope = g_new(PsScope, 1);
    scope->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    scope->names = g_ptr_array_new();
    return scope;
}

void ps_scope_free(PsScope *scope)
{
    if (!scope)
        return;
    g_ptr_array_unref(scope->names);
    g_hash_table_unref(scope->values);
    g_free(scope);
}

void ps_scope_set(PsScope *scope, const char *name, PsRational value)
{
    PsRational *known = g_hash_table_lookup(scope->values, name);
    if (known) {
        *known = value;
        return;
    }
    char *key = g_strdup(name);
    known = g_new(PsRational, 1);
    *known = value;
    g_hash_table_insert(scope->values, key, known);
    g_ptr_array_add(scope->names, key);
}

gboolean ps_scope_get(const PsScope *scope, const char *name, PsRational *value)
{
    const PsRational *known = g_hash_table_lookup(scope->values, name);
    if (!known)
        return FALSE;
    *value = *known;
    return TRUE;
}

GPtrArray *ps_scope_names(const PsScope *scope)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < scope->names->len; i++)
        g_ptr_array_add(names, g_ptr_array_index(scope->names, i));
    return names;
}

char *ps_scope_describe(const PsScope *scope)
{
    GString *text = g_string_new(scope->names->len > 0 ? NULL : "none");
    for (guint i = 0; i < scope->names->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                               (const char *)g_ptr_array_index(scope->names, i));
    return g_string_free(text, FALSE);
}
