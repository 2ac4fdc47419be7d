/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on a GPU, from a tool's arguments up to the question about it. */
#ifndef PIPESIM_SERVE_KERNEL_H
#define PIPESIM_SERVE_KERNEL_H

#include "answer/question.h"
#include "code/code.h"
#include "serve/arguments.h"

G_BEGIN_DECLS

/* Folders in which names are looked up; NULL ends each list. Everything is borrowed. */
typedef struct {
    const char *const *gpus;
    const char *const *graphs;
} PsServedFolders;

typedef struct {
    PsGpu *gpu;
    PsKernelCode *code; /* NULL: a graph without code */
    PsIdg *idg;
    PsQuestion *question;
} PsServedKernel;

/* Finds the GPU, builds the graph and sets the question (ps_served_kernel_free). The hearer is told
 * of progress, and later of the answer's. NULL and *error of the functions that it calls, and
 * PS_ERROR_USAGE if path or gpu is missing, or a graph is given arguments of code. */
PsServedKernel *ps_served_kernel_new(const PsServedFolders *folders, const PsArguments *arguments,
                                     PsHearer hearer, GError **error);
void ps_served_kernel_free(PsServedKernel *kernel);

/* The name of the option for an argument: underscores become dashes (g_free). */
char *ps_served_option(const char *argument);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsServedKernel, ps_served_kernel_free)

G_END_DECLS
#endif
