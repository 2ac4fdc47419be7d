/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel in PTX, CUDA, OpenCL or machine code is built with: the options of the verb build,
 * which other verbs take as well where they are given such a kernel in place of a graph.
 */
#ifndef PIPESIM_CLI_BUILD_OPTIONS_H
#define PIPESIM_CLI_BUILD_OPTIONS_H

#include "cli/command-line.h"
#include "cli/system/progress.h"
#include "pipesim-private.h"

typedef enum {
    REGISTERS_AUTO,  /* as ptxas says, where it is installed */
    REGISTERS_PTXAS, /* as ptxas says, or it is an error */
    REGISTERS_GIVEN,
    REGISTERS_NONE
} RegistersFrom;

typedef enum {
    CODE_EITHER, /* machine code where it can be had (choice.h) */
    CODE_PTX,
    CODE_MACHINE
} CodeWanted;

typedef struct {
    const Value *given;             /* all that was given; borrowed */
    gboolean list, mangled;         /* mangled: with names as PTX has them */
    gboolean stats, partial, quiet; /* quiet: nothing is told */
    char *kernel;                   /* NULL: the only one */
    const char *gpu, *lacking; /* the name that was given; an option that is missing beside those of
                                  the launch, "--gpu GPU"; NULL: none */
    char *grid, *threads, *block, *samples, *arch;
    char **arguments; /* NAME=VALUE each; NULL where there is none, as the next two */
    char **common; /* those of arguments that are given to two kernels, so that one may lack them */
    char **dumps;  /* NAME=FILE */
    char **compiler; /* options for the compiler of a source; never NULL */
    const char *ptx; /* what the compiler made of the source before, borrowed; NULL: it is asked */
    guint64 shared;  /* bytes of dynamic local memory */
    RegistersFrom registers_from;
    gint64 registers, accumulators, scalar_registers;
    guint64 most_memory;       /* bytes of buffers that are kept; 0: the library's limit */
    guint64 most_instructions; /* warp instructions of a group; 0: the library's limit */
    gboolean no_rule[PS_BUILD_N_RULES];
    CodeWanted from;
    const char *nvdisasm; /* its path; NULL: it is looked for */
    Progress *progress;   /* of the whole program; borrowed */
    GPtrArray *said; /* char *: what building has told, so that it is told once for several GPUs */
    GPtrArray *told; /* char *: all that it tells, for whoever keeps what is built: "warning: " and
                        the text, or the text alone; NULL: nobody does */
    PsStore *store;  /* where results are kept (kept.h); NULL: nowhere */
} BuildOptions;

/* Texts and lists but for two are borrowed from what was given. FALSE and *error for what makes no
 * sense. */
gboolean build_options_parse(const Value *given, BuildOptions *build, GError **error);
void build_options_clear(BuildOptions *build);

/* FALSE and *error if options of this kind stand beside files none of which is a kernel's code. */
gboolean build_options_check(Verb verb, const Value *given, char **files, GError **error);

/* Say it, if that has not been told. */
void build_note(const BuildOptions *build, const char *text);
void build_warn(const BuildOptions *build, const char *text);

/* What one of the two has told, once more: as in BuildOptions.told. */
void build_tell(const BuildOptions *build, const char *told);

/* TRUE if the name is that of a kernel's code: it ends in .ptx, .cu, .cl or .cubin, or a file of
 * that name begins as machine code does: fat binaries, programs. */
gboolean build_is_code(const char *name);

#endif
