/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small writer of JSON. It exists because json-glib's numbers are doubles and 64-bit integers:
 * cycles are exact decimals of any length and must never go through a double, so here they are
 * written as the text that they are.
 *
 * Containers open on their own lines, or inline with JSON_LINE, where all within stays on the line.
 * key is NULL within an array and for the outermost value.
 */
#ifndef PIPESIM_CLI_REPORT_JSON_H
#define PIPESIM_CLI_REPORT_JSON_H

#include <glib.h>

typedef enum { JSON_LINES, JSON_LINE } JsonLayout;

/* Zero but for out to start with. */
typedef struct {
    GString *out;
    guint depth;
    guint inline_depth; /* 0, or the depth of the container that is kept on its line */
    gboolean filled;    /* the container that is open has a member */
} Json;

void json_open(Json *json, const char *key, char bracket, JsonLayout layout);
void json_close(Json *json, char bracket);

void json_text(Json *json, const char *key, const char *value);
void json_known_text(Json *json, const char *key, const char *value); /* NULL: null */
void json_int(Json *json, const char *key, gint64 value);
void json_double(Json *json, const char *key, double value);
void json_null(Json *json, const char *key);

/* value is JSON already, such as an exact decimal. */
void json_raw(Json *json, const char *key, const char *value);

#endif
