/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where graphs and GPU descriptions are found, and how they are read.
 *
 * A name with a folder in it is a path. A name without one is looked up in the current folder, in
 * each folder of $PIPESIM_PATH (separated by ':'), in the installed data (share/pipesim beside the
 * program's bin), and next to the program, as in a source checkout. In each place a file of that
 * very name comes first, then one with the ending that such files have (.idg, .xml). "-" is
 * standard input.
 */
#ifndef PIPESIM_CLI_FIND_H
#define PIPESIM_CLI_FIND_H

#include "pipesim-private.h"

/* These functions find and read. NULL (FALSE) and *error if a file is not found (with the folders
 * that were searched and the names that exist) or is wrong. The caller frees the results. */

/* gpu: the name of the GPU, for a message if the two are swapped. */
PsIdg *find_graph(const char *name, const char *gpu, GError **error);
/* FALSE for a file of Kernel Tuner's that states what to tune (T1): what reads it. */
gboolean find_no_space(const char *path, GError **error);
/* A description, whose name may be followed by ":wave64", and by ":cu" or ":wgp". */
PsGpu *find_gpu(const char *name, GError **error);

/* A description's text, read by the name of its file; families are found beside it and among those
 * that come with pipesim. */
PsGpu *find_parse_gpu(const char *text, gsize length, const char *path, GError **error);

/* pipesim's own description of the GPU with that name; NULL: there is none. */
PsGpu *find_gpu_called(const char *device);

/* Finds a file of either kind, and sets the one of *idg and *gpu that its root element tells. */
gboolean find_any(const char *name, PsIdg **idg, PsGpu **gpu, GError **error);

/* Finds a graph, which is read into *idg, or a file that can only be a profile, whose path goes to
 * *path (g_free). Its first bytes decide. */
gboolean find_profile(const char *name, char **path, PsIdg **idg, GError **error);

/* The files that end as GPU descriptions (graphs) do in the folders of $PIPESIM_PATH and of what
 * comes with pipesim: paths, sorted by the files' names; of equal names the one that is found by
 * it. The array owns them. */
GPtrArray *find_all_gpus(void);
GPtrArray *find_all_graphs(void);

/* The folders of $PIPESIM_PATH, and those of what comes with pipesim that have "gpus" or "graphs";
 * NULL ends them (g_ptr_array_unref). */
GPtrArray *find_folders(const char *data);

/* TRUE if there is a file of that name where graphs and GPU descriptions are looked for. */
gboolean find_has_file(const char *name);

/* TRUE if a GPU description is found by that name, and no graph, as far as endings tell. */
gboolean find_is_gpu(const char *name);

/* The graphs in the data folders and the current one, without their endings; owns the strings. */
GPtrArray *find_graph_stems(void);

/* The files of code in the current folder that have this name but for their endings, sorted (to
 * unref; their names are its own). */
GPtrArray *find_code_called(const char *name);

#endif
