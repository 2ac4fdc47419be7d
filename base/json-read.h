/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON as a stream, strictly by RFC 8259, with the place of each value. json-glib is not used, for
 * what it lets pass: 1e999 becomes infinity, 99999999999999999999 becomes -1, 017 becomes 15. It
 * does not say in which line a value stands either, which error messages here must.
 *
 * The caller knows what it expects, and asks for it:
 *
 *     ps_json_object(json, member, self, &error)    member is called for each, and reads its value
 *     ps_json_array(json, item, self, &error)       so is item
 *     ps_json_number, ps_json_string, ps_json_null, ps_json_skip
 *
 * Nesting is bounded, and nothing is kept of what was read.
 */
#ifndef PIPESIM_BASE_JSON_READ_H
#define PIPESIM_BASE_JSON_READ_H

#include "base/message.h"

G_BEGIN_DECLS

#define PS_JSON_MAX_DEPTH 64

typedef struct {
    const char *file; /* for messages; borrowed */
    const char *start, *at, *end;
    const char *mark; /* the begin of the last value; a caller may set it back to blame another */
    int depth;

    /* the place up to which lines were counted */
    const char *counted, *line_start;
    int line, first_line;
} PsJson;

/* text is borrowed, begins at `place`, and need not end in a zero. */
void ps_json_init(PsJson *json, PsPlace place, const char *text, gsize length);

/* The first character of the next value: { [ " t f n, - for any number, or 0 if there is none. */
char ps_json_peek(PsJson *json);

typedef gboolean (*PsJsonMember)(PsJson *json, const char *key, gpointer self, GError **error);
typedef gboolean (*PsJsonItem)(PsJson *json, gpointer self, GError **error);

/* All of these fail (FALSE, PS_ERROR_SYNTAX) if the next value is another, or malformed. */
gboolean ps_json_object(PsJson *json, PsJsonMember member, gpointer self, GError **error);
gboolean ps_json_array(PsJson *json, PsJsonItem item, gpointer self, GError **error);
gboolean ps_json_number(PsJson *json, double *value, GError **error);    /* finite */
gboolean ps_json_unsigned(PsJson *json, guint64 *value, GError **error); /* all of its digits */
gboolean ps_json_string(PsJson *json, char **text, GError **error);      /* free with g_free */
gboolean ps_json_skip(PsJson *json, GError **error);                     /* whatever it is */

/* Whether the next value is null; it is read then. */
gboolean ps_json_null(PsJson *json);

/* Whether nothing but white space is left. */
gboolean ps_json_finish(PsJson *json, GError **error);

/* Blames the value that was read last, "FILE:LINE:COLUMN: " + format; FALSE, so that one can return
 * it. */
gboolean ps_json_error(PsJson *json, GError **error, PsErrorCode code, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* The line of the value that was read last. */
int ps_json_line(PsJson *json);

G_END_DECLS
#endif
