/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that count: a branch that ends or repeats a loop, the comparison that it asks, and the
 * addition to the register that is compared.
 */
#ifndef PIPESIM_LIFT_INDUCTION_H
#define PIPESIM_LIFT_INDUCTION_H

#include "lift/facts.h"

G_BEGIN_DECLS

typedef struct {
    guint loop;       /* of the code */
    guint branch;     /* point that asks */
    gboolean back;    /* it is the branch back */
    gboolean repeats; /* the loop goes on where the comparison is true */
    guint compare;    /* setp */
    guint side;       /* its operand that is the counter: 1 or 2 */
    guint add;        /* point of the counter's addition */
    guint counter;    /* the register that goes around */
    guint step;       /* operand of the addition that is the step: 1 or 2 */
    gboolean after;   /* what is compared has the step of this iteration in it */
} PsInduction;

/* Of a conditional branch in a loop. FALSE where it is nothing of that kind. */
gboolean ps_induction_find(const PsFacts *facts, guint branch, PsInduction *induction);

G_END_DECLS
#endif
