/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard input as a file. */
#ifndef PIPESIM_CLI_SYSTEM_INPUT_H
#define PIPESIM_CLI_SYSTEM_INPUT_H

#include "pipesim-private.h"

/* If a file is "-", and standard input is no graph (which its reader takes directly), its content
 * goes to a temporary file: "stdin" with an ending for the content, alone in a folder. Its path,
 * *input, replaces "-" (input_remove). FALSE and *error: it cannot be read, or is of no known kind
 * (ps_peek_ending). */
gboolean input_take(char **files, char **input, GError **error);

/* Removes it with its folder, and frees its path; NULL is fine. */
void input_remove(char *input);

#endif
