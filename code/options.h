/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options for building a kernel in PTX, CUDA, OpenCL or machine code: its compilation, the choice
 * of code, its launch, the place of kept results, and the functions that hear of all that.
 */
#ifndef PIPESIM_CODE_OPTIONS_H
#define PIPESIM_CODE_OPTIONS_H

#include "base/store.h"
#include "base/tool.h"
#include "launch/launch.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Most bytes of a module; libraries have some of 50 MB. */
#define PS_CODE_MOST_PTX (256 * 1024 * 1024)

/* Most bytes of a source. */
#define PS_CODE_MOST_SOURCE (64 * 1024 * 1024)

typedef enum {
    PS_CODE_REGISTERS_AUTO,  /* as ptxas says, if it is installed */
    PS_CODE_REGISTERS_PTXAS, /* as ptxas says, or it is an error */
    PS_CODE_REGISTERS_GIVEN,
    PS_CODE_REGISTERS_NONE
} PsCodeRegisters;

typedef enum {
    PS_CODE_EITHER, /* machine code if it can be had (choice.h) */
    PS_CODE_PTX,
    PS_CODE_MACHINE
} PsCodeWanted;

/* The host of a build, which hears what it does. Zero is none: compilers are then run unseen, and
 * the first error that they tell is part of the message. */
typedef struct {
    const PsToolHost *tools; /* of groups of processes, and files that pass; may be NULL */
    /* Runs a compiler to its end, with standard error as it is: its exit status. *signal becomes
     * the one that shall end the caller, 0 where none came. */
    int (*compile)(char **argv, char **environment, int *signal, GError **error);
    void (*end)(int signal); /* ends the caller by that signal, when nothing is left of the work */
    void (*tell)(const char *text, gboolean warning, gpointer data);
    void (*show)(const char *command); /* a command line that would ask about one of the kernels */
    void (*begin)(const char *what, const char *name, gpointer data); /* "compiling", "a.cu";
                                                                         both NULL: it has ended */
    gpointer data;                                                    /* of `tell` and `begin` */
    PsHearer hearer;                                                  /* of the work; ends it */
} PsCodeHost;

/* Texts and lists are borrowed. */
typedef struct {
    PsCodeHost host;
    const char *prefix; /* of options' names in messages: "--" of "--grid"; never NULL */
    const char *shown;  /* what its user calls the file, "-"; NULL: by its path. A source that is
                           called otherwise is alone in its folder, which no message names. */
    gboolean partial, quiet; /* quiet: nothing is told */
    gboolean guess;          /* what the launch lacks is guessed (launch/guess.h) */
    char *kernel;            /* NULL: the only one */
    /* For messages with a command line, "PROGRAM FILE --gpu GPU MORE LAUNCH REST": what it begins
     * with, the name of the GPU, other options as a shell is given them, and what ends it, or NULL.
     * program NULL: none is shown. */
    const char *program, *gpu, *more, *rest;
    const char *lacking; /* an option that is missing beside those of the launch, "--gpu GPU"; NULL:
                            none */
    char *grid, *threads, *block, *samples, *arch;
    gboolean other_grid, other_block; /* somebody else gives them: no message asks for them */
    char **arguments;                 /* NAME=VALUE each; NULL if there is none, as the next two */
    GHashTable *lent;                 /* as PsLaunchTexts.lent; NULL: nothing is lent */
    char **common;   /* arguments that are given to two kernels, so that one may lack them */
    char **dumps;    /* buffers whose contents are kept: NAME, NAME+OFFSET */
    char **compiler; /* options for the compiler of a source; NULL: none */
    const char *ptx; /* the compiler's output for the source; NULL: it is run */
    guint64 shared;  /* bytes of dynamic shared memory */
    PsCodeRegisters registers_from;
    gint64 registers, accumulators, scalar_registers;
    guint64 most_memory;       /* bytes of buffers that are kept; 0: the library's limit */
    guint64 most_instructions; /* warp instructions of a group; 0: the library's limit */
    gboolean no_rule[PS_BUILD_N_RULES];
    PsCodeWanted from;
    const char *nvdisasm; /* its path; NULL: it is looked for */
    GPtrArray *said; /* char *: what building has told, so that it is told once for several GPUs;
                        NULL: nobody minds */
    GPtrArray *told; /* char *: all messages, to be kept with the result: "warning: " and the
                        text, or the text alone; NULL: they are not kept */
    PsStore *store;  /* place of kept results (kept.h); NULL: none */
} PsCodeOptions;

/* Say it, if that has not been told. */
void ps_code_note(const PsCodeOptions *options, const char *text);
void ps_code_warn(const PsCodeOptions *options, const char *text);

/* Notes messages that the making has told already, as in PsCodeOptions.told. */
void ps_code_tell(const PsCodeOptions *options, const char *told);

/* The texts of the warnings among what is told (g_ptr_array_unref). */
GPtrArray *ps_code_warnings(const GPtrArray *told);

/* What messages call the file of that path; borrowed. */
const char *ps_code_shown(const PsCodeOptions *options, const char *path);

/* Says what begins; with both NULL, that it has ended. */
void ps_code_begin(const PsCodeOptions *options, const char *what, const char *name);

/* A word quoted for a shell (g_free). */
char *ps_code_quote(const char *word);

#pragma GCC visibility pop
G_END_DECLS
#endif
