/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of the micro-benchmarks that work in memory, run on this machine thread by thread, to
 * see which addresses they have: their own sources, with a prelude of the tests
 * (tests/help/prelude-host.h).
 */
#ifndef PIPESIM_TESTS_HELP_HOST_KERNELS_H
#define PIPESIM_TESTS_HELP_HOST_KERNELS_H

#include "latency-bench/bench.h"

/* Compiles all of them with the C compiler ($CC, else cc), and gives them back. */
void host_kernels_open(void);
void host_kernels_close(void);

/* Sectors (address / 32) in the order in which warps that run side by side touch them, each once by
 * a warp's access. */
typedef struct {
    GArray *sectors; /* guint32 */
    GArray *starts;  /* guint: of each access of a thread, the first, and behind the last */
    gint64 first;    /* distinct ones of what the first CU holds at once, of the first access */
} HostTrace;
void host_trace_clear(HostTrace *trace);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HostTrace, host_trace_clear)

/* The trace of the groups that n CUs get, from one on. */
HostTrace host_trace(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                     const PsBenchLaunch *launch, gint64 from, gint64 n_cus);

/* Accesses of a thread, and of these, such as are made side by side: those of all chains. */
gint64 host_accesses(const PsBenchKernel *kernel, const PsBenchLaunch *launch);
guint host_side_by_side(const PsBenchKernel *kernel);

#endif
