/* SPDX-License-Identifier: BSD-3-Clause */
/* See json.h. */
#include "tell/json.h"

#include "tell/format.h"

#include <math.h>

/* Doubles hold every whole number below this. */
#define WHOLE 9007199254740992.0

static void quote(GString *out, const char *text)
{
    /* Names of files may have any bytes; JSON is UTF-8. */
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

/* Starts a line at this depth, unless all stands on one line. */
static void new_line(PsJson *json)
{
    g_string_append_c(json->out, '\n');
    for (guint i = 0; i < json->depth; i++)
        g_string_append(json->out, "  ");
}

/* Writes the text before a member: comma, line or space, key. */
static void member(PsJson *json, const char *key)
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

void ps_json_open(PsJson *json, const char *key, char bracket, PsJsonLayout layout)
{
    member(json, key);
    g_string_append_c(json->out, bracket);
    json->depth++;
    if (layout == PS_JSON_LINE && !json->inline_depth)
        json->inline_depth = json->depth;
    json->filled = FALSE;
}

void ps_json_close(PsJson *json, char bracket)
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

void ps_json_raw(PsJson *json, const char *key, const char *value)
{
    member(json, key);
    g_string_append(json->out, value);
}

void ps_json_text(PsJson *json, const char *key, const char *value)
{
    member(json, key);
    quote(json->out, value);
}

void ps_json_known_text(PsJson *json, const char *key, const char *value)
{
    if (value)
        ps_json_text(json, key, value);
    else
        ps_json_unknown(json, key);
}

void ps_json_int(PsJson *json, const char *key, gint64 value)
{
    member(json, key);
    g_string_append_printf(json->out, "%" G_GINT64_FORMAT, value);
}

void ps_json_double(PsJson *json, const char *key, double value)
{
    g_autofree char *text = ps_format_plain(value);
    ps_json_raw(json, key, text);
}

void ps_json_unknown(PsJson *json, const char *key)
{
    ps_json_raw(json, key, "null");
}

void ps_json_exact(PsJson *json, const char *key, PsRational value)
{
    g_autofree char *text = ps_format_rational(value);
    ps_json_raw(json, key, text);
}

void ps_json_figure(PsJson *json, const char *key, double value)
{
    g_autofree char *text = NULL;
    if (!isfinite(value)) {
        ps_json_unknown(json, key);
    } else if (fabs(value) < WHOLE && value == floor(value)) {
        text = g_strdup_printf("%.0f", value + 0.0); /* avoids "-0" */
        ps_json_raw(json, key, text);
    } else {
        ps_json_double(json, key, value);
    }
}

void ps_json_precise(PsJson *json, const char *key, double value)
{
    g_autofree char *text = ps_format_exact(value);
    if (isfinite(value))
        ps_json_raw(json, key, text);
    else
        ps_json_unknown(json, key);
}
