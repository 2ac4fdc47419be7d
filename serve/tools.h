/* SPDX-License-Identifier: BSD-3-Clause */
/* The server's tools. */
#ifndef PIPESIM_SERVE_TOOLS_H
#define PIPESIM_SERVE_TOOLS_H

#include "base/progress.h"
#include "serve/arguments.h"
#include "serve/kernel.h"

G_BEGIN_DECLS

/* A short answer has at most so many bytes. */
#define PS_SHORT_BYTES 1000

/* A call. All is borrowed. */
typedef struct {
    const PsServedFolders *folders;
    const PsArguments *arguments;
    PsHearer hearer;
} PsToolCall;

/* The answer of a tool: its text (g_free). NULL and *error; a failed call leaves nothing behind. */
typedef char *(*PsToolWork)(const PsToolCall *call, GError **error);

/* A row of the table of tools. */
typedef struct {
    const char *name;
    const char *description; /* for whoever chooses */
    guint groups;            /* PsArgumentGroup: the arguments that it takes */
    const char *required;    /* those that it needs, blanks between them */
    PsToolWork work;
} PsServedTool;

/* The table, ended by a row without a name. */
extern const PsServedTool ps_served_tools[];

/* The list of tools with their schemas, as the member of that name of a result (g_free). */
char *ps_tools_json(void);

/* The work of each tool. */
char *ps_serve_run(const PsToolCall *call, GError **error);
char *ps_serve_advise(const PsToolCall *call, GError **error);
char *ps_serve_explain(const PsToolCall *call, GError **error);
char *ps_serve_compare(const PsToolCall *call, GError **error);
char *ps_serve_sweep(const PsToolCall *call, GError **error);
char *ps_serve_gate(const PsToolCall *call, GError **error);
char *ps_serve_roofline(const PsToolCall *call, GError **error);
char *ps_serve_gpus(const PsToolCall *call, GError **error);

G_END_DECLS
#endif
