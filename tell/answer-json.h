/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An answer as the JSON document that `pipesim run --format json` prints.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_ANSWER_JSON_H
#define PIPESIM_TELL_ANSWER_JSON_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* One object and the end of its line (g_free): all facts of the answer, with its reasons,
 * sensitivities and advice if it has them. measured: measured seconds of the kernel, or 0.
 * tell/facts.table has all keys. */
char *ps_answer_json(const PsAnswer *answer, double measured);

#pragma GCC visibility pop
G_END_DECLS
#endif
