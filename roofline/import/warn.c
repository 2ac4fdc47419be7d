/* SPDX-License-Identifier: BSD-3-Clause */
/* See import.h. */
#include "roofline/import/import.h"

void ps_import_warn(PsProfile *profile, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *warning = g_strdup_printf("%s: %s", profile->path, what);
    g_ptr_array_add(profile->warnings, ps_text_clean(warning));
}
