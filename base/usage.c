/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/usage.h"

gboolean ps_usage_error(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, PS_ERROR, PS_ERROR_USAGE, text);
    return FALSE;
}
