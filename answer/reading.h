/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ratio of the simulated time to the roofline's says, in words (docs/model.md, section 6).
 */
#ifndef PIPESIM_ANSWER_READING_H
#define PIPESIM_ANSWER_READING_H

#include "answer/answer.h"

/* One sentence without a full stop (g_free), of an answer that lacks it alone. NULL where nothing
 * can be compared. */
char *reading_new(const Answer *answer);

#endif
