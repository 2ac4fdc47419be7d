/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of what a program did with its device, for all formats. */
#ifndef PIPESIM_CARD_TOLD_H
#define PIPESIM_CARD_TOLD_H

#include "card/log.h"
#include "card/closer.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `program` of tell/facts.table (ps_told_free). closer: PsCardCloser; those with
 * advice are told; NULL: nobody asked. They outlive the facts. */
PsTold *ps_card_told(const PsCardRead *read, const char *gpu, const GPtrArray *closer);

/* What would help them, for people: each gain is told of the kernel, and of all launches. */
void ps_card_put_advice(const GPtrArray *closer, const PsPaper *paper);

/* Says for people which times are not known, and why. */
void ps_card_put_notes(const PsCardRead *read, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
