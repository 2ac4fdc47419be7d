/* SPDX-License-Identifier: BSD-3-Clause */
/* See spelling.h. */
#include "launch/spelling.h"

#include "base/usage.h"

#include <string.h>

static const char NAME_CSET[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

/* ---- signs ---------------------------------------------------------------------------------- */

/* Replaces other multiplication signs by x: they divide directions behind a number or a bracket,
 * where no name can stand. */
static char *with_plain_signs(const char *text)
{
    static const char times[] = "\xC3\x97";
    GString *plain = g_string_new(NULL);
    gboolean ends = FALSE; /* the last character ends a number or a bracket */
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

/* The end of the first part between commas outside of brackets. */
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

/* TRUE if one pair of brackets encloses the whole text. */
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

/* The text without brackets around several directions, and without dim3. */
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

/* ---- thousands ------------------------------------------------------------------------------- */

/* The length of the number here if commas divide its thousands, "16,384"; 0: it is no such number,
 * or other digits, commas or letters than an x follow. */
static gsize thousands_length(const char *text)
{
    const gsize first = strspn(text, G_CSET_DIGITS);
    gsize length = first;
    while (text[length] == ',' && strspn(text + length + 1, G_CSET_DIGITS) == 3)
        length += 4;
    const gboolean ends =
        text[length] != ',' && (text[length] == 'x' || !strspn(text + length, NAME_CSET));
    return *text != '0' && first >= 1 && first <= 3 && length > first && ends ? length : 0;
}

/* The first such number outside of brackets, in a text with plain signs; NULL: there is none.
 * Digits behind a comma begin none, since there a list goes on. */
static char *find_thousands(char *text)
{
    int depth = 0;
    gboolean operand = FALSE;
    for (gsize length = 0; *text; text += length) {
        if (depth == 0 && thousands_length(text))
            return text;
        const gsize list = strspn(text, G_CSET_DIGITS ","), word = strspn(text, NAME_CSET);
        length = list ? list : *text == 'x' && operand ? 1 : MAX(word, 1);
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        operand = list || *text == ')' || (operand && *text == ' ');
    }
    return NULL;
}

static char *without_commas(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    return g_strjoinv("", parts);
}

char *ps_spelling_whole(const char *text)
{
    const gsize length = thousands_length(text);
    return length && !text[length] ? without_commas(text) : NULL;
}

gboolean ps_spelling_check_commas(const char *option, const char *text, guint most, GError **error)
{
    g_autofree char *plain = with_plain_signs(text ? text : "");
    const char *at = find_thousands(plain);
    if (!at)
        return TRUE;
    g_autofree char *written = g_strndup(at, thousands_length(at)),
                    *number = without_commas(written);
    guint64 value;
    if (!g_ascii_string_to_unsigned(number, 10, 1, most, &value, NULL))
        return TRUE;
    if (strstr(written, ",0"))
        return ps_usage_error(error,
                              "%s: a comma divides directions, so that %s is no number; write %s",
                              option, written, number);
    g_autofree char *directions = g_strdelimit(g_strdup(written), ",", 'x');
    return ps_usage_error(error,
                          "%s: %s may be a number or several directions; write %s or %s, whichever "
                          "is meant",
                          option, written, number, directions);
}

/* ---- all of a launch ------------------------------------------------------------------------- */

static void add(GString *line, const char *option, const char *text)
{
    g_autofree char *quoted = text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_,.+-/")]
                                  ? g_shell_quote(text)
                                  : g_strdup(text);
    g_string_append_printf(line, "%s%s %s", line->len ? " " : "", option, quoted);
}

/* Options from the text between <<< and >>> (g_free). */
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
        for (char *at; (at = find_thousands(plain)) != NULL;)
            at[strcspn(at, ",")] = 'x';
        if (names[i] && *plain && !(i == 2 && strcmp(plain, "0") == 0))
            add(line, names[i], plain);
        inside = *end ? end + 1 : end;
    }
    return g_string_free(line, FALSE);
}

/* The text between <<< and >>> (g_free); NULL: there is none. */
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
