/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules do what an assembler still does with PTX. docs/reference/build.md has one paragraph for
 * each. layout.c calls them in this order, with ps_spots_walk between `merge_loads` and `dead`.
 */
#ifndef PIPESIM_LIFT_RULES_RULES_H
#define PIPESIM_LIFT_RULES_RULES_H

#include "lift/values/spots.h"

G_BEGIN_DECLS

/* ---- rules of points: each looks at all of them and changes roles ---- */

void ps_rule_moves(PsFacts *facts);
void ps_rule_parameters(PsFacts *facts);
void ps_rule_specials(PsFacts *facts);
void ps_rule_loops(PsFacts *facts);
void ps_rule_addresses(PsFacts *facts);
/* After all of these: it counts what they leave. */
void ps_rule_unroll(PsFacts *facts);

/* ---- rules of spots ---- */

void ps_rule_merge_loads(PsSpots *spots);
void ps_rule_dead(PsSpots *spots);      /* after ps_spots_walk */
void ps_rule_constants(PsSpots *spots); /* after that */

/* After all others. registers: of a thread; 0: not known. Then it is full_registers, with which all
 * warps find room (0: not known, either), or as many as straight code takes in its own order.
 * apart: PsBuildOptions.apart. */
void ps_rule_schedule(PsSpots *spots, gint64 registers, gint64 full_registers,
                      const PsBuildApart *apart);

/* No rule: finds how accesses to global memory lie to each other (beside, vector, invariant). */
void ps_spots_find_beside(PsSpots *spots);

G_END_DECLS
#endif
