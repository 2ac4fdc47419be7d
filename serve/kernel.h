/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on a GPU, as a tool's arguments say, up to the question about it. */
#ifndef PIPESIM_SERVE_KERNEL_H
#define PIPESIM_SERVE_KERNEL_H

#include "answer/question.h"
#include "code/code.h"
#include "serve/arguments.h"

G_BEGIN_DECLS

/* Where names without a folder are looked up; NULL ends each list. All is borrowed. */
typedef struct {
    const char *const *gpus;
    const char *const *graphs;
} PsServedFolders;

typedef struct {
    PsGpu *gpu;
    PsKernelCode *code; /* NULL: it is a graph by itself */
    PsIdg *idg;
    PsQuestion *question;
} PsServedKernel;

/* Finds the GPU, builds the graph and sets what the question asks (ps_served_kernel_free). The
 * hearer is told how far that is, and whoever answers the question later. NULL and *error of the
 * functions that it calls, and PS_ERROR_USAGE where path or gpu is missing, or a graph is given
 * what is code's. */
PsServedKernel *ps_served_kernel_new(const PsServedFolders *folders, const PsArguments *arguments,
                                     PsHearer hearer, GError **error);
void ps_served_kernel_free(PsServedKernel *kernel);

/* The name of the option that an argument sets: low lines are dashes (g_free). */
char *ps_served_option(const char *argument);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsServedKernel, ps_served_kernel_free)

G_END_DECLS
#endif
