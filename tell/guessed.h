/* SPDX-License-Identifier: BSD-3-Clause */
/* What --guess took a launch to be, in words. */
#ifndef PIPESIM_TELL_GUESSED_H
#define PIPESIM_TELL_GUESSED_H

#include "answer/answer.h"

G_BEGIN_DECLS

/* "a, b = zeros (weak: ...; --arg a=@FILE, b likewise); ...": what --guess took the launch to be
 * (g_free); NULL where nothing was guessed. */
char *ps_sentence_guessed(const PsAnswer *answer);

G_END_DECLS
#endif
