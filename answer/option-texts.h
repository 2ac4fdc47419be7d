/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of a question's options as texts, for the command line and for bindings. `prefix` is
 * what messages have before an option's name: "--", or nothing.
 */
#ifndef PIPESIM_ANSWER_OPTION_TEXTS_H
#define PIPESIM_ANSWER_OPTION_TEXTS_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The precision of a run if none is given: a share of the time, as in PsQuestion. */
#define PS_USUAL_PRECISION 0.005

/* The functions return FALSE and *error (PS_ERROR_USAGE) for a text that is no such value. */

/* "NAME=VALUE", which becomes a value of the scope. */
gboolean ps_text_param(const char *prefix, const char *text, PsScope *params, GError **error);

/* "0.5%" is 0.005. */
gboolean ps_text_precision(const char *prefix, const char *text, double *precision, GError **error);

/* "4", "none" (PS_NO_SCHEDULERS); NULL leaves *schedulers as it is. */
gboolean ps_text_schedulers(const char *prefix, const char *text, gint64 *schedulers,
                            GError **error);

/* ---- clocks -------------------------------------------------------------------------------- */

/* The GPU's usual clock (ps_gpu_usual_clock), unless the question asks for another. */
typedef enum { PS_CLOCK_USUAL, PS_CLOCK_BASE, PS_CLOCK_BOOST, PS_CLOCK_STATED } PsClockChoice;

typedef struct {
    PsClockChoice choice;
    PsRational stated; /* MHz, of PS_CLOCK_STATED */
} PsAskedClock;

/* "base", "boost", MHz; NULL: the usual one. */
gboolean ps_text_clock(const char *prefix, const char *text, PsAskedClock *clock, GError **error);

/* The clock in MHz on that GPU. FALSE and *error (PS_ERROR_VALUE) if it is the boost clock, and the
 * description states none. */
gboolean ps_asked_clock(const char *prefix, const PsAskedClock *asked, const PsGpu *gpu,
                        PsRational *clock, GError **error);

/* The same for PsQuestion.clock: 0 if the question asks for no clock. */
gboolean ps_asked_question_clock(const char *prefix, const PsAskedClock *asked, const PsGpu *gpu,
                                 PsRational *clock, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
