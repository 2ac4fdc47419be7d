/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions about small graphs on a small GPU, both as texts, and their answers. The GPU has two
 * CUs of 1000 MHz and warps of 32 threads; its pipelines a, b, c, local, global and barrier serve
 * the classes of their names.
 */
#ifndef PIPESIM_TESTS_HELP_ASK_H
#define PIPESIM_TESTS_HELP_ASK_H

#include "advice/kind.h"

typedef struct {
    PsGpu *gpu;
    PsIdg *idg;
    PsQuestion question; /* that the answer is to */
    PsAnswer *answer;
} Asked;

/* A GPU with these rows in addition to its own, and a graph with that launch ("groups='4' ...") and
 * these codes; the question has both, and there is no answer yet. Fails the test where one of them
 * is wrong. */
Asked asked_new(const char *rows, const char *launch, const char *codes);
void asked_clear(Asked *asked);

/* Answers; explained, and with all sensitivities and advice. Fails the test where that cannot be.
 */
const PsAnswer *ask(Asked *asked);
const PsAnswer *ask_why(Asked *asked);
const PsAnswer *ask_advice(Asked *asked);

/* The result in seconds of the same question with a what-if, such as "a.issue=2". */
double ask_if(const Asked *asked, const char *what_if);

/* The first advice of the change of that name (PsAdviceChange); NULL where there is none. */
const PsAdvice *advice_by(const PsAnswer *answer, const char *change);

/* A figure of advice, and a text; fails the test where it has none of that name. */
double advice_figure(const PsAdvice *advice, const char *key);
const char *advice_text(const PsAdvice *advice, const char *key);

/* Whether it has one. */
gboolean advice_has(const PsAdvice *advice, const char *key);

/* Equal but for rounding. */
void assert_close(double is, double should_be);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Asked, asked_clear)

#endif
