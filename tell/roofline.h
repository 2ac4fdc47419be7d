/* SPDX-License-Identifier: BSD-3-Clause */
/* An answer's roofline, its prediction and the cross-check in sentences. Free all with g_free. */
#ifndef PIPESIM_TELL_ROOFLINE_H
#define PIPESIM_TELL_ROOFLINE_H

#include "answer/answer.h"
#include "roofline/roofline.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The ceiling, the roofline in the usual sense: the least time, the unit that sets it, type and
 * intensity. */
char *ps_sentence_ceiling(const PsAnswer *answer);

/* The time that equation 19 predicts, and its bound; NULL if it cannot predict. */
char *ps_sentence_prediction(const PsAnswer *answer);

/* The cause of a predicted time: "instructions", "traffic"; NULL if nothing is predicted. It is no
 * verdict, since an answer has one, "Limited by". Static. */
const char *ps_predicted_for(PsBound bound);

/* The part that the prediction does not know, "; its traffic is not known", or "". Static. */
const char *ps_predicted_without(PsBound bound);

/* The simulated time as a multiple of that prediction, and its meaning; NULL where nothing can be
 * compared. */
char *ps_sentence_cross_check(const PsAnswer *answer);

/* A measured time (seconds), and how far the others are from it. */
char *ps_sentence_measured(const PsAnswer *answer, double measured);

#pragma GCC visibility pop
G_END_DECLS
#endif
