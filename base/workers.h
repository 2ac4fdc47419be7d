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

/* TRUE while there is no job to take back. */
gboolean ps_workers_is_empty(PsWorkers *workers);

/* Gives a job. Afterwards it is the workers' until ps_workers_take returns it. */
void ps_workers_give(PsWorkers *workers, void *job);

/* Waits until the oldest job is done, but at most so many microseconds. FALSE if it is still under
 * way. */
gboolean ps_workers_wait(PsWorkers *workers, gint64 most);

/* The oldest job that was given and not taken, once it is done; NULL if there is none. */
void *ps_workers_take(PsWorkers *workers);

/* Spare jobs, for threads that would have nothing to do while others work: one after the other, in
 * their order. All is borrowed. */
typedef struct PsSpare {
    const GPtrArray *jobs;
    void (*work)(void *job);
    guint threads; /* threads that may be busy at once, with those that do other work */
    guint begun; /* how many jobs, counted from the first; once no workers are left, no thread is at
                    them */
} PsSpare;

/* Tells the workers that all jobs were given. Idle threads now do spare jobs, until all given jobs
 * are done or time is out; none is begun after that. */
void ps_workers_fill(PsWorkers *workers, PsSpare *spare);

/* Hands back undone, from now on, jobs that have not begun. */
void ps_workers_stop(PsWorkers *workers);

/* The course of jobs that are done in parts: how far all of them are, and when that was told. */
typedef struct {
    PsProgress progress;
    gint64 told;
} PsWorkCourse;

/* Begins the course of so many jobs. */
PsWorkCourse ps_work_course(PsPhase phase, guint jobs);

/* Jobs that are all there from the beginning. All members are borrowed. */
typedef struct {
    const GPtrArray *jobs;
    guint threads;
    void (*work)(void *job);
    PsPhase phase;
    PsHearer progress;
    gint64 deadline;      /* on the monotonic clock, when time is out; 0: never */
    gint *hurry;          /* is set to 1 when time is out, for jobs that look at it; NULL: none
                             does */
    gint *cancel;         /* is set to 1 when the hearer ends the work; NULL: nobody looks */
    PsSpare *spare;       /* what threads do that have nothing to do; NULL: nothing */
    PsWorkCourse *course; /* they are a part of that, which goes on; NULL: they are all */
} PsWork;

/* Does the jobs. None is begun after the deadline, or once the hearer ends the work. FALSE and
 * *error if a thread cannot be had, and (PS_ERROR_CANCELLED) if the hearer ends it. */
gboolean ps_work_off(const PsWork *work, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWorkers, ps_workers_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
