/* SPDX-License-Identifier: BSD-3-Clause */
/* See json.h. */
#include "cli/report/json.h"

#include "cli/report/format.h"

static void quote(GString *out, const char *text)
{
    /* Names of files may be any bytes; JSON is UTF-8. */
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(out, '"');
    for (const char *c = valid; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_printf(out, "\\%c", *c);
        else if ((guchar)*c < 0x20)
            g_string_append_printf(out, "\\u%04x", (guint)(guchar)*c);
        else
            g_string_append_c(out, *c);
    }
    g_string_append_c(out, '"');
}

/* A line of its own at this depth, unless all is kept on one line. */
static void new_line(Json *json)
{
    g_string_append_c(json->out, '\n');
    for (guint i = 0; i < json->depth; i++)
        g_string_append(json->out, "  ");
}

/* What stands before a member: comma, line or space, key. */
static void member(Json *json, const char *key)
{
    if (json->filled)
        g_string_append_c(json->out, ',');
    if (json->inline_depth) {
        if (json->filled)
            g_string_append_c(json->out, ' ');
    } else if (json->depth) {
        new_line(json);
    }
    json->filled = TRUE;
    if (key) {
        quote(json->out, key);
        g_string_append(json->out, ": ");
    }
}

void json_open(Json *json, const char *key, char bracket, JsonLayout layout)
{
    member(json, key);
    g_string_append_c(json->out, bracket);
    json->depth++;
    if (layout == JSON_LINE && !json->inline_depth)
        json->inline_depth = json->depth;
    json->filled = FALSE;
}

void json_close(Json *json, char bracket)
{
    const gboolean on_line = json->inline_depth != 0;
    if (json->inline_depth == json->depth)
        json->inline_depth = 0;
    json->depth--;
    if (json->filled && !on_line)
        new_line(json);
    g_string_append_c(json->out, bracket);
    json->filled = TRUE;
}

void json_raw(Json *json, const char *key, const char *value)
{
    member(json, key);
    g_string_append(json->out, value);
}

void json_text(Json *json, const char *key, const char *value)
{
    member(json, key);
    quote(json->out, value);
}

void json_known_text(Json *json, const char *key, const char *value)
{
    if (value)
        json_text(json, key, value);
    else
        json_null(json, key);
}

void json_int(Json *json, const char *key, gint64 value)
{
    member(json, key);
    g_string_append_printf(json->out, "%" G_GINT64_FORMAT, value);
}

void json_double(Json *json, const char *key, double value)
{
    g_autofree char *text = format_plain(value);
    json_raw(json, key, text);
}

void json_null(Json *json, const char *key)
{
    json_raw(json, key, "null");
}
