/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A clock of a test's own, so that what has a deadline is tested the same on each machine, however
 * busy it is. It goes before GLib's (g_get_monotonic_time) in all that a unit test is linked with.
 */
#ifndef PIPESIM_TESTS_CLOCK_H
#define PIPESIM_TESTS_CLOCK_H

#include <glib.h>

/* Stops the clock, an hour ahead of all real waits, and returns what it shows. */
gint64 clock_stop(void);

/* Stops the clock, and moves it on by a microsecond for each look that another thread than this one
 * takes: a worker looks once before each job. */
gint64 clock_stop_but_for_looks(void);

/* What the stopped clock shows from now on. */
void clock_set(gint64 now);

/* The real one again. */
void clock_go(void);

#endif
