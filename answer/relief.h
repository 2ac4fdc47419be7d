/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reliefs: what the result would be if loads had no bank conflicts, if accesses were coalesced, or
 * if a what-if were not. See explain.h.
 */
#ifndef PIPESIM_ANSWER_RELIEF_H
#define PIPESIM_ANSWER_RELIEF_H

#include "answer/explain.h"

/* Adds a trial for each relief that there may be. Returns them, Relief, in the order of trials. */
GPtrArray *reliefs_plan(const Question *question, const Answer *answer, GPtrArray *trials);

/* Takes what the first of the trials gave, and sorts. */
void reliefs_conclude(GPtrArray *reliefs, const GPtrArray *trials);

/* "bank-conflict" or "uncoalesced" where a class is one that costs more than it would have to on
 * that GPU; else NULL. Static. */
const char *relief_kind(const Answer *answer, guint class_);

#endif
