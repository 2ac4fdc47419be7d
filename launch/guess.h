/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values for what a launch lacks, so that there is a first answer before somebody has found them:
 * what an argument is for, the code tells (ptx/run/uses.h); how much there is to do, the GPU. Each
 * guess says what it rests on, and the option that would replace it.
 */
#ifndef PIPESIM_LAUNCH_GUESS_H
#define PIPESIM_LAUNCH_GUESS_H

#include "launch/launch.h"
#include "ptx/code/code.h"

G_BEGIN_DECLS

/* The texts of a launch with those that were guessed. */
typedef struct {
    GPtrArray *guesses; /* PsIdgGuess, in the order: grid, block, arguments */
    char **arguments;   /* all of them, NULL at the end */
    char *grid, *block; /* NULL: they are given, or need not be */
} PsLaunchGuess;

/* `code` is the kernel's code, of the module or told of machine code; `kernel` is the module's,
 * whose parameters the texts are for; guess_name of
 * the texts is not NULL. dynamic: bytes of shared memory that the launch adds. gpu may be NULL:
 * then nobody knows how much fills it. NULL and *error: PS_ERROR_USAGE where the texts are wrong;
 * PS_ERROR_VALUE where no guess would be honest: a loop ends by what is in a buffer, the kernel
 * goes to addresses that it reads, a struct, a place in shared memory; PS_ERROR_LIMIT. */
PsLaunchGuess *ps_launch_guess(PsPtxModule *module, const PsPtxFunction *kernel,
                               const PsPtxCode *code, const PsLaunchTexts *texts, guint64 dynamic,
                               const PsGpu *gpu, GError **error);
void ps_launch_guess_free(PsLaunchGuess *guess);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLaunchGuess, ps_launch_guess_free)

G_END_DECLS
#endif
