/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA source with a main is a program: it is compiled, and runs as one. */
#ifndef PIPESIM_CLI_PROGRAM_SOURCE_H
#define PIPESIM_CLI_PROGRAM_SOURCE_H

#include "cli/options.h"

/* TRUE where the one file is such a source, and nothing is asked that only a kernel can answer. */
gboolean program_is_source(const Options *options);

/* Whether the file is a CUDA source with a main. */
gboolean program_has_main(const char *path);

/* Compiles it as a program of that folder, for that GPU; its path (g_free). NULL and *error: there
 * is no compiler, or it refuses the source. */
char *program_compile(const char *source, const char *gpu, const char *folder, GError **error);

/* Compiles it in a folder that passes, and runs it as the verb program does: the exit status. */
int program_of_source(const Options *options);

#endif
