/* SPDX-License-Identifier: BSD-3-Clause */
/* See json-read.h. */
#include "base/json-read.h"
#include <math.h>
#include <string.h>

#define NUMBER_MAX 400 /* characters; a double has no more than 309 digits before its point */

void ps_json_init(PsJson *json, PsPlace place, const char *text, gsize length)
{
    *json = (PsJson){.file = place.file,
                     .start = text,
                     .at = text,
                     .end = text + length,
                     .mark = text,
                     .first_line = place.line,
                     .line = place.line,
                     .counted = text,
                     .line_start = text};
}

/* ---- places -------------------------------------------------------------------------------- */

int ps_json_line(PsJson *json)
{
    if (json->mark < json->counted) {
        json->counted = json->line_start = json->start;
        json->line = json->first_line;
    }
    for (; json->counted < json->mark; json->counted++) {
        if (*json->counted == '\n') {
            json->line++;
            json->line_start = json->counted + 1;
        }
    }
    return json->line;
}

/* Columns count characters from 1. Of bytes that are no UTF-8, each that could begin a character
 * counts. */
static int column(const char *start, const char *end)
{
    int n = 1;
    for (; start < end; start++)
        n += ((guchar)*start & 0xC0) != 0x80;
    return n;
}

gboolean ps_json_error(PsJson *json, GError **error, PsErrorCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const int line = ps_json_line(json);
    g_autofree char *file =
        g_strdup_printf("%s:%d:%d", json->file, line, column(json->line_start, json->mark));
    ps_error_at(error, code, (PsPlace){file, 0}, "%s", what);
    return FALSE;
}

/* The text at json->at, for a message: a character, or the end. */
static gboolean unexpected(PsJson *json, GError **error, const char *wanted)
{
    json->mark = json->at;
    if (json->at == json->end)
        return ps_json_error(json, error, PS_ERROR_SYNTAX,
                             "the file ends where %s should follow; it may be cut off", wanted);
    if (g_ascii_isgraph(*json->at))
        return ps_json_error(json, error, PS_ERROR_SYNTAX, "'%c' where %s should be", *json->at,
                             wanted);
    return ps_json_error(json, error, PS_ERROR_SYNTAX, "byte 0x%02X where %s should be",
                         (guint)(guchar)*json->at, wanted);
}

/* ---- tokens -------------------------------------------------------------------------------- */

static void skip_space(PsJson *json)
{
    while (json->at < json->end && *json->at && strchr(" \t\r\n", *json->at))
        json->at++;
}

/* Passes over the next character, after white space, if it is c. */
static gboolean take(PsJson *json, char c)
{
    skip_space(json);
    if (json->at == json->end || *json->at != c)
        return FALSE;
    json->at++;
    return TRUE;
}

static gboolean take_word(PsJson *json, const char *word)
{
    gsize length = strlen(word);
    skip_space(json);
    if ((gsize)(json->end - json->at) < length || memcmp(json->at, word, length) != 0)
        return FALSE;
    json->mark = json->at;
    json->at += length;
    return TRUE;
}

char ps_json_peek(PsJson *json)
{
    skip_space(json);
    if (json->at == json->end)
        return 0;
    char c = *json->at;
    if (c == '-' || g_ascii_isdigit(c))
        return '-';
    if (!c || !strchr("{[\"tfn", c))
        return 0;
    return c;
}

gboolean ps_json_null(PsJson *json)
{
    return take_word(json, "null");
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && g_ascii_isdigit(*at))
        at++;
    return at;
}

/* Where the number at `at` ends by JSON's grammar; NULL: there is no number. */
static const char *number_end(const char *at, const char *end)
{
    if (at < end && *at == '-')
        at++;
    const char *digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at > digits + 1))
        return NULL;
    if (at < end && *at == '.') {
        digits = ++at;
        at = skip_digits(at, end);
        if (at == digits)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        digits = at;
        at = skip_digits(at, end);
        if (at == digits)
            return NULL;
    }
    return at;
}

gboolean ps_json_number(PsJson *json, double *value, GError **error)
{
    static const char *const none[] = {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        if (take_word(json, none[i]))
            return ps_json_error(json, error, PS_ERROR_SYNTAX,
                                 "%s is no JSON number; what is not known is null", none[i]);
    }
    if (ps_json_peek(json) != '-')
        return unexpected(json, error, "a number");
    json->mark = json->at;
    const char *end = number_end(json->at, json->end);
    if (!end || (end < json->end && (g_ascii_isalnum(*end) || *end == '.')))
        return ps_json_error(json, error, PS_ERROR_SYNTAX,
                             "a malformed number; JSON's are like 12, -0.5 and 6.02e23");
    gsize length = (gsize)(end - json->at);
    if (length > NUMBER_MAX)
        return ps_json_error(json, error, PS_ERROR_SYNTAX,
                             "a number of %" G_GSIZE_FORMAT " characters; at most %d are read",
                             length, NUMBER_MAX);
    char text[NUMBER_MAX + 1];
    memcpy(text, json->at, length);
    text[length] = '\0';
    *value = g_ascii_strtod(text, NULL);
    json->at = end;
    if (!isfinite(*value))
        return ps_json_error(json, error, PS_ERROR_VALUE, "%s is too large", text);
    return TRUE;
}

gboolean ps_json_unsigned(PsJson *json, guint64 *value, GError **error)
{
    double number;
    if (!ps_json_number(json, &number, error))
        return FALSE;
    g_autofree char *text = g_strndup(json->mark, (gsize)(json->at - json->mark));
    return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, value, NULL) ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "%s is no whole number from 0 to %" G_GUINT64_FORMAT, text, G_MAXUINT64);
}

