/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs other people's compilers: from CUDA or OpenCL source to PTX, and for the registers that the
 * assembler gives a kernel. They are looked for on PATH and where CUDA's toolkit and Debian put
 * them.
 */
#ifndef PIPESIM_CODE_TOOLCHAIN_H
#define PIPESIM_CODE_TOOLCHAIN_H

#include "code/options.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const char *path; /* of the source, which ends in .cu or .cl */
    const char *text; /* the text that is compiled in place of the file's; NULL: the file's */
    const PsGpu *gpu; /* or NULL */
    const PsCodeOptions *build; /* arch: "sm_80"; NULL: what suits the GPU */
} PsCodeSource;

/* The release of CUDA that a compiler belongs to, 13 for 13.0; 0: it does not tell. */
guint ps_toolchain_release(const PsToolHost *tools, const char *nvcc);

/* A program's path, by PATH and the toolkit's folder (g_free); NULL if there is none. */
char *ps_toolchain_find(const char *name);

/* The number of the GPU's architecture, such as 80 of sm_80; 0 if its description does not tell, or
 * there is none. */
guint ps_toolchain_architecture(const PsGpu *gpu);

/* The number of PsCodeOptions.arch, if it is given. */
guint ps_toolchain_wanted(const PsCodeSource *source);

/* TRUE if that nvcc compiles for GPUs of this compute capability, 70 for 7.0; also if it does not
 * tell. */
gboolean ps_toolchain_knows(const PsToolHost *tools, const char *nvcc, guint capability);

/* The PTX of a source (g_free), and its *length. The compiler's messages go to PsCodeHost, except
 * those about a changed text that nobody has seen. NULL and *error if it fails, or there is none:
 * the message names the program and the package that has it. *rule, unless NULL, becomes a rule for
 * make (g_free): the PTX depends on all files that were read; NULL if the compiler does not
 * tell. */
char *ps_toolchain_make_ptx(const PsCodeSource *source, gsize *length, char **rule, GError **error);

/* The registers per thread that ptxas gives a kernel of that PTX. If the PTX is of a later version
 * than ptxas knows, ptxas reads it as if of its latest; then *version (g_free) is not NULL. 0 and
 * *error if there is no ptxas, or it cannot tell. */
gint64 ps_toolchain_count_registers(const PsCodeOptions *build, const char *ptx, const char *kernel,
                                    const char *target, char **version, GError **error);

/* The cubins that cuobjdump finds in a file, one behind the other. NULL and *error if it is not
 * there, fails or finds nothing; `why` names the need for it. */
GBytes *ps_toolchain_extract_cubins(const PsCodeOptions *build, const char *path, const char *why,
                                    GError **error);

/* The machine code that ptxas makes of PTX. NULL and *error. */
GBytes *ps_toolchain_make_cubin(const PsCodeOptions *build, const char *ptx, const char *target,
                                char **version, GError **error);

/* The version of ptxas, "ptxas 13.0.88" (g_free). NULL and *error if it does not tell. */
char *ps_toolchain_name_ptxas(const PsToolHost *tools, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
