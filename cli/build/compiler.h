/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compilers of others: from CUDA or OpenCL source to PTX, and how many registers the assembler
 * gives a kernel. They are looked for on PATH and where CUDA's toolkit and Debian put them.
 */
#ifndef PIPESIM_CLI_BUILD_COMPILER_H
#define PIPESIM_CLI_BUILD_COMPILER_H

#include "cli/build/options.h"

/* As large as a module may be, in bytes; libraries have some of 50 MB. */
#define COMPILER_MOST_PTX (256 * 1024 * 1024)

typedef struct {
    const char *path;          /* of the source, which ends in .cu or .cl */
    const char *text;          /* what is compiled in place of what it has; NULL: that */
    const PsGpu *gpu;          /* or NULL */
    const BuildOptions *build; /* arch: "sm_80"; NULL: what suits the GPU */
} Source;

/* A program's path, by PATH and the toolkit's folder (g_free); NULL where there is none. */
char *compiler_find(const char *name);

/* A file of that ending, with these bytes in it (none where that is NULL), which nobody else can
 * read, and which vanishes with us. NULL and *error. */
char *compiler_draft(const char *ending, GBytes *bytes, GError **error);

/* Removes it, and frees its path; NULL is fine. */
void compiler_remove_draft(char *path);

/* The number of the GPU's architecture, such as 80 of sm_80; 0 where its description does not tell,
 * or there is none. */
guint compiler_architecture(const PsGpu *gpu);

/* The same of --arch, where that is given. */
guint compiler_wanted(const Source *source);

/* The PTX of a source (g_free), *length of it. What the compiler says goes to standard error, but
 * of another text, which nobody has seen, nowhere. NULL
 * and *error where it fails, or there is none: the message says what was looked for, and which
 * package has it. A signal that comes meanwhile ends the compiler, and then this program. *rule,
 * where that is not NULL, becomes the rule for make (g_free) by which the PTX depends on all files
 * that were read; NULL where the compiler does not tell. */
char *compiler_make_ptx(const Source *source, gsize *length, char **rule, GError **error);

/* The registers per thread that ptxas gives a kernel of that PTX. If that is of a later version
 * than ptxas knows, it is asked again as if the PTX were of the latest that it does know, which is
 * where *version (g_free) is not NULL. 0 and *error where there is no ptxas, or it cannot tell. */
gint64 compiler_count_registers(const BuildOptions *build, const char *ptx, const char *kernel,
                                const char *target, char **version, GError **error);

/* The cubins that cuobjdump finds in a file, one behind the other. NULL and *error: that nothing is
 * found without it, which `why` says, and it is not there, fails or finds nothing. */
GBytes *compiler_extract_cubins(const char *path, const char *why, GError **error);

/* The machine code that ptxas makes of it, likewise. build: who keeps it; NULL: nobody. NULL and
 * *error. */
GBytes *compiler_make_cubin(const BuildOptions *build, const char *ptx, const char *target,
                            char **version, GError **error);

/* Which one that is, "ptxas 13.0.88" (g_free). NULL and *error where it does not tell. */
char *compiler_name_ptxas(GError **error);

#endif
