/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between roles.c, which finds the warps that wait for each other, and roles-fit.c,
 * which finds the numbers. */
#ifndef PIPESIM_LIFT_EMIT_ROLES_PRIVATE_H
#define PIPESIM_LIFT_EMIT_ROLES_PRIVATE_H

#include "lift/emit/roles.h"

G_BEGIN_DECLS

/* Instance k of a spot was ended by an instance of another one, which is the count-th. */
typedef struct {
    gint64 k, count;
} PsRolePair;

/* Pairs of two spots, with k ascending, each once; how many instances the one that waits has, and
 * the other one. */
typedef struct {
    GArray *pairs; /* PsRolePair */
    gint64 waits, all;
} PsRoleFit;

/* Finds the numbers of *await. FALSE: any numbers would ask for too many instances somewhere.
 * exact: they never ask for too few. */
gboolean ps_roles_fit(const PsRoleFit *fit, PsRoleAwait *await, gboolean *exact);

/* TRUE if its numbers are so small that they are the code's, such as stages. */
gboolean ps_role_await_is_of_code(const PsRoleAwait *await);

G_END_DECLS
#endif
