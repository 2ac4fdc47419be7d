/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run and where its warps wait.
 */
#ifndef PIPESIM_TESTS_HELP_WAITED_H
#define PIPESIM_TESTS_HELP_WAITED_H

#include "sim/listen/waits.h"

#define WAITED_PARTS 7

typedef struct {
    PsSimResult result;
    GPtrArray *rows;
    GArray *nodes;
    double occupancy[WAITED_PARTS];
    gint64 tail;
} Waited;

void waited_clear(Waited *waited);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Waited, waited_clear)

/* Runs the machine, with every_one without fast-forward; FALSE and the error where it cannot. */
gboolean wait_for(const PsMachine *machine, gboolean every_one, Waited *waited, GError **error);

/* The ticks of the row of that kind, and of that class or pipeline; 0 if there is none. */
double ticks_of(const GPtrArray *rows, PsWaitKind kind, guint which);

#endif
