/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that writes every event as a line of text, for tests and for people who want to see a
 * small run whole:
 *
 *     0          launch    group 0
 *     0          issue     group 0 warp 1 a[0] ready 0
 *     210        complete  group 0 warp 1 a[0]
 *     480.25     done      group 0
 *     ...        skipped   from 480.25 to 960.5: 1 times the 480.25 cycles before
 *
 * a[3] is the instance whose place in the warp's program order is 3; times are exact cycles. Where
 * several CUs are simulated, "CU 2" stands before the group, and "CU 0 to 2" before what these CUs
 * skipped. Lines are in order of time; within an
 * instant completions come first, then groups that are done, launches, issues, each in order of CU,
 * group, warp and program. It keeps every event in memory: for runs of up to a million
 * instructions.
 */
#ifndef PIPESIM_SIM_LISTEN_LOG_H
#define PIPESIM_SIM_LISTEN_LOG_H

#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A log that is being written. */
typedef struct PsLog PsLog;

/* The log of one run of the machine. The caller frees it. */
PsLog *ps_log_new(const PsMachine *machine /* borrowed */);
void ps_log_free(PsLog *log);

/* The listener to pass to ps_sim_run; lives as long as the log. */
PsListener ps_log_listener(PsLog *log);

/* All that was heard, in order; borrowed, until the next call. */
const char *ps_log_text(const PsLog *log);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLog, ps_log_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
