/* SPDX-License-Identifier: BSD-3-Clause */
/* See spelling.h. */
#include "launch/spelling.h"

#include "base/usage.h"

#include <string.h>

static const char NAME_CSET[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

/* ---- signs ---------------------------------------------------------------------------------- */

/* Other signs than x divide directions behind a number or a bracket, where no name can be. */
static char *with_plain_signs(const char *text)
{
    static const char times[] = "\xC3\x97";
    GString *plain = g_string_new(NULL);
    gboolean ends = FALSE; /* a number or a bracket */
    while (*text) {
        const gsize length = MAX(strspn(text, NAME_CSET), 1);
        const gsize digits = strspn(text, G_CSET_DIGITS);
        if (g_str_has_prefix(text, times) || (ends && *text == 'X')) {
            g_string_append_c(plain, 'x');
            text += *text == 'X' ? 1 : strlen(times);
            ends = FALSE;
            continue;
        }
        const gsize taken = digits ? digits : length;
        g_string_append_len(plain, text, (gssize)taken);
        ends = digits || *text == ')' || (ends && *text == ' ');
        text += taken;
    }
    return g_string_free(plain, FALSE);
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* Where the first part between commas outside of brackets ends. */
static const char *end_of_part(const char *text)
{
    int depth = 0;
    while (*text && !(depth == 0 && *text == ',')) {
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        text++;
    }
    return text;
}

/* Whether one pair of brackets is around all of the text. */
static gboolean is_bracketed(const char *text)
{
    int depth = 0;
    if (!*text || !strchr("([{", *text))
        return FALSE;
    do {
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        text++;
    } while (*text && depth > 0);
    return depth == 0 && !*text;
}

/* The text without the brackets around several directions, and without dim3. */
static char *without_brackets(char *text /* taken */)
{
    g_autofree char *own = text;
    const char *at = g_strstrip(own);
    const gboolean named = g_str_has_prefix(at, "dim3");
    const char *list = named ? at + strlen("dim3") + strspn(at + strlen("dim3"), " ") : at;
    if (!is_bracketed(list))
        return g_strdup(at);
    g_autofree char *inside = g_strndup(list + 1, strlen(list) - 2);
    return named || *list != '(' || *end_of_part(inside) ? g_strdup(inside) : g_strdup(at);
}

char *ps_spelling_plain(const char *text)
{
    return without_brackets(with_plain_signs(text));
}

/* ---- all of a launch ------------------------------------------------------------------------- */

static void add(GString *line, const char *option, const char *text)
{
    g_autofree char *quoted = text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_,.+-/")]
                                  ? g_shell_quote(text)
                                  : g_strdup(text);
    g_string_append_printf(line, "%s%s %s", line->len ? " " : "", option, quoted);
}

/* Options with what stands between <<< and >>> (g_free). */
static char *options_of(const char *inside, const PsLaunchTexts *texts)
{
    const char *const names[] = {texts->grid_name ? texts->grid_name : "grid",
                                 texts->block_name ? texts->block_name : "block",
                                 texts->shared_name};
    GString *line = g_string_new(NULL);
    for (guint i = 0; *inside && i < G_N_ELEMENTS(names); i++) {
        const char *end = end_of_part(inside);
        g_autofree char *part = g_strstrip(g_strndup(inside, (gsize)(end - inside))),
                        *plain = ps_spelling_plain(part);
        if (names[i] && *plain && !(i == 2 && strcmp(plain, "0") == 0))
            add(line, names[i], plain);
        inside = *end ? end + 1 : end;
    }
    return g_string_free(line, FALSE);
}

/* What stands between <<< and >>> (g_free); NULL: there is none. */
static char *inside_of(const char *text)
{
    static const char opens[] = "<<<", closes[] = ">>>";
    const char *at = text ? strstr(text, opens) : NULL;
    const char *end = at ? strstr(at, closes) : NULL;
    if (!at)
        return NULL;
    at += strlen(opens);
    return end ? g_strndup(at, (gsize)(end - at)) : g_strdup(at);
}

char *ps_spelling_options(const char *text, const char *prefix)
{
    g_autofree char *inside = inside_of(text), *grid = g_strconcat(prefix, "grid", NULL),
                    *block = g_strconcat(prefix, "block", NULL),
                    *shared = g_strconcat(prefix, "shared", NULL);
    const PsLaunchTexts texts = {.grid_name = grid, .block_name = block, .shared_name = shared};
    return inside ? options_of(inside, &texts) : NULL;
}

gboolean ps_spelling_check(const char *option, const char *text, const PsLaunchTexts *texts,
                           GError **error)
{
    g_autofree char *inside = inside_of(text), *written = inside ? options_of(inside, texts) : NULL;
    return !inside ||
           ps_usage_error(error, "%s: '%s' is all of a launch; write %s", option, text, written);
}
