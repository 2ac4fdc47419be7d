/* SPDX-License-Identifier: BSD-3-Clause */
/* See listed.h. */
#include "launch/listed.h"

#include "launch/spelling.h"

#include <string.h>

static void launch_free(void *data)
{
    PsListedLaunch *launch = data;
    g_free(launch->kernel);
    g_strfreev(launch->words);
    g_free(launch);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The launch at the end of a command line, without the words that hold for all:
 * "k --grid 4" of "pipesim run k.cu --kernel k --grid 4" (g_free). NULL: the words are no launch.
 */
static char *launch_in(char **words, const char *prefix)
{
    g_autofree char *option = g_strconcat(prefix, "kernel", NULL);
    char **from = words;
    while (*from && !g_str_has_prefix(*from, option))
        from++;
    if (!*from || (from > words && !g_str_has_suffix(words[0], "pipesim")))
        return NULL;
    const gboolean joined = (*from)[strlen(option)] == '=';
    if (!joined && !from[1])
        return NULL;
    g_autoptr(GString) line = g_string_new(joined ? *from + strlen(option) + 1 : from[1]);
    for (char **word = from + (joined ? 1 : 2); *word; word++) {
        g_autofree char *quoted =
            strpbrk(*word, " '\"()*$") ? g_shell_quote(*word) : g_strdup(*word);
        g_string_append_printf(line, " %s", quoted);
    }
    return g_strdup(line->str);
}

static gboolean check_words(char **words, const char *prefix, PsPlace place, GError **error)
{
    g_autofree char *launch = launch_in(words, prefix),
                    *options = ps_spelling_options(words[0], prefix);
    if (launch)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "begins with a launch's kernel, without what is for all; write %s", launch);
    else if (options)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "'%s' is a launch as CUDA has it; write %.*s %s, and %sarg for each argument",
                    words[0], (int)strcspn(words[0], "<"), words[0], options, prefix);
    else if (g_str_has_prefix(words[0], "//") || g_str_has_prefix(words[0], ";"))
        ps_error_at(error, PS_ERROR_VALUE, place, "'%s' begins no comment here; write #", words[0]);
    else if (!words[0][0] || words[0][0] == '-')
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "'%s' is no kernel; write its name, and behind it the options of the launch",
                    words[0]);
    else
        return TRUE;
    return FALSE;
}

/* The words of a line; NULL without *error if it has none. GLib needs an end of line behind a
 * comment, and would drop a backslash before it. */
static char **words_of(const char *text, const char *prefix, PsPlace place, GError **error)
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
    return check_words(words, prefix, place, error) ? g_steal_pointer(&words) : NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* UTF-8 from UTF-16 (g_free); NULL and *error for another text with zeros in it. */
static char *decode(const char *text, gsize length, PsPlace place, GError **error)
{
    const gboolean marked =
        length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    const char *from = marked ? "UTF-16" : length >= 2 && !text[1] ? "UTF-16LE" : "UTF-16BE";
    gsize n = 0;
    char *decoded = g_convert(text, (gssize)length, "UTF-8", from, NULL, &n, NULL);
    if (decoded && strlen(decoded) == n && g_utf8_validate(decoded, (gssize)n, NULL))
        return decoded;
    g_free(decoded);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "has a byte of zero, so it is no text; write a line for each launch");
    return NULL;
}

/* The text with each `from` replaced; takes ownership of the text. */
static char *replace(char *text, const char *from, const char *to)
{
    g_auto(GStrv) parts = g_strsplit(text, from, -1);
    g_free(text);
    return g_strjoinv(to, parts);
}

/* The lines of the text (g_strfreev); NULL and *error. */
static char **split(const char *text, gsize length, PsPlace place, GError **error)
{
    static const char mark[] = "\xEF\xBB\xBF", blank[] = "\xC2\xA0";
    char *plain = strlen(text) == length ? g_strdup(text) : decode(text, length, place, error);
    if (!plain)
        return NULL;
    if (g_str_has_prefix(plain, mark))
        memmove(plain, plain + strlen(mark), strlen(plain + strlen(mark)) + 1);
    plain = replace(plain, blank, " ");
    plain = replace(plain, "\r\n", "\n");
    g_autofree char *all = replace(plain, "\r", "\n");
    return g_strsplit(all, "\n", -1);
}

/* FALSE and *error for a line that is neither a launch nor empty. */
static gboolean add_line(GPtrArray *launches, char *text, const char *prefix, PsPlace place,
                         GError **error)
{
    GError *why = NULL;
    g_auto(GStrv) words = words_of(g_strchomp(text), prefix, place, &why);
    if (why)
        g_propagate_error(error, why);
    if (!words)
        return !why;
    PsListedLaunch *launch = g_new0(PsListedLaunch, 1);
    *launch = (PsListedLaunch){place.line, g_strdup(words[0]), g_strdupv(words + 1)};
    g_ptr_array_add(launches, launch);
    return TRUE;
}

GPtrArray *ps_listed_launches(const char *text, gsize length, const char *path, const char *prefix,
                              GError **error)
{
    g_autoptr(GPtrArray) launches = g_ptr_array_new_with_free_func(launch_free);
    PsPlace place = {path, 0};
    g_auto(GStrv) lines = split(text, length, place, error);
    if (!lines)
        return NULL;
    for (char **line = lines; *line; line++) {
        place.line++;
        if (!add_line(launches, *line, prefix, place, error))
            return NULL;
    }
    place.line = 0;
    if (launches->len)
        return g_steal_pointer(&launches);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "has no launch; write a line for each: the kernel, and the options of its launch");
    return NULL;
}
