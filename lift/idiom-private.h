/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What idiom.c and function.c share: sets of steps, and how these become one operation.
 */
#ifndef PIPESIM_LIFT_IDIOM_PRIVATE_H
#define PIPESIM_LIFT_IDIOM_PRIVATE_H

#include "lift/steps.h"

typedef struct {
    const PsFacts *facts;
    GPtrArray *steps;
    GHashTable *arguments; /* register of PTX that has one from the start -> its name */
} PsIdiomSearch;

/* A set of steps (guint), g_array_unref; PS_NO_STEP is in none. */
GArray *ps_idiom_set_new(void);
gboolean ps_idiom_contains(const GArray *set, guint step);
void ps_idiom_add(GArray *set, guint step);

gboolean ps_idiom_same_line(const PsIdiomSearch *search, guint a, guint b);

/* Adds a branch and what holds lanes together around it and the subroutine for rare operands, which
 * may have been executed, too. Returns the last of them, or PS_NO_STEP. */
guint ps_idiom_add_branch(const PsIdiomSearch *search, guint branch, GArray *set);

/* Marks the steps of an operation. What operations on several lines share is none's. */
void ps_idiom_mark(const PsIdiomSearch *search, const GArray *set, guint result, const char *op);

/* Finds and marks functions of singles such as sinf: function.c. */
void ps_functions_find(const PsIdiomSearch *search);

#endif
