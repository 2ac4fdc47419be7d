/* SPDX-License-Identifier: BSD-3-Clause */
/* See count.h. */
#include "base/count.h"

#include <string.h>

gboolean ps_count_parse(const char *text, guint64 *count)
{
    static const char units[] = "KMG";
    const gsize length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    const guint shift = unit ? 10 * (guint)(unit - units + 1) : 0;
    g_autofree char *number = g_strndup(text, unit ? length - 1 : length);
    if (!g_ascii_string_to_unsigned(number, 10, 0, G_MAXINT64 >> shift, count, NULL))
        return FALSE;
    *count <<= shift;
    return TRUE;
}

gboolean ps_count_parse_rational(const char *text, PsRational *number)
{
    guint64 count = 0;
    if (!ps_count_parse(text, &count))
        return ps_rational_parse(text, number);
    *number = PS_RATIONAL_INT((gint64)count);
    return TRUE;
}
