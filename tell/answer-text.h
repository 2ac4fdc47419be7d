/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An answer for people: its sentences and tables, as the program prints them.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_ANSWER_TEXT_H
#define PIPESIM_TELL_ANSWER_TEXT_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The text that `pipesim run` prints, in lines of 80 columns (g_free): time, limit, what would
 * help, how sure it is, launch, bounds, warnings; and critical path, waits, sensitivities and
 * advice with their tables, if the question asked for them. measured: measured seconds of the
 * kernel, or 0. */
char *ps_answer_text(const PsAnswer *answer, double measured);

/* The same, and the tables of --tables, as an element of HTML, for a page of somebody else's, such
 * as a notebook's (g_free): without style, script and address; all that comes from files is
 * escaped. */
char *ps_answer_html(const PsAnswer *answer, double measured);

#pragma GCC visibility pop
G_END_DECLS
#endif
