/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small writer of JSON. It exists because json-glib's numbers are doubles and 64-bit integers:
 * cycles are exact decimals of any length and must never go through a double, so they are written
 * here as texts.
 *
 * Containers open on their own lines, or with PS_JSON_LINE on one line with all that they contain.
 * key is NULL within an array and for the outermost value.
 */
#ifndef PIPESIM_TELL_JSON_H
#define PIPESIM_TELL_JSON_H

#include "tell/facts.h"

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum { PS_JSON_LINES, PS_JSON_LINE } PsJsonLayout;

/* Zero but for out to start with. */
typedef struct {
    GString *out;
    guint depth;
    guint inline_depth; /* 0, or the depth of the container that is kept on its line */
    gboolean filled;    /* the container that is open has a member */
} PsJson;

void ps_json_open(PsJson *json, const char *key, char bracket, PsJsonLayout layout);
void ps_json_close(PsJson *json, char bracket);

void ps_json_text(PsJson *json, const char *key, const char *value);
void ps_json_known_text(PsJson *json, const char *key, const char *value); /* NULL: null */
void ps_json_int(PsJson *json, const char *key, gint64 value);
void ps_json_double(PsJson *json, const char *key, double value);
void ps_json_unknown(PsJson *json, const char *key);

/* value is JSON already, such as an exact decimal. */
void ps_json_raw(PsJson *json, const char *key, const char *value);

/* A fraction, as a decimal if it is one. */
void ps_json_exact(PsJson *json, const char *key, PsRational value);

/* A number: whole ones below 2^53 without a fraction, null for NaN and infinity. */
void ps_json_figure(PsJson *json, const char *key, double value);

/* The same with as many digits as it takes to read back the same number: for what reports take as
 * input again. */
void ps_json_precise(PsJson *json, const char *key, double value);

/* All facts, members of the object that is open. */
void ps_json_told(PsJson *json, const PsTold *facts);

/* The same in an object of their own: an item of a list whose items come one at a time. */
void ps_json_told_object(PsJson *json, const PsTold *facts);

/* A whole document: such an object and a line end, at the end of out. */
void ps_json_told_document(GString *out, const PsTold *facts);

/* Opens a group whose members come one at a time; closed by its bracket. */
void ps_json_open_fact(PsJson *json, PsGroupFact fact);

#pragma GCC visibility pop
G_END_DECLS
#endif
