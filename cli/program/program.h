/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA program that finds our driver in place of NVIDIA's. */
#ifndef PIPESIM_CLI_PROGRAM_PROGRAM_H
#define PIPESIM_CLI_PROGRAM_PROGRAM_H

#include "cli/options.h"

/* The folder of the driver's libraries (g_free). NULL and *error: it is not beside libpipesim. */
char *program_libraries(GError **error);

/* FALSE and *error if the program cannot find our driver: it is set-uid, or contains NVIDIA's
 * runtime. Other callers report a missing file. */
gboolean program_check(const char *command, GError **error);

/* TRUE if the command is a file that is linked with cuBLAS. */
gboolean program_has_blas(const char *command);

/* Runs the command as the verb does, on that GPU, for what it did with its device
 * (ps_card_read_free). *status becomes that of the command. NULL and *error, also where it launched
 * no kernel. */
PsCardRead *program_read(const Options *options, char **command, char *gpu, int *status,
                         GError **error);

/* Our environment, in which programs find these libraries first, and what stands in for cuBLAS
 * before them if that is wanted (g_strfreev). */
char **program_environment(const char *libraries, gboolean blas);

/* As that, for what compiles and links a program, with the runtime of the release that nvcc is
 * of: linkers also look for all that these libraries
 * load, which stands beside libpipesim in a wheel (g_strfreev). */
char **program_build_environment(const char *libraries, gboolean blas);

#endif
