/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks whether a description's latencies are those that a compiler schedules by. Machine code
 * relies on a result of fixed latency being there after so many cycles (lift/build.h); a
 * description with other latencies is of another architecture, or wrong.
 */
#ifndef PIPESIM_ANSWER_STALLS_H
#define PIPESIM_ANSWER_STALLS_H

#include "gpu/gpu.h"
#include "lift/build.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A class whose latencies disagree. */
typedef struct {
    const PsBuildStall *stall; /* borrowed: what the compiler does */
    const PsClass *class;      /* borrowed: what the description states, Lambda in cycles */
    gboolean late; /* the description's result is later than the compiler relies on; FALSE:
                      it is sooner than the compiler ever lets it be read */
} PsStallDispute;

/* Compares the stalls of a build (PsBuildStall) with a description. Lambda is rounded to whole
 * cycles, as stall counts are. A stall that is longer than needed tells something only if a reader
 * follows at once. Classes that the description lacks are left out, also if a default would serve
 * them. In the order of the stalls; empty: they agree. The array (PsStallDispute) is the
 * caller's. */
GArray *ps_stalls_compare(const GPtrArray *stalls, const PsGpu *gpu);

#pragma GCC visibility pop
G_END_DECLS
#endif
