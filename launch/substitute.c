/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces names in a launch's texts by their values, for instance those of macros in the
 * source. */
#include "launch/launch.h"

char *ps_launch_substitute(const char *text, const char *name, const char *value)
{
    g_autofree char *escaped = g_regex_escape_string(name, -1),
                    *pattern = g_strdup_printf("\\b%s\\b", escaped);
    g_autoptr(GRegex) word = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
    return g_regex_replace_literal(word, text, -1, 0, value, 0, NULL);
}
