/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path of a machine's run, found by a simulation of its own in a thread of its own:
 * keeping the path takes about as long as the rest of the run, and threads do both at once.
 */
#ifndef PIPESIM_CLI_EXPLAIN_RUN_H
#define PIPESIM_CLI_EXPLAIN_RUN_H

#include "pipesim.h"

typedef struct PathRun PathRun;

/* Begins it. Where no thread can be had it is done before this returns. */
PathRun *path_run_new(const PsMachine *machine, gboolean no_fast_forward);

/* Waits for it. The path is the run's. */
PsPath *path_run_wait(PathRun *run);

/* Waits for it, and ends it. */
void path_run_free(PathRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PathRun, path_run_free)

#endif
