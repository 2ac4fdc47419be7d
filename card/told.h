/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program did with its device, as facts for all formats. */
#ifndef PIPESIM_CARD_TOLD_H
#define PIPESIM_CARD_TOLD_H

#include "card/log.h"
#include "card/closer.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `program` of tell/facts.table (ps_told_free). advised: PsCardCloser with advice;
 * NULL: nobody asked. They outlive the facts. */
PsTold *ps_card_told(const PsCardRead *read, const char *gpu, const GPtrArray *advised);

/* What would help, for people: kernel by kernel, each gain as that of the kernel and of all. */
void ps_card_put_advice(const GPtrArray *advised, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