/* ---- strings ------------------------------------------------------------------------------- */

static int hex4(const char *at, const char *end)
{
    int value = 0;
    for (int i = 0; i < 4; i++, at++) {
        if (at >= end || !g_ascii_isxdigit(*at))
            return -1;
        value = value * 16 + g_ascii_xdigit_value(*at);
    }
    return value;
}

/* The character of \uXXXX, or of a surrogate pair of them; json->at is behind the first u. -1:
 * there is none. */
static int escaped_character(PsJson *json)
{
    int high = hex4(json->at, json->end);
    if (high < 0xD800 || high > 0xDFFF) {
        json->at += high < 0 ? 0 : 4;
        return high;
    }
    if (high > 0xDBFF || json->end - json->at < 10 || json->at[4] != '\\' || json->at[5] != 'u')
        return -1;
    int low = hex4(json->at + 6, json->end);
    if (low < 0xDC00 || low > 0xDFFF)
        return -1;
    json->at += 10;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* json->at is behind the backslash. */
static gboolean read_escape(PsJson *json, GString *text, GError **error)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    json->mark = json->at - 1;
    if (json->at == json->end)
        return unexpected(json, error, "an escaped character");
    char c = *json->at++;
    const char *known = c ? strchr(from, c) : NULL;
    if (known) {
        g_string_append_c(text, to[known - from]);
        return TRUE;
    }
    int character = c == 'u' ? escaped_character(json) : -1;
    if (character == 0)
        return ps_json_error(json, error, PS_ERROR_SYNTAX, "a zero character has no place here");
    if (character < 0)
        return ps_json_error(json, error, PS_ERROR_SYNTAX,
                             "an unknown escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and "
                             "\\uXXXX, two of these for a character beyond U+FFFF");
    g_string_append_unichar(text, (gunichar)character);
    return TRUE;
}

gboolean ps_json_string(PsJson *json, char **result, GError **error)
{
    skip_space(json);
    const char *start = json->at;
    if (!take(json, '"'))
        return unexpected(json, error, "a string in double quotes");
    g_autoptr(GString) text = g_string_new(NULL);
    while (json->at < json->end && *json->at != '"') {
        char c = *json->at++;
        if (c == '\\') {
            if (!read_escape(json, text, error))
                return FALSE;
        } else if ((guchar)c < 0x20) {
            json->at--;
            return unexpected(json, error, "the closing quote of a string");
        } else {
            g_string_append_c(text, c);
        }
    }
    if (json->at == json->end)
        return unexpected(json, error, "the closing quote of a string");
    json->at++;
    json->mark = start;
    if (!g_utf8_validate(text->str, (gssize)text->len, NULL))
        return ps_json_error(json, error, PS_ERROR_SYNTAX, "a string that is no UTF-8");
    *result = g_string_free(g_steal_pointer(&text), FALSE);
    return TRUE;
}

/* ---- objects and arrays -------------------------------------------------------------------- */

/* Reads the opening bracket. *more becomes TRUE if something comes before the closing one. */
static gboolean enter(PsJson *json, const char brackets[2], gboolean *more, GError **error)
{
    if (!take(json, brackets[0]))
        return unexpected(json, error,
                          brackets[0] == '{' ? "an object, {...}," : "an array, [...],");
    json->mark = json->at - 1;
    if (++json->depth > PS_JSON_MAX_DEPTH)
        return ps_json_error(json, error, PS_ERROR_LIMIT, "nested more than %d deep",
                             PS_JSON_MAX_DEPTH);
    *more = !take(json, brackets[1]);
    json->depth -= !*more;
    return TRUE;
}

/* Passes over the end of a value: a comma or the closing bracket. */
static gboolean go_on(PsJson *json, const char brackets[2], gboolean *more, GError **error)
{
    *more = take(json, ',');
    if (*more)
        return TRUE;
    if (!take(json, brackets[1]))
        return unexpected(json, error, brackets[0] == '{' ? "',' or '}'" : "',' or ']'");
    json->depth--;
    return TRUE;
}

gboolean ps_json_object(PsJson *json, PsJsonMember member, gpointer self, GError **error)
{
    gboolean more = FALSE;
    if (!enter(json, "{}", &more, error))
        return FALSE;
    while (more) {
        g_autofree char *key = NULL;
        if (!ps_json_string(json, &key, error))
            return FALSE;
        if (!take(json, ':'))
            return unexpected(json, error, "':'");
        if (!member(json, key, self, error) || !go_on(json, "{}", &more, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ps_json_array(PsJson *json, PsJsonItem item, gpointer self, GError **error)
{
    gboolean more = FALSE;
    if (!enter(json, "[]", &more, error))
        return FALSE;
    while (more) {
        if (!item(json, self, error) || !go_on(json, "[]", &more, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean skip_item(PsJson *json, gpointer self, GError **error)
{
    (void)self;
    return ps_json_skip(json, error);
}

static gboolean skip_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    (void)key;
    (void)self;
    return ps_json_skip(json, error);
}

gboolean ps_json_skip(PsJson *json, GError **error)
{
    double number;
    g_autofree char *text = NULL;
    switch (ps_json_peek(json)) {
    case '{':
        return ps_json_object(json, skip_member, NULL, error);
    case '[':
        return ps_json_array(json, skip_item, NULL, error);
    case '"':
        return ps_json_string(json, &text, error);
    case '-':
        return ps_json_number(json, &number, error);
    default:
        return take_word(json, "null") || take_word(json, "true") || take_word(json, "false") ||
               unexpected(json, error, "a value");
    }
}

gboolean ps_json_finish(PsJson *json, GError **error)
{
    skip_space(json);
    return json->at == json->end || unexpected(json, error, "the end of the file");
}
