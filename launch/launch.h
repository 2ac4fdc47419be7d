/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A launch of compiled code as people write it: the number of groups and of threads, a value for
 * each of the kernel's parameters, what buffers hold. These steps lead from the texts and PTX to a
 * graph:
 *
 *     ps_ptx_load, ps_ptx_kernel                  the code
 *     ps_launch_arguments_new                     values, and bytes of buffers
 *     ps_launch_grid_new                          groups, threads, and which groups are executed
 *     ps_launch_set_up, ps_launch_build           the graph, for a GPU
 *
 * A value of an argument is a number (2.5, -3, 0x10, 16M, of 1024 times 1024) or, where the
 * parameter is an address or a struct, what a buffer holds:
 *
 *     zero:BYTES
 *     ramp:BYTES[:TYPE]                           0, 1, 2, ...
 *     random:BYTES[:SEED[:TYPE[:BELOW]]]
 *     @FILE
 *     tensor:TYPE:SIZE...                         a tensor map and its buffer (tensor.h)
 *
 * PTX does not say of what type a buffer's elements are, so the text does; f32 where it does not.
 * BYTES is a number (4096, 4K, 4M, 1G) or an expression over the arguments that are numbers. A
 * value is for the parameter that "NAME=" in front of it names: by its name in the source, where
 * that was found, by its name in the PTX, or by its number from 0; a value without a name goes to
 * the next parameter that has none. "NAME+OFFSET=" is a field of a struct, at so many bytes, and
 * the name of a variable of the module gives that, or its field, its value (cudaMemcpyToSymbol).
 */
#ifndef PIPESIM_LAUNCH_LAUNCH_H
#define PIPESIM_LAUNCH_LAUNCH_H

#include "gpu/gpu.h"
#include "lift/build.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The texts, and what messages call them, all borrowed. */
typedef struct {
    const char *const *arguments; /* NAME=VALUE each, NULL at the end; or NULL */
    const char *const *common; /* texts of arguments that two kernels are given, so that one of them
                                  may have no such parameter; or NULL */
    const char *grid;    /* "32x32", "32,32", "n/16xn/16", "n/block.x": groups in x, y and z */
    const char *threads; /* threads of all groups together, in the same form, which give the grid
                            if `grid` is NULL */
    const char *block;   /* threads of a group, in the same form; NULL: what the kernel requires */
    const char *samples; /* groups that are executed, "X,Y[,Z];..." or "all"; NULL: those in
                            the middle of the grid */
    const char *source;  /* path of the source that the PTX was compiled from, whose names the
                            parameters have; NULL: the one that the PTX names is looked for */
    /* What the user calls an argument, the grid, the threads, the block and the samples, such as
     * "--arg"; NULL: by these words. */
    const char *argument_name, *grid_name, *threads_name, *block_name, *sample_name;
    /* For a message that lists all that is missing: the beginning of the command line, "pipesim run
     * k.cu", and a further missing option, "--gpu GPU"; either may be NULL. The message asks for
     * the grid and the block if they have names. */
    const char *command, *lacking;
    const char *rest; /* the end of that command line, "--versus --block 64"; or NULL */
    const char
        *shared_name; /* the user's name for bytes of shared memory, if nobody gave any and the
                         message shall ask for them when the code points there; or NULL */
    gboolean dynamic; /* code that the module has no text of wants such bytes */
    const char *
        guess_name; /* the option that guesses what is missing, which the message offers; or NULL */
    const PsPtxFunction
        *code; /* the code that the kernel executes, which tells ints from floats, where the kernel
                  itself is known by its parameters alone; or NULL */
    GHashTable *lent; /* values that stand for bytes in memory, such as "@lent:0" -> PsLent
                         (lent.h); NULL: none does */
} PsLaunchTexts;

/* The text with the name replaced by this value wherever it stands as a word (g_free):
 * "(n/TILE)x(n/TILE)" with the value that a macro TILE of the source has. */
char *ps_launch_substitute(const char *text, const char *name, const char *value);

/* Checks what can be checked of the texts without the code; each has its name. Names in formulas,
 * and whether there are such arguments, are not checked. FALSE and *error as from the functions
 * that take them. */
gboolean ps_launch_texts_check(const PsLaunchTexts *texts, GError **error);

/* ---- arguments ----------------------------------------------------------------------------- */

/* The arguments that the texts give. */
typedef struct {
    const PsPtxModule *module; /* borrowed, as the next one */
    const PsPtxFunction *kernel;
    const PsPtxFunction *code; /* as in the texts; borrowed while the arguments are made */
    guint n;
    PsPtxArgument *values; /* one for each parameter; their names are those of `names` */
    char **names;          /* name of each */
    GPtrArray *lacking;    /* char *: those common texts that are for none of them */
    PsScope *scope;        /* the numbers among them, by their names */
} PsLaunchArguments;

