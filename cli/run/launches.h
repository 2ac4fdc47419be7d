/* SPDX-License-Identifier: BSD-3-Clause */
/* Several launches of one file of code: each is simulated, equal ones once. */
#ifndef PIPESIM_CLI_RUN_LAUNCHES_H
#define PIPESIM_CLI_RUN_LAUNCHES_H

#include "cli/options.h"

/* FALSE and *error for options that need a single launch. */
gboolean launches_check(const Options *options, GError **error);

/* Simulates all of options->launches, and writes the table. FALSE and *error, which says which
 * launch fails: then there is no table. */
gboolean launches_run(const Options *options, GError **error);

/* A row of the table. */
typedef struct {
    const PsAnswer *answer; /* borrowed */
    PsLaunchTime time;
} LaunchRow;

/* The table in the format that was asked for (g_free). `all` is the sum; the rows are n, not 0. */
char *launch_table(const LaunchRow *rows, guint n, const PsLaunchTime *all, const Options *options);

#endif
