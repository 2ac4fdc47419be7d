/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of one kernel of a plan on one GPU, and the lines that its time goes to. */
#ifndef PIPESIM_CHECK_RESULT_H
#define PIPESIM_CHECK_RESULT_H

#include "base/progress.h"
#include "check/plan.h"
#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A line of the source on the critical path. */
typedef struct {
    char *line; /* "sums.cu:12" */
    char *text; /* the line's text, without blanks around it; NULL: the file was not found */
    double cycles;
} PsCheckLine;

typedef struct {
    char *name, *gpu; /* as the plan calls them */
    char *kernel;     /* as its graph names it; NULL: read from a baseline */
    double seconds;
    double conflicts; /* further passes of warps through banks; NaN: not known */
    GPtrArray *lines; /* PsCheckLine, longest first; empty: none is known */
} PsCheckResult;

PsCheckResult *ps_check_result_new(const char *name, const char *gpu, double seconds);
void ps_check_result_free(PsCheckResult *result);

/* Adds a line; texts are copied. */
void ps_check_result_add(PsCheckResult *result, const char *line, const char *text, double cycles);

/* The kernel with its file in another folder, whose path the caller frees. Everything else is
 * borrowed. */
PsCheckKernel ps_check_elsewhere(const PsCheckKernel *kernel, const char *folder);

/* Simulates the kernel on the GPU, which `called` names. NULL and *error, which begins with the
 * kernel's name, or with the line of an option that it cannot have. */
PsCheckResult *ps_check_ask(const PsCheckKernel *kernel, const PsGpu *gpu, const char *called,
                            PsHearer hearer, GError **error);

/* The path of a line's file, beside the kernel's or as it is (g_free), and the line in *number;
 * NULL: the text is no "FILE:LINE". */
char *ps_check_place(const char *kernel, const char *line, gint64 *number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCheckResult, ps_check_result_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
