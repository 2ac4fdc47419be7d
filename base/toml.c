/* SPDX-License-Identifier: BSD-3-Clause */
/* See toml.h. */
#include "base/toml.h"

#include <string.h>

typedef struct {
    const char *at;
    PsPlace place;
    char *table;
    gboolean of_array;
    GHashTable *tables; /* name -> NULL, or the name again if it is one table of an array */
    GHashTable *keys;   /* of the table that is open */
    PsTomlHeard heard;
    gpointer self;
    GError **error;
} Reader;

static gboolean wrong(const Reader *reader, const char *what)
{
    ps_error_at(reader->error, PS_ERROR_SYNTAX, reader->place, "%s", what);
    return FALSE;
}

static gboolean twice(const Reader *reader, const char *what, const char *name)
{
    ps_error_at(reader->error, PS_ERROR_VALUE, reader->place, "the %s \"%s\" is there twice", what,
                name);
    return FALSE;
}

/* ---- letters -------------------------------------------------------------------------------- */

static void skip_blanks(Reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
    if (*reader->at == '#')
        reader->at += strcspn(reader->at, "\n");
    if (reader->at[0] == '\r' && reader->at[1] == '\n')
        reader->at++;
}

/* Passes over blanks, comments and ends of lines. */
static void skip_lines(Reader *reader)
{
    for (skip_blanks(reader); *reader->at == '\n'; skip_blanks(reader)) {
        reader->at++;
        reader->place.line++;
    }
}

static gboolean ends_line(Reader *reader)
{
    skip_blanks(reader);
    return !*reader->at || *reader->at == '\n' ||
           wrong(reader, "something stands behind the value, and a line has one");
}

