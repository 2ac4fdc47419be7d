/* SPDX-License-Identifier: BSD-3-Clause */
/* What people call the figures of a description, and the limits of a run. */
#ifndef PIPESIM_TELL_FIGURE_WORDS_H
#define PIPESIM_TELL_FIGURE_WORDS_H

#include "answer/answer.h"
#include "answer/figures.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The name of a figure that is assumed: the class's name, or "what launches cost". */
const char *ps_assumed_name(const PsAssumed *assumed);

/* What people call the figure (g_free). */
char *ps_weighed_name(const PsAnswer *answer, const PsWeighed *weighed);

/* A limit (ps_answer_limit) as a noun: "the pipeline local", "L2", "the dispatch of groups"
 * (g_free). */
char *ps_limit_describe(const PsAnswer *answer, const char *limit);

#pragma GCC visibility pop
G_END_DECLS
#endif
