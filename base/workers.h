/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does jobs in several threads at once, and hands them back in the order in which they were given.
 * Only a bounded number is under way, so memory stays bounded however many jobs there are.
 */
#ifndef PIPESIM_BASE_WORKERS_H
#define PIPESIM_BASE_WORKERS_H

#include "base/progress.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsWorkers PsWorkers;

/* work is called with each job, in some thread. */
PsWorkers *ps_workers_new(guint threads, void (*work)(void *job), GError **error);

/* Waits for the jobs that have begun, and ends. All jobs must have been taken back. */
void ps_workers_free(PsWorkers *workers);

/* TRUE while another job may be given. */
gboolean ps_workers_has_room(PsWorkers *workers);

/* TRUE while there is nothing to take. */
gboolean ps_workers_is_empty(PsWorkers *workers);

/* Gives a job. Afterwards it is the workers' until ps_workers_take returns it. */
void ps_workers_give(PsWorkers *workers, void *job);

/* Waits until the oldest job is done, but not longer than so many microseconds. FALSE where it is
 * still under way. */
gboolean ps_workers_wait(PsWorkers *workers, gint64 most);

/* The oldest job that was given and not taken, once it is done; NULL if there is none. */
void *ps_workers_take(PsWorkers *workers);

/* Jobs that threads do which would have nothing else to do while others work: one after the other,
 * as they are. All is borrowed. */
typedef struct PsSpare {
    const GPtrArray *jobs;
    void (*work)(void *job);
    guint threads; /* that may be busy at once, those that do other work among them */
    guint begun;   /* so many jobs, the first ones; no thread is at them when no workers are left */
} PsSpare;

/* All jobs were given: threads that have nothing to do do spare ones, until all that were given are
 * done, or time is out. None is begun after that. */
void ps_workers_fill(PsWorkers *workers, PsSpare *spare);

/* From now on jobs that have not begun are handed back undone. */
void ps_workers_stop(PsWorkers *workers);

/* Jobs that are done in parts: how far all of it is, and when that was told. */
typedef struct {
    PsProgress progress;
    gint64 told;
} PsWorkCourse;

/* The course of so many jobs, from now on. */
PsWorkCourse ps_work_course(PsPhase phase, guint jobs);

/* Jobs that are all there from the beginning. All is borrowed. */
typedef struct {
    const GPtrArray *jobs;
    guint threads;
    void (*work)(void *job);
    PsPhase phase;
    PsHearer progress;
    gint64 deadline;      /* on the monotonic clock, when time is out; 0: never */
    gint *hurry;          /* becomes 1 then, for those who look; NULL: nobody does */
    gint *cancel;         /* likewise, where the hearer ends it */
    PsSpare *spare;       /* what threads do that have nothing to do; NULL: nothing */
    PsWorkCourse *course; /* they are a part of that, which goes on; NULL: they are all */
} PsWork;

/* Does them. From the deadline on, and where the hearer ends it, none is begun any more. FALSE and
 * *error where a thread cannot be had, and (PS_ERROR_CANCELLED) where the hearer ends it. */
gboolean ps_work_off(const PsWork *work, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWorkers, ps_workers_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
