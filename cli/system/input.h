/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard input as a file. */
#ifndef PIPESIM_CLI_SYSTEM_INPUT_H
#define PIPESIM_CLI_SYSTEM_INPUT_H

#include "pipesim-private.h"

/* If a file is "-", and standard input is no graph (which its reader takes as it is), a passing
 * file gets what it has, with the ending that its content asks for. Its path, *input, takes the
 * place of "-" (ps_tool_file_remove, &draft_host). FALSE and *error: it cannot be read, or is
 * nothing that is known (ps_peek_ending). */
gboolean input_take(char **files, char **input, GError **error);

#endif
