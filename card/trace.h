/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program did with its device, as trace events for Perfetto and chrome://tracing. */
#ifndef PIPESIM_CARD_TRACE_H
#define PIPESIM_CARD_TRACE_H

#include "card/log.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `program_trace` of tell/facts.table (g_free): a track for each stream, and one for
 * each way over the link to the host. Parts of a graph overlap in a stream: they get
 * further tracks. */
char *ps_card_trace(const PsCardRead *read, const char *gpu);

#pragma GCC visibility pop
G_END_DECLS
#endif
