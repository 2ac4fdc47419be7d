/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVIDIA's programs, maybe in several versions: CUDA 13 knows no chip before sm_75, CUDA 12 no
 * later one than sm_120. They are looked for on PATH, in the toolkit's folder, and in the folder of
 * ./bootstrap --only sass.
 */
#ifndef PIPESIM_CODE_TOOLKIT_H
#define PIPESIM_CODE_TOOLKIT_H

#include "code/options.h"

/* The toolkit's folder of programs, beside PATH (g_free): bin in CUDA_HOME, or in /usr/local/cuda
 * if that is not set. */
char *ps_toolkit_folder(void);

/* The path at which ./bootstrap puts a program (g_free). */
char *ps_toolkit_own(const char *name);

/* The paths of all programs of that name, the one to take first (g_ptr_array_unref). */
GPtrArray *ps_toolkit_all(const char *name);

/* TRUE if the program's --help, which is kept, names the chip, 70 of sm_70, or names none at all.
 */
gboolean ps_toolkit_knows(const PsCodeOptions *options, const char *program, guint architecture);

/* "sm_75 to sm_121", the chips that --help names (g_free); NULL: it names none. */
char *ps_toolkit_known(const PsCodeOptions *options, const char *program);

/* The path of the first that knows the chip (g_free); NULL: none does. */
char *ps_toolkit_for(const PsCodeOptions *options, const char *name, guint architecture);

#endif
