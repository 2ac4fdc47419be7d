/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far a run is, for a thread that waits for it. What takes time is the groups that are
 * simulated: of CUs that do the same one CU's, and none that are skipped. Only groups that are done
 * count, so that listening costs nothing per instruction.
 */
#ifndef PIPESIM_ANSWER_WATCH_H
#define PIPESIM_ANSWER_WATCH_H

#include "sim/sim.h"

typedef struct {
    GMutex mutex; /* of all that follows */
    guint n_cus;  /* of the machine, which may be gone before the thread that waits hears of it */
    gint64 groups_per_cu;
    gint64 since;         /* when the run's first group was launched; 0: it was not */
    guint cu;             /* the first of the CUs that are simulated now */
    gboolean more;        /* there are others after them */
    gint64 before;        /* groups that are done, of CUs before */
    gint64 done, skipped; /* groups of one of these CUs */
} PsWatch;

void ps_watch_init(PsWatch *watch);
void ps_watch_clear(PsWatch *watch);

/* For a run of the machine that begins now. */
PsListener ps_watch_listener(PsWatch *watch, const PsMachine *machine);

/* The share that is done, 0 where none is known, and since when (monotonic clock). */
double ps_watch_share(PsWatch *watch, gint64 *since);

#endif
