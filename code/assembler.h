/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of a compiler's options is for the assembler that it calls. nvcc -ptx stops in front of
 * ptxas, which is then run by ourselves: without these options it would make other code.
 */
#ifndef PIPESIM_CODE_ASSEMBLER_H
#define PIPESIM_CODE_ASSEMBLER_H

#include <glib.h>

G_BEGIN_DECLS

/* Those of -maxrregcount N, -Xptxas WORD,... and their long forms, as ptxas takes them
 * (g_strfreev); `options` are nvcc's, or NULL. */
char **ps_assembler_options(char *const *options);

/* What "ptxas -v" tells of a kernel's registers that it keeps in memory, "124 bytes of stores and
 * 96 of loads" of a thread's code (g_free). NULL: there are none, or it does not tell. */
char *ps_assembler_spills(const char *said, const char *kernel);

G_END_DECLS
#endif
