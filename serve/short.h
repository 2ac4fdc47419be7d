/* SPDX-License-Identifier: BSD-3-Clause */
/* Common parts of tools: how much detail is asked for, and documents on one line. */
#ifndef PIPESIM_SERVE_SHORT_H
#define PIPESIM_SERVE_SHORT_H

#include "serve/tools.h"
#include "tell/facts.h"

G_BEGIN_DECLS

typedef enum { PS_DETAIL_SHORT, PS_DETAIL_TEXT, PS_DETAIL_JSON } PsDetail;

PsDetail ps_call_detail(const PsToolCall *call);

/* The measured time in seconds; 0 where none was given. FALSE and *error for what is no time. */
gboolean ps_call_measured(const PsToolCall *call, double *seconds, GError **error);

/* The facts as one line of JSON (g_free). */
char *ps_short_json(const PsTold *facts);

/* A kernel's name in short answers: its middle may be left out (g_free). */
char *ps_short_name(const char *name);

G_END_DECLS
#endif
