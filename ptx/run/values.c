/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. */
#include "ptx/run/values.h"

PsValues ps_values_new(gsize size)
{
    PsValues values = {size, g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref),
                       g_hash_table_new(g_bytes_hash, g_bytes_equal)};
    g_ptr_array_add(values.values, g_bytes_new_take(g_malloc0(size), size));
    return values;
}

void ps_values_clear(PsValues *values)
{
    g_hash_table_unref(values->numbers);
    g_ptr_array_unref(values->values);
}

guint ps_values_number(PsValues *values, gconstpointer value)
{
    g_autoptr(GBytes) key = g_bytes_new_static(value, values->size);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(values->numbers, key));
    if (!number) {
        GBytes *kept = g_bytes_new(value, values->size);
        number = values->values->len;
        g_ptr_array_add(values->values, kept);
        g_hash_table_insert(values->numbers, kept, GUINT_TO_POINTER(number));
    }
    return number;
}

gconstpointer ps_values_at(const PsValues *values, guint number)
{
    return g_bytes_get_data(values->values->pdata[number], NULL);
}
