/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds those of a compiler's options that are for the assembler that it calls. nvcc -ptx stops in
 * front of ptxas, which we then run: without these options it would make other code.
 */
#ifndef PIPESIM_CODE_ASSEMBLER_H
#define PIPESIM_CODE_ASSEMBLER_H

#include <glib.h>

G_BEGIN_DECLS

/* The options -maxrregcount N, -Xptxas WORD,... and their long forms, as ptxas takes them
 * (g_strfreev); `options` are nvcc's, or NULL. */
char **ps_assembler_options(char *const *options);

/* The spilled registers of a kernel in the messages of "ptxas -v": "124 bytes of stores and 96 of
 * loads" of a thread's code (g_free). NULL: there are none, or it does not tell. */
char *ps_assembler_spills(const char *said, const char *kernel);

G_END_DECLS
#endif
