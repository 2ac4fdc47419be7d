/* SPDX-License-Identifier: BSD-3-Clause */
/* A build in the making, which the steps from a file to a graph share. */
#ifndef PIPESIM_CODE_MAKING_H
#define PIPESIM_CODE_MAKING_H

#include "code/graph.h"
#include "launch/guess.h"

/* The names of options in messages. */
typedef struct {
    char *argument, *grid, *threads, *block, *sample, *shared, *most, *memory, *partial, *dump,
        *guess;
} PsMakingNames;

/* A build in the making. */
typedef struct {
    const PsCodeOptions *options;
    PsBuiltGraph *built;
    PsBuildOptions with;
    PsLaunchTexts texts;
    PsMakingNames names;
    PsLaunchGrid *grid;
    PsLaunchGuess *guess;    /* NULL: nothing was guessed */
    char *command;           /* how the command line begins; NULL: none is shown */
    char *registers_from;    /* the origin of the number of registers, for provenance; NULL if
                                not known */
    char *made_of;           /* what code is executed, and why */
    guint64 shared;          /* bytes of dynamic shared memory */
    char *registers_missing; /* why the number is not known, which matters only once there is a
                                graph */
} PsMaking;

/* ---- what messages say (making-names.c) ----------------------------------------------------- */

/* Names of options, and what the launch was given. */
void ps_making_begin(PsMaking *making, const char *name);

/* How a command line about the kernel begins (g_free): all but what a launch may lack, which
 * follows. NULL: none is shown. */
char *ps_making_command(const PsCodeOptions *options, const char *name, const char *kernel);

/* Frees the members; the caller has what was built. */
void ps_making_clear(PsMaking *making);

/* ---- which kernel (making-kernel.c) --------------------------------------------------------- */

/* Finds the wanted kernel; the texts then know whether its array in shared memory has its size from
 * the launch. If there are several and none was named, shows the command line for each, unless
 * nobody sees it. NULL and *error. */
const PsPtxFunction *ps_making_kernel(PsMaking *making, const char *name, GError **error);

/* ---- its registers (making-registers.c) ----------------------------------------------------- */

/* Finds the registers of a thread on the GPU, which may be NULL, or the reason why they are not
 * known. Unless somebody asked for ptxas, it is no error that it is missing or cannot tell. FALSE
 * and *error. */
gboolean ps_making_registers(PsMaking *making, const PsGpu *gpu, GError **error);

#endif
