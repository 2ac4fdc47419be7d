/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which random cases a test program looks at: seeds 1, 2, 3 and so on.
 *
 *     PIPESIM_SEEDS=100000 PROGRAM     more or fewer of them than usual
 *     PIPESIM_SEEDS_TIMES=10 PROGRAM   so many times as many as usual
 *     PIPESIM_SEED=4711 PROGRAM        that one alone
 *
 * `make nightly` has ten times as many as usual, and `make quick` a twenty-fifth.
 */
#ifndef PIPESIM_TESTS_HELP_SEEDS_H
#define PIPESIM_TESTS_HELP_SEEDS_H

#include <glib.h>

/* TRUE if all is well with the case of that seed; else it has said what is wrong. */
typedef gboolean (*SeedCheck)(guint32 seed, gpointer data);

/* Usual numbers of seeds, without and with valgrind. The sanitizers get an eighth of the usual. */
typedef struct {
    guint usual;
    guint valgrind;
} SeedCounts;

/* How many times as many as usual; above 1 there is time for what takes long, too. */
double seeds_times(void);

/* How many cases that makes, for tests that draw their own. */
guint seeds_count(SeedCounts counts);

/* Fails the test if a case is not well; gives up after three of them. Returns how many cases were
 * looked at. */
guint seeds_check(SeedCounts counts, SeedCheck check, gpointer data);

#endif
