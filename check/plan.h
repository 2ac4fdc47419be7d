/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of kernels.toml: kernels with their launches, GPUs, and how much slower each may
 * become.
 */
#ifndef PIPESIM_CHECK_PLAN_H
#define PIPESIM_CHECK_PLAN_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    char *name, *value; /* of pipesim run, without dashes */
    PsPlace place;
} PsCheckOption;

typedef struct {
    char *name; /* its name in the answer; no two are equal */
    char *file; /* file of the code or graph, as the plan has it */
    char *path; /* path of that file, from the plan's folder */
    PsPlace place;
    GPtrArray *gpus;    /* names; NULL: those of the plan */
    GPtrArray *options; /* PsCheckOption */
    double slower;      /* per cent; -1: as the plan states */
} PsCheckKernel;

typedef struct {
    char *path;
    char *baseline; /* path of the file with it */
    GPtrArray *gpus;
    double slower; /* per cent that a kernel may become slower */
    GPtrArray *kernels;
} PsCheckPlan;

/* Reads the file. NULL and *error: PS_ERROR_READ, PS_ERROR_SYNTAX, and PS_ERROR_VALUE with the line
 * for a key that is not known, and for what is missing. */
PsCheckPlan *ps_check_plan_load(const char *path, GError **error);
void ps_check_plan_free(PsCheckPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCheckPlan, ps_check_plan_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
