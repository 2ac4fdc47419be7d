/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA source with a main is a program: it is compiled, and runs as one. */
#ifndef PIPESIM_CLI_PROGRAM_SOURCE_H
#define PIPESIM_CLI_PROGRAM_SOURCE_H

#include "cli/options.h"

/* TRUE where the one file is such a source, and nothing is asked that only a kernel can answer. */
gboolean program_is_source(const Options *options);

/* Compiles it in a folder that passes, and runs it as the verb program does: the exit status. */
int program_of_source(const Options *options);

#endif
