/* SPDX-License-Identifier: BSD-3-Clause */
/* What a compiler can know to be the same in all lanes of a warp. */
#ifndef PIPESIM_LIFT_VALUES_UNIFORM_H
#define PIPESIM_LIFT_VALUES_UNIFORM_H

#include "lift/values/facts.h"

G_BEGIN_DECLS

/* Whether the address that a point accesses follows from the launch, the group and constants: no
 * thread's number, and nothing that was loaded or came from other lanes, has a part in it. */
gboolean ps_uniform_address(const PsFacts *facts, guint point);

/* TRUE if the point accesses addresses that follow from the code alone: they are made of numbers,
 * and the loops in which they change count from a number to a number. */
gboolean ps_known_address(const PsFacts *facts, guint point);

/* TRUE if the address is made of numbers that nothing else needs, and all threads leave the loops
 * in which it changes in the same iteration. */
gboolean ps_counted_address(const PsFacts *facts, guint point);

G_END_DECLS
#endif
