/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several launches on one command line of the verb run:
 *
 *     run CODE --gpu GPU --kernel A --grid 4 ... --kernel B --grid 8 ... --count 3
 *     run CODE --gpu GPU --launches FILE       lines such as: B --grid 8 ... --count 3
 *
 * Options of code behind a --kernel, or behind several that stand together, are these kernels' own;
 * those before the first are for all. All else is for all, wherever it stands.
 */
#ifndef PIPESIM_CLI_RUN_LAUNCH_LINES_H
#define PIPESIM_CLI_RUN_LAUNCH_LINES_H

#include <glib.h>

/* The command line of one launch alone. */
typedef struct {
    char *where;   /* for messages: "--kernel A", "FILE:3"; NULL: no kernel is named */
    char **argv;   /* as of values_read */
    char **common; /* values of --arg that other launches are given, too */
} LaunchLine;

/* What a command line asks for. */
typedef struct {
    char **argv;         /* words for all launches */
    GPtrArray *launches; /* LaunchLine; empty: one run, and argv is the whole command line */
} LaunchLines;

/* NULL and *error as from values_read, and for a file that cannot be read or is none of launches.
 */
LaunchLines *launch_lines_read(char **argv, GError **error);
void launch_lines_free(LaunchLines *lines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(LaunchLines, launch_lines_free)

#endif
