/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods of the protocol that are answered at once, and parts of the others. */
#ifndef PIPESIM_SERVE_METHODS_H
#define PIPESIM_SERVE_METHODS_H

#include "serve/tools.h"

G_BEGIN_DECLS

/* The versions of the protocol, the latest first. */
#define PS_MCP_VERSIONS "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"

/* Only in this version a message may be a batch of others. */
#define PS_MCP_BATCHES "2025-03-26"

/* The result of `initialize`, as JSON (g_free). *version becomes the one that is spoken from now
 * on: the client's, or where that is unknown the latest; borrowed. NULL and *error where the
 * parameters (JSON, or NULL) are none. */
char *ps_mcp_initialize(const char *params, const char **version, GError **error);

/* The parameters of `tools/call`. */
typedef struct {
    const PsServedTool *tool;
    char *arguments; /* JSON; NULL: none */
    char *token;     /* JSON: of progress that the client wants to hear; NULL: it wants none */
} PsMcpCall;

/* Reads its parameters (ps_mcp_call_clear). FALSE and *error where there is no such tool. */
gboolean ps_mcp_call_read(const char *params, PsMcpCall *call, GError **error);
void ps_mcp_call_clear(PsMcpCall *call);

/* The result of a call, as JSON (g_free): a text, or the reason for none. */
char *ps_mcp_call_result(const char *text, gboolean failed);

/* The id that `notifications/cancelled` names, as JSON (g_free); NULL: none. */
char *ps_mcp_cancelled(const char *params);

/* A notification of how far a call is, as a line without its end (g_free); words may be NULL. */
char *ps_mcp_progress(const char *token, double progress, const char *words);

G_END_DECLS
#endif
