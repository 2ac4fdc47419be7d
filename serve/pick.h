/* SPDX-License-Identifier: BSD-3-Clause */
/* Picks facts out of those of an answer: a short answer has some of them, as they are. */
#ifndef PIPESIM_SERVE_PICK_H
#define PIPESIM_SERVE_PICK_H

#include "tell/facts.h"

G_BEGIN_DECLS

/* Tells the facts of these numbers once more, in this order; one that was not told is left out. */
void ps_pick(PsTold *facts, const PsTold *from, const guint16 *picked, guint n);

/* Tells the first items of a list, most at most, as the list `as`: of each these facts. Nothing
 * where there is no such list. */
void ps_pick_items(PsTold *facts, PsGroupFact as, const PsTold *from, PsGroupFact list, guint most,
                   const guint16 *picked, guint n);

/* How many items the list has; 0 where there is none. */
guint ps_pick_count(const PsTold *from, PsGroupFact list);

G_END_DECLS
#endif