/* Values for all of the kernel's parameters, and for the module's variables, which are changed.
 * Parameters that the kernel never reads, and memory that its compiler added, may have no text:
 * they are zeros, and `notes` says so. Sentences are added to notes and warnings (char *, the
 * arrays' own), also where there is an error, which they may explain. NULL and *error:
 * PS_ERROR_USAGE for values that are missing (lists all), names that are not there, and what a
 * parameter cannot take; PS_ERROR_READ and PS_ERROR_LIMIT for files. */
PsLaunchArguments *ps_launch_arguments_new(PsPtxModule *module, const PsPtxFunction *kernel,
                                           const PsLaunchTexts *texts, GPtrArray *notes,
                                           GPtrArray *warnings, GError **error);
void ps_launch_arguments_free(PsLaunchArguments *arguments);

/* Whether all that the kernel needs has a text. FALSE and *error (PS_ERROR_USAGE), which lists all
 * that is missing. */
gboolean ps_launch_check_missing(PsPtxModule *module, const PsPtxFunction *kernel,
                                 const PsLaunchTexts *texts, GError **error);

/* Common texts for which the kernel has no argument (char *; g_ptr_array_unref). */
GPtrArray *ps_launch_untaken(PsPtxModule *module, const PsPtxFunction *kernel,
                             const PsLaunchTexts *texts);

/* The command line that would ask about the kernel (g_free): the given texts, and placeholders for
 * the missing ones: "pipesim run k.cu --gpu GPU --grid GROUPS --arg n=NUMBER". Where the kernel
 * cannot take the texts of arguments, all arguments are placeholders. */
char *ps_launch_command(PsPtxModule *module, const PsPtxFunction *kernel,
                        const PsLaunchTexts *texts);

/* All parameters of the kernel: "a (.u64), size (.u32)" (g_free). */
char *ps_launch_arguments_describe(const PsLaunchArguments *arguments);

/* A buffer's content: what the kernel wrote, once it was executed. */
typedef struct {
    const guint8 *data; /* borrowed */
    gsize size;
} PsLaunchBuffer;

/* The buffer of the argument NAME or the field NAME+OFFSET. FALSE and *error (PS_ERROR_USAGE) if
 * there is none; the message begins with `what`. PS_ERROR_READ if its file cannot be read any
 * more. */
gboolean ps_launch_arguments_buffer(const PsLaunchArguments *arguments, const char *what,
                                    const char *name, PsLaunchBuffer *buffer, GError **error);

/* ---- the grid ------------------------------------------------------------------------------ */

/* Numbers in x, y and z. */
typedef struct {
    guint size[3];
    char *text[3]; /* the expression; NULL for a plain number */
} PsLaunchExtent;

/* The grid that the texts give. */
typedef struct {
    PsLaunchExtent groups, threads;
    guint n_samples; /* 0: those in the middle */
    guint (*samples)[3];
} PsLaunchGrid;

/* Expressions are over the arguments. NULL and *error (PS_ERROR_USAGE) for a text that is missing
 * or wrong, more than CUDA allows in a direction, a sample that is not in the grid. */
PsLaunchGrid *ps_launch_grid_new(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                                 GError **error);
void ps_launch_grid_free(PsLaunchGrid *grid);

/* The parts of ps_launch_texts_check that look at the grid, the threads, the block and the
 * samples. */
gboolean ps_launch_grid_check(const PsLaunchTexts *texts, GError **error);

/* FALSE and *error (PS_ERROR_VALUE) if a block has more threads than any group may have. Parts of
 * the text that are not numbers pass, since they are not known before there are arguments. */
gboolean ps_launch_block_check(const char *block, GError **error);

/* ---- the graph ----------------------------------------------------------------------------- */

/* Sets the code, values and grid of a build; options borrow from all of these. Their other members,
 * such as registers and rules, stay as they are. */
void ps_launch_set_up(const PsLaunchArguments *arguments, const PsLaunchGrid *grid,
                      const PsLaunchTexts *texts, PsBuildOptions *options);

/* Does as ps_build for a GPU, whose caches, compute units and occupancy replace those of the
 * options; NULL: as the options have them. */
PsBuild *ps_launch_build(const PsBuildOptions *options, const PsGpu *gpu, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLaunchArguments, ps_launch_arguments_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLaunchGrid, ps_launch_grid_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
