/* SPDX-License-Identifier: BSD-3-Clause */
/* See listed.h. */
#include "launch/listed.h"

#include <string.h>

static void launch_free(void *data)
{
    PsListedLaunch *launch = data;
    g_free(launch->kernel);
    g_strfreev(launch->words);
    g_free(launch);
}

/* The line's words; NULL without *error where it has none. GLib wants an end of line behind a
 * comment, and would take a backslash before it for nothing. */
static char **words_of(const char *text, PsPlace place, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_auto(GStrv) words = NULL;
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    if (g_str_has_suffix(text, "\\") && !g_str_has_suffix(text, "\\\\")) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the line ends in a backslash; write each launch on one line");
        return NULL;
    }
    if (!g_shell_parse_argv(line, NULL, &words, &why)) {
        if (!g_error_matches(why, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
            ps_error_at(error, PS_ERROR_VALUE, place,
                        "a quote has no end; close it, or write \\ before it");
        return NULL;
    }
    if (words[0][0] && words[0][0] != '-')
        return g_steal_pointer(&words);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "'%s' is no kernel; write its name, and behind it the options of the launch",
                words[0]);
    return NULL;
}

/* FALSE and *error for a line that is neither a launch nor empty. */
static gboolean add_line(GPtrArray *launches, char *text, PsPlace place, GError **error)
{
    GError *why = NULL;
    g_auto(GStrv) words = words_of(g_strchomp(text), place, &why);
    if (why)
        g_propagate_error(error, why);
    if (!words)
        return !why;
    PsListedLaunch *launch = g_new0(PsListedLaunch, 1);
    *launch = (PsListedLaunch){place.line, g_strdup(words[0]), g_strdupv(words + 1)};
    g_ptr_array_add(launches, launch);
    return TRUE;
}

GPtrArray *ps_listed_launches(const char *text, gsize length, const char *path, GError **error)
{
    g_autoptr(GPtrArray) launches = g_ptr_array_new_with_free_func(launch_free);
    PsPlace place = {path, 0};
    if (strlen(text) != length) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "has a byte of zero, so it is no text; write a line for each launch");
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        place.line++;
        if (!add_line(launches, *line, place, error))
            return NULL;
    }
    place.line = 0;
    if (launches->len)
        return g_steal_pointer(&launches);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "has no launch; write a line for each: the kernel, and the options of its launch");
    return NULL;
}
