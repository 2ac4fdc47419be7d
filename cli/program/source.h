/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA source with a main is a program: it is compiled and runs as one. */
#ifndef PIPESIM_CLI_PROGRAM_SOURCE_H
#define PIPESIM_CLI_PROGRAM_SOURCE_H

#include "cli/options.h"

/* TRUE if the only file is such a source, and no option needs a kernel. */
gboolean program_is_source(const Options *options);

/* TRUE if the file is a CUDA source with a main. */
gboolean program_has_main(const char *path);

/* Compiles it as a program of that folder, for that GPU; its path (g_free). NULL and *error: there
 * is no compiler, or it refuses the source. */
char *program_compile(const char *source, const char *gpu, const char *folder, GError **error);

/* Compiles it in a temporary folder, and runs it like the verb program: the exit status. */
int program_of_source(const Options *options);

#endif
