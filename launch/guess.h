/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guesses values that a launch lacks, so that there is a first answer before somebody has found
 * them. The code tells the purpose of an argument (ptx/run/uses.h), the GPU the size of the work.
 * Each guess has its reason, and the option that would replace it.
 */
#ifndef PIPESIM_LAUNCH_GUESS_H
#define PIPESIM_LAUNCH_GUESS_H

#include "launch/launch.h"
#include "ptx/code/code.h"

G_BEGIN_DECLS

/* The texts of a launch with the guessed ones. */
typedef struct {
    GPtrArray *guesses; /* PsIdgGuess, in the order: grid, block, arguments */
    char **arguments;   /* all of them, NULL at the end */
    char *grid, *block; /* NULL: they are given, or need not be */
} PsLaunchGuess;

/* What is launched; borrowed. */
typedef struct {
    PsPtxModule *module;
    const PsPtxFunction *kernel; /* of the module, whose parameters the texts are for */
    const PsPtxCode *code;       /* the kernel's needs, from the module or told of machine code */
    guint64 dynamic;             /* bytes of shared memory that the launch adds */
    const PsGpu *gpu;            /* the GPU; NULL: nobody knows how much fills it */
} PsLaunchGuessOf;

/* guess_name of the texts is not NULL. NULL and *error: PS_ERROR_USAGE if the texts are wrong;
 * PS_ERROR_VALUE if no guess would be honest: a loop ends by the content of a buffer, the kernel
 * goes to addresses that it reads, a struct, a place in shared memory; PS_ERROR_LIMIT. */
PsLaunchGuess *ps_launch_guess(const PsLaunchGuessOf *of, const PsLaunchTexts *texts,
                               GError **error);
void ps_launch_guess_free(PsLaunchGuess *guess);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLaunchGuess, ps_launch_guess_free)

G_END_DECLS
#endif
