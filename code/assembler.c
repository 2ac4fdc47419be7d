/* SPDX-License-Identifier: BSD-3-Clause */
/* See assembler.h. */
#include "code/assembler.h"

#include <string.h>

/* The value of the option at `at`, if it is one of these two: behind "=", or the next word, to
 * which *at then points. NULL: it is another option, or has no value. */
static const char *value_of(char *const **at, const char *name, const char *long_name)
{
    const char *word = **at;
    const gsize length = strcspn(word, "=");
    if ((strlen(name) != length || strncmp(word, name, length) != 0) &&
        (strlen(long_name) != length || strncmp(word, long_name, length) != 0))
        return NULL;
    if (word[length])
        return word + length + 1;
    return (*at)[1] ? *++*at : NULL;
}

char **ps_assembler_options(char *const *options)
{
    GPtrArray *words = g_ptr_array_new();
    for (char *const *at = options; at && *at; at++) {
        const char *most = value_of(&at, "-maxrregcount", "--maxrregcount");
        const char *list = most ? NULL : value_of(&at, "-Xptxas", "--ptxas-options");
        g_auto(GStrv) parts = list ? g_strsplit(list, ",", -1) : NULL;
        if (most)
            g_ptr_array_add(words, g_strdup_printf("-maxrregcount=%s", most));
        for (char **part = parts; part && *part; part++)
            g_ptr_array_add(words, g_strdup(*part));
    }
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

char *ps_assembler_spills(const char *said, const char *kernel)
{
    g_autofree char *name = g_regex_escape_string(kernel, -1),
                    *pattern =
                        g_strdup_printf("entry function '%s'(?:(?!: Used ).)*?"
                                        "(\\d+) bytes spill stores, (\\d+) bytes spill loads",
                                        name);
    g_autoptr(GRegex) line = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!line || !g_regex_match(line, said, 0, &match))
        return NULL;
    g_autofree char *stores = g_match_info_fetch(match, 1), *loads = g_match_info_fetch(match, 2);
    if (strcmp(stores, "0") == 0 && strcmp(loads, "0") == 0)
        return NULL;
    return g_strdup_printf("%s bytes of stores and %s of loads", stores, loads);
}
