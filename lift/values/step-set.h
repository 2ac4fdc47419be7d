/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of steps, and how they become one operation: what idiom.c and function.c share.
 */
#ifndef PIPESIM_LIFT_VALUES_STEP_SET_H
#define PIPESIM_LIFT_VALUES_STEP_SET_H

#include "lift/values/steps.h"

G_BEGIN_DECLS

/* Steps between which those of an operation lie; and of a subroutine that it calls. */
#define PS_IDIOM_MOST_APART 64
#define PS_IDIOM_MOST_SUBROUTINE 256

typedef struct {
    const PsFacts *facts;
    GPtrArray *steps;
    GHashTable *arguments; /* register of PTX that has one from the start -> its name */
} PsIdiomSearch;

static inline PsCodeStep *ps_step_in(const PsIdiomSearch *search, guint i)
{
    return ps_step(search->steps, i);
}

/* A set of steps (guint), g_array_unref; PS_NO_STEP is in none. */
GArray *ps_idiom_set_new(void);
gboolean ps_idiom_contains(const GArray *set, guint step);
void ps_idiom_add(GArray *set, guint step);

gboolean ps_idiom_same_line(const PsIdiomSearch *search, guint a, guint b);

/* Adds a branch and what holds lanes together around it and the subroutine for rare operands, which
 * may have been executed, too. Returns the last of them, or PS_NO_STEP. */
guint ps_idiom_add_branch(const PsIdiomSearch *search, guint branch, GArray *set);

/* Marks the steps of an operation. Steps that operations on several lines share are not marked. */
void ps_idiom_mark(const PsIdiomSearch *search, const GArray *set, guint result, const char *op);

G_END_DECLS
#endif
