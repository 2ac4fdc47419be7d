/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the files that the verb roofline is given to their kernels: profiles, graphs, and durations
 * that one file lends to the kernels of another.
 *
 * Kernels come one by one. With launches apart none is kept, so that memory does not grow with
 * them; a file of durations is then read beforehand, in sum, as it lends its means.
 */
#ifndef PIPESIM_CLI_ROOFLINE_INPUT_H
#define PIPESIM_CLI_ROOFLINE_INPUT_H

#include "cli/options.h"
#include "pipesim-private.h"

typedef struct {
    const Options *options;
    GPtrArray *gpus; /* PsGpu; stated graphs are counted for the first one's warps */
    PsNotes *notes;  /* gets the importers' warnings */
    void (*expect)(void *self, const char *path, const PsProfileKernel *kernel);
    gboolean (*each)(void *self, const char *path, const PsProfileKernel *kernel,
                     const PsMetrics *on_gpus, GError **error); /* for roofline_kernel_new */
    void *self;
} RooflineInput;

/* Calls `each` with every kernel and its file's path, in the order of files; before that `expect`
 * with all of them, unless launches come separately, which cannot be known beforehand. FALSE and
 * *error if a file is not found or wrong, has no kernel, or if a call fails. */
gboolean roofline_input_read(const RooflineInput *input, GError **error);

#endif
