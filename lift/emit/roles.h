/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles of a group's warps: those that ran the same code and wait for the same warps. The arrivals
 * that ended a wait for an mbarrier, execution by execution, become what a node awaits of others
 * (R12): numbers of instances that hold for every wait of that node, however often its loop runs.
 */
#ifndef PIPESIM_LIFT_EMIT_ROLES_H
#define PIPESIM_LIFT_EMIT_ROLES_H

#include "lift/values/spots.h"

G_BEGIN_DECLS

/* Instance k of a spot needs the first per * (k / every + 1 - before) of another one, at most all.
 */
typedef struct {
    guint spot;     /* the spot that waits */
    guint role, on; /* for that spot of that role */
    gint64 per, every, before;
    gboolean to_all; /* it never needs more than all, which comes to the same as a limit */
} PsRoleAwait;

typedef struct {
    const PsRollWarps *as; /* warps that ran the same, these among them; borrowed */
    GArray *warps;         /* guint, ascending */
    const PsSpots *spots;  /* borrowed */
    char *name;            /* NULL if no warp in the group waits for others */
    GArray *awaits;        /* PsRoleAwait, by spot */
    double *counted;       /* per point: the share of its threads that execute it, so that all roles
                              execute what all groups did; NULL: what its own warps do */
} PsWarpRole;

typedef struct {
    GPtrArray *list; /* PsWarpRole */
    GArray
        *unstated; /* guint: points whose waits no numbers describe, so that they wait for less */
    gboolean regular; /* numbers are few enough to be of the code, and not of how often loops run */
} PsRoles;

/* spots: of each sequence of the group (PsRollSequence -> PsSpots), with names. */
PsRoles *ps_roles_new(const PsRollGroup *group, GHashTable *spots);
void ps_roles_free(PsRoles *roles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRoles, ps_roles_free)

G_END_DECLS
#endif
