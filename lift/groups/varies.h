/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether groups of a launch may differ: a branch depends on the group's number in
 * another way than by a border, or on loaded values. Only code without such a branch shows that
 * groups which were not executed do what others did. A branch around instructions that only
 * compute, without a loop, does not count.
 */
#ifndef PIPESIM_LIFT_GROUPS_VARIES_H
#define PIPESIM_LIFT_GROUPS_VARIES_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* TRUE if there is such a branch among the undecided ones. decided: per point, whether all groups
 * were seen to come by it; NULL: none were. Also TRUE for code that is too large to look at. */
gboolean ps_groups_may_vary(const PsPtxCode *code, const guint8 *decided);

/* TRUE if an address is computed from what was loaded, or a guard that may vary decides whether
 * memory is accessed or a trap is come to: a group which was not executed may have a fault. Also
 * TRUE of code that is too large to look at. */
gboolean ps_groups_may_stray(const PsPtxCode *code);

/* Properties of a point that may differ from group to group in another way than by a border. */
enum {
    PS_GROUPS_WAY = 1,     /* branches that decide where threads go on; ps_groups_may_vary is about
                              these */
    PS_GROUPS_DETOUR = 2,  /* the same, round instructions that only compute */
    PS_GROUPS_GUARD = 4,   /* whether an access, or a trap, is executed */
    PS_GROUPS_ADDRESS = 8, /* the address of an access */
    PS_GROUPS_DATA = 16,   /* the same, since it follows from what each lane loaded for itself */
    PS_GROUPS_UNEVEN = 32  /* lanes, or the distances between their addresses, may differ: by data,
                              or  by the group's number in another way than by a sum */
};

/* These properties of each point, bit by bit; free with g_free. NULL: the code is too large. */
guint8 *ps_groups_varying(const PsPtxCode *code);

/* TRUE if a guard that is not decided says whether memory is accessed, or a trap is executed. Also
 * TRUE for code that is too large to look at. */
gboolean ps_groups_may_guard(const PsPtxCode *code, const guint8 *decided);

/* All properties that some point has; all of them where the code is too large. */
guint8 ps_groups_vary_in(const PsPtxCode *code);

/* The first point that picks few groups: it compares a number that grows along the grid with some
 * value; PS_PTX_NOWHERE: there is none. */
guint ps_groups_pick(const PsPtxCode *code);

G_END_DECLS
#endif
