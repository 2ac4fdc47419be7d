/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How what is found out about an answer is told: its critical path, its waits, its sensitivities,
 * and advice, as far as the answer has them.
 */
#ifndef PIPESIM_CLI_EXPLAIN_REPORT_H
#define PIPESIM_CLI_EXPLAIN_REPORT_H

#include "cli/explain.h"
#include "cli/json.h"

/* Sections of the page for people, with bold headings if colour; which is what the headings say in
 * brackets, such as "as it is", or NULL. */
void explain_text(const Answer *answer, const char *which, gboolean colour, GString *out);

/* Members of the object that is open: none where nothing was asked for. */
void explain_json(const Answer *answer, Json *json);

#endif
