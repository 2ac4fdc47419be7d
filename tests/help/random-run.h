/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame of a test on random cases: for each seed (seeds.h) a case is drawn, gets refinements
 * and is bound, and a check looks at it. One that is not well is printed whole.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_RUN_H
#define PIPESIM_TESTS_HELP_RANDOM_RUN_H

#include "tests/help/engine.h"
#include "tests/help/seeds.h"

/* TRUE if all is well with a case, which the engine has ready to run. Else it says what is wrong,
 * or sets *error as the library did. */
typedef gboolean (*RandomCheck)(const RandomCase *random_case, const Engine *engine, gpointer data,
                                GError **error);

typedef struct {
    RandomCase *(*draw)(guint32 seed); /* random_case_new or random_case_new_long */
    void (*refine)(RandomCase *);      /* after random_case_refine; or NULL */
    RandomCheck check;
    gpointer data; /* of the check */
} RandomRun;

/* Returns how many cases were looked at. */
guint random_run(SeedCounts counts, const RandomRun *run);

/* The case of that seed alone; TRUE if all is well with it, else it has said what is wrong. */
gboolean random_run_seed(guint32 seed, const RandomRun *run);

/* For what must not depend on time being skipped: long cases, and the check's data is a guint,
 * which it raises for a case of which the engine skips a part. These must be so many in a hundred,
 * or the comparison would show nothing. */
void random_run_skipping(SeedCounts counts, RandomCheck check, guint least);

#endif
