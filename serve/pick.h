/* SPDX-License-Identifier: BSD-3-Clause */
/* Picks facts out of an answer's, for a short answer. */
#ifndef PIPESIM_SERVE_PICK_H
#define PIPESIM_SERVE_PICK_H

#include "tell/facts.h"

G_BEGIN_DECLS

/* Numbers of facts, such as PS_PICKS(PS_FACT_WORDS_TIME.n); borrowed. */
typedef struct {
    const guint16 *facts;
    guint n;
} PsPicks;

#define PS_PICKS(...)                                                                              \
    ((PsPicks){(const guint16[]){__VA_ARGS__}, G_N_ELEMENTS(((const guint16[]){__VA_ARGS__}))})

/* Tells these facts once more, in this order; one that was not told is left out. */
void ps_pick(PsTold *facts, const PsTold *from, PsPicks picks);

/* Tells the first items of a list (`most` at most) as the list `as`, with these facts of each.
 * Nothing if there is no such list. */
void ps_pick_items(PsTold *facts, PsGroupFact as, const PsTold *from, PsGroupFact list, guint most,
                   PsPicks picks);

/* TRUE if the fact was told. */
gboolean ps_pick_has(const PsTold *from, guint16 fact);

/* How many items the list has; 0 where there is none. */
guint ps_pick_count(const PsTold *from, PsGroupFact list);

G_END_DECLS
#endif