/* A bare key (g_free); NULL and *error. */
static char *read_name(Reader *reader, const char *what)
{
    const gsize length = strspn(reader->at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-");
    char *name = g_strndup(reader->at, length);
    reader->at += length;
    skip_blanks(reader);
    if (length > 0 && *reader->at != '.')
        return name;
    g_free(name);
    g_autofree char *text = g_strdup_printf(
        "%s is expected here: letters, digits, '_' and '-', without dots and quotes", what);
    wrong(reader, text);
    return NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

static gboolean read_escape(Reader *reader, GString *text)
{
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    const char *found = *reader->at ? strchr(from, *reader->at) : NULL;
    const guint digits = *reader->at == 'u' ? 4 : 8;
    if (found) {
        g_string_append_c(text, to[found - from]);
        reader->at++;
        return TRUE;
    }
    if (*reader->at != 'u' && *reader->at != 'U')
        return wrong(reader, "a string has a \\ that begins nothing that TOML knows");
    gunichar letter = 0;
    reader->at++;
    for (guint i = 0; i < digits; i++, reader->at++) {
        if (!g_ascii_isxdigit(*reader->at))
            return wrong(reader, "a letter by its number lacks digits");
        letter = letter << 4 | (gunichar)g_ascii_xdigit_value(*reader->at);
    }
    if (!letter || !g_unichar_validate(letter))
        return wrong(reader, "a number stands for no letter");
    g_string_append_unichar(text, letter);
    return TRUE;
}

static gboolean read_string(Reader *reader, GString *text)
{
    const char quote = *reader->at++;
    if (reader->at[0] == quote && reader->at[1] == quote)
        return wrong(reader, "strings of several lines are not read; one of a line is \"...\"");
    while (*reader->at != quote) {
        const char letter = *reader->at;
        if (letter == '\0' || letter == '\n')
            return wrong(reader, "a string does not end in its line");
        reader->at++;
        if (letter != '\\' || quote == '\'')
            g_string_append_c(text, letter);
        else if (!read_escape(reader, text))
            return FALSE;
    }
    reader->at++;
    return TRUE;
}

/* A number, true or false, as it is written. */
static gboolean read_word(Reader *reader, GString *text)
{
    const gsize length = strcspn(reader->at, " \t\r\n,]#");
    g_string_append_len(text, reader->at, (gssize)length);
    char *end = NULL;
    g_ascii_strtod(text->str, &end);
    if (!length || (*end && strcmp(text->str, "true") != 0 && strcmp(text->str, "false") != 0))
        return wrong(reader, "a value is expected here: \"a string\", a number, true, false, or "
                             "an array of these in [ ]");
    reader->at += length;
    return TRUE;
}

static gboolean read_scalar(Reader *reader, GPtrArray *texts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const gboolean string = *reader->at == '"' || *reader->at == '\'';
    if (!(string ? read_string : read_word)(reader, text))
        return FALSE;
    g_ptr_array_add(texts, g_strdup(text->str));
    return TRUE;
}

static gboolean read_array(Reader *reader, GPtrArray *texts)
{
    reader->at++;
    for (skip_lines(reader); *reader->at != ']'; skip_lines(reader)) {
        if (!read_scalar(reader, texts))
            return FALSE;
        skip_lines(reader);
        if (*reader->at == ',')
            reader->at++;
        else if (*reader->at != ']')
            return wrong(reader, "',' or ']' is expected here, within an array");
    }
    reader->at++;
    return TRUE;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static gboolean tell(Reader *reader, int line, const char *key, GPtrArray *texts, gboolean is_array)
{
    const PsTomlEntry entry = {.place = {reader->place.file, line},
                               .table = reader->table,
                               .key = key,
                               .of_array = reader->of_array,
                               .is_array = is_array,
                               .texts = texts};
    return reader->heard(&entry, reader->self, reader->error);
}

static gboolean read_table(Reader *reader)
{
    const guint brackets = g_str_has_prefix(reader->at, "[[") ? 2 : 1;
    reader->at += brackets;
    skip_blanks(reader);
    g_autofree char *name = read_name(reader, "a table's name");
    if (!name)
        return FALSE;
    if (strncmp(reader->at, "]]", brackets) != 0)
        return wrong(reader, "a table's name does not end in as many ] as it begins with [");
    reader->at += brackets;
    const char *known = g_hash_table_lookup(reader->tables, name);
    if (known && (brackets == 1 || strcmp(known, "several") != 0))
        return twice(reader, "table", name);
    g_hash_table_insert(reader->tables, g_strdup(name),
                        (gpointer)(brackets == 2 ? "several" : "one"));
    g_hash_table_remove_all(reader->keys);
    g_free(reader->table);
    reader->table = g_steal_pointer(&name);
    reader->of_array = brackets == 2;
    return tell(reader, reader->place.line, NULL, NULL, FALSE) && ends_line(reader);
}

static gboolean read_key(Reader *reader)
{
    const int line = reader->place.line;
    g_autofree char *key = read_name(reader, "a key");
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    if (!key)
        return FALSE;
    if (*reader->at != '=')
        return wrong(reader, "'=' is expected here, behind a key");
    if (!g_hash_table_add(reader->keys, g_strdup(key)))
        return twice(reader, "key", key);
    reader->at++;
    skip_blanks(reader);
    const gboolean is_array = *reader->at == '[';
    return (is_array ? read_array : read_scalar)(reader, texts) &&
           tell(reader, line, key, texts, is_array) && ends_line(reader);
}

gboolean ps_toml_read(const char *text, const char *file, PsTomlHeard heard, gpointer self,
                      GError **error)
{
    g_autoptr(GHashTable) tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Reader reader = {.at = text,
                     .place = {file, 1},
                     .table = g_strdup(""),
                     .tables = tables,
                     .keys = keys,
                     .heard = heard,
                     .self = self,
                     .error = error};
    gboolean good =
        g_utf8_validate(text, -1, NULL) || wrong(&reader, "the file is no text in UTF-8");
    for (skip_lines(&reader); good && *reader.at; skip_lines(&reader))
        good = *reader.at == '[' ? read_table(&reader) : read_key(&reader);
    g_free(reader.table);
    return good;
}
