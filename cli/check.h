/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of values that several verbs share: a verb begins with those that it needs. Each returns
 * TRUE, or FALSE with *error, which check_failed prints.
 */
#ifndef PIPESIM_CLI_CHECK_H
#define PIPESIM_CLI_CHECK_H

#include "cli/options.h"

/* Checks for a file: "graph to simulate". */
gboolean check_files(const Options *options, const char *wanted, GError **error);

/* Checks for no second file; `instead` is empty, or a remedy behind "; ". */
gboolean check_one_file(const Options *options, const char *instead, GError **error);

/* Checks for no GPU among the files. */
gboolean check_graphs(const Options *options, GError **error);

/* Checks for a GPU. */
gboolean check_gpus(const Options *options, GError **error);

/* Checks for no second GPU. */
gboolean check_one_gpu(const Options *options, GError **error);

/* Checks that a measured time belongs to one kernel with one launch on one GPU. */
gboolean check_measured_time(const Options *options, GError **error);

/* Checks that the code to be listed was executed as machine code (NULL: it was not). */
gboolean check_listing(const Options *options, const char *name, const PsSassCode *machine,
                       GError **error);

/* Checks that standard input is read once at most. */
gboolean check_stdin(const Options *options, GError **error);

/* Checks, before anything is compiled or simulated, that folders of files to be written exist. */
gboolean check_folders(const Options *options, GError **error);

/* Prints the error, and for wrong usage where the right one is described; returns the exit
 * status. */
int check_failed(const GError *error);

#endif
