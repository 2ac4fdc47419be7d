/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a compiler or another tool for kernels' code: as the caller asks (PsCodeHost.compile), else
 * unseen. */
#ifndef PIPESIM_CODE_TOOL_RUN_H
#define PIPESIM_CODE_TOOL_RUN_H

#include "code/options.h"

G_BEGIN_DECLS

/* Adds copies of the words, which end with NULL, to a command. */
void ps_code_add_words(GPtrArray *argv, const char *const *texts);

/* Runs the command, which ends with NULL. Its temporary files lie beside ours. Returns the signal
 * that shall end us; 0: there is none, and *error says whether it failed. */
int ps_code_run_tool(const PsCodeOptions *build, const GPtrArray *argv, GError **error);

/* Ends the process by that signal as the caller wants it (PsCodeHost.end), once all is cleared up.
 * If the caller goes on, *error says that the work is cancelled. Signal 0 does nothing. */
void ps_code_end(const PsCodeOptions *build, int signal, GError **error);

G_END_DECLS
#endif
