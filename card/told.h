/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program did with its device, as facts for all formats. */
#ifndef PIPESIM_CARD_TOLD_H
#define PIPESIM_CARD_TOLD_H

#include "card/log.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `program` of tell/facts.table (ps_told_free). */
PsTold *ps_card_told(const PsCardRead *read, const char *gpu);

#pragma GCC visibility pop
G_END_DECLS
#endif
