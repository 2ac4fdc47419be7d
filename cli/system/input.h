/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard input as a file. */
#ifndef PIPESIM_CLI_SYSTEM_INPUT_H
#define PIPESIM_CLI_SYSTEM_INPUT_H

#include "pipesim-private.h"

/* If a file is "-", and standard input is no graph (which its reader takes as it is), a passing
 * file gets what it has: "stdin" with the ending that its content asks for, alone in a folder. Its
 * path, *input, takes the place of "-" (input_remove). FALSE and *error: it cannot be read, or is
 * nothing that is known (ps_peek_ending). */
gboolean input_take(char **files, char **input, GError **error);

/* Removes it with its folder, and frees its path; NULL is fine. */
void input_remove(char *input);

#endif
