/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/usage.h"

gboolean ps_usage_error(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_propagate_error(error, g_error_new_valist(PS_ERROR, PS_ERROR_USAGE, format, arguments));
    va_end(arguments);
    return FALSE;
}

gboolean ps_value_error(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_propagate_error(error, g_error_new_valist(PS_ERROR, PS_ERROR_VALUE, format, arguments));
    va_end(arguments);
    return FALSE;
}
