/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that count: their branch, the comparison on which it depends, and the addition to the
 * register that is compared.
 */
#ifndef PIPESIM_LIFT_VALUES_INDUCTION_H
#define PIPESIM_LIFT_VALUES_INDUCTION_H

#include "lift/values/facts.h"

G_BEGIN_DECLS

typedef struct {
    guint loop;       /* of the code */
    guint branch;     /* the point of the branch */
    gboolean back;    /* it is the loop's branch back */
    gboolean repeats; /* the loop goes on if the comparison is true */
    guint compare;    /* setp */
    guint side;       /* which operand of the comparison is the counter: 1 or 2 */
    guint add;        /* the point of the addition to the counter */
    guint counter;    /* the register that keeps the count from iteration to iteration */
    guint step;       /* which operand of the addition is the step: 1 or 2 */
    gboolean after;   /* the comparison is of the counter after this iteration's addition */
} PsInduction;

/* Describes the loop of a conditional branch. FALSE: the branch is of no loop that counts. */
gboolean ps_induction_find(const PsFacts *facts, guint branch, PsInduction *induction);

G_END_DECLS
#endif
