/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which values go together, where several verbs ask the same: a verb begins with those that it
 * needs. Each is TRUE, or FALSE with *error; check_failed then says that.
 */
#ifndef PIPESIM_CLI_CHECK_H
#define PIPESIM_CLI_CHECK_H

#include "cli/options.h"

/* There is a file: "graph to simulate". */
gboolean check_files(const Options *options, const char *wanted, GError **error);

/* No file behind the first; `instead` is empty, or a remedy behind "; ". */
gboolean check_one_file(const Options *options, const char *instead, GError **error);

/* No GPU stands among the files. */
gboolean check_graphs(const Options *options, GError **error);

/* There is a GPU to run on. */
gboolean check_gpus(const Options *options, GError **error);

/* No GPU behind the first. */
gboolean check_one_gpu(const Options *options, GError **error);

/* A measured time is that of one kernel with one launch on one GPU. */
gboolean check_measured_time(const Options *options, GError **error);

/* What is to be listed was executed as machine code (NULL: it was not). */
gboolean check_listing(const Options *options, const char *name, const PsSassCode *machine,
                       GError **error);

/* Standard input is read once at most. */
gboolean check_stdin(const Options *options, GError **error);

/* Before anything is compiled or simulated: FALSE and *error where the folder of a file that is to
 * be written is not there. */
gboolean check_folders(const Options *options, GError **error);

/* Says what is wrong, and of wrong usage also where the right one is described; the exit status. */
int check_failed(const GError *error);

#endif
