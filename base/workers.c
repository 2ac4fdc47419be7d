/* SPDX-License-Identifier: BSD-3-Clause */
/* See workers.h. A queue keeps the order of jobs beside GLib's pool, which has none. */
#include "base/workers.h"

#include "base/hearer.h"

#include <signal.h>

/* Jobs under way per thread: enough that no thread waits while the oldest job is a long one. */
#define DEPTH 64

typedef struct {
    void *job;
    gboolean done;
} Slot;

struct PsWorkers {
    GThreadPool *pool;
    void (*work)(void *job);
    guint room;
    GQueue slots; /* Slot, oldest first; of the thread that gives jobs */
    GMutex mutex; /* guards what follows, and done of each slot */
    GCond finished;
    gboolean stopped;
    guint open; /* jobs that are not done yet */
    PsSpare *spare;
    gint64 deadline; /* no job begins after it; 0: never */
};

static gboolean is_out(gint64 deadline)
{
    return deadline && g_get_monotonic_time() >= deadline;
}

/* The next spare job; NULL: none may begin. */
static void *next_spare(PsWorkers *workers)
{
    PsSpare *spare = workers->spare;
    g_mutex_lock(&workers->mutex);
    const gboolean over = workers->open == 0 || workers->stopped || is_out(workers->deadline);
    void *job =
        over || spare->begun == spare->jobs->len ? NULL : spare->jobs->pdata[spare->begun++];
    g_mutex_unlock(&workers->mutex);
    return job;
}

static void do_job(void *data, void *self)
{
    Slot *slot = data;
    PsWorkers *workers = self;
    if (data == workers) { /* nothing else is left */
        void *job;
        while ((job = next_spare(workers)))
            workers->spare->work(job);
        return;
    }
    g_mutex_lock(&workers->mutex);
    const gboolean stopped = workers->stopped || is_out(workers->deadline);
    g_mutex_unlock(&workers->mutex);
    if (!stopped)
        workers->work(slot->job);
    g_mutex_lock(&workers->mutex);
    slot->done = TRUE;
    workers->open--;
    g_cond_signal(&workers->finished);
    g_mutex_unlock(&workers->mutex);
}

PsWorkers *ps_workers_new(guint threads, void (*work)(void *job), GError **error)
{
    PsWorkers *workers = g_new0(PsWorkers, 1);
    g_mutex_init(&workers->mutex);
    g_cond_init(&workers->finished);
    g_queue_init(&workers->slots);
    workers->work = work;
    workers->room = threads * DEPTH;
    /* Signals are for the caller: threads inherit a mask that blocks them. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    g_autoptr(GError) why = NULL;
    workers->pool = g_thread_pool_new(do_job, workers, (int)threads, TRUE, &why);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!why)
        return workers;
    /* The pool exists all the same, with fewer threads or none. */
    g_set_error(error, why->domain, why->code,
                "%u threads cannot be started: %s; fewer of them or a higher limit (ulimit) helps",
                threads, why->message);
    ps_workers_free(workers);
    return NULL;
}

void ps_workers_free(PsWorkers *workers)
{
    if (!workers)
        return;
    if (workers->pool)
        g_thread_pool_free(workers->pool, FALSE, TRUE);
    g_mutex_clear(&workers->mutex);
    g_cond_clear(&workers->finished);
    g_free(workers);
}

gboolean ps_workers_has_room(PsWorkers *workers)
{
    return g_queue_get_length(&workers->slots) < workers->room;
}

gboolean ps_workers_is_empty(PsWorkers *workers)
{
    return g_queue_is_empty(&workers->slots);
}

void ps_workers_give(PsWorkers *workers, void *job)
{
    Slot *slot = g_new(Slot, 1);
    *slot = (Slot){job, FALSE};
    g_queue_push_tail(&workers->slots, slot);
    g_mutex_lock(&workers->mutex);
    workers->open++;
    g_mutex_unlock(&workers->mutex);
    /* The threads exist already (the pool is exclusive), so this cannot fail. */
    g_thread_pool_push(workers->pool, slot, NULL);
}

/* The pool's threads take spare jobs after all others. */
void ps_workers_fill(PsWorkers *workers, PsSpare *spare)
{
    workers->spare = spare;
    for (guint i = 0; spare && i < spare->threads; i++)
        g_thread_pool_push(workers->pool, workers, NULL);
}

gboolean ps_workers_wait(PsWorkers *workers, gint64 most)
{
    const Slot *slot = g_queue_peek_head(&workers->slots);
    const gint64 until = g_get_monotonic_time() + most;
    gboolean in_time = TRUE;
    g_mutex_lock(&workers->mutex);
    while (slot && !slot->done && in_time)
        in_time = g_cond_wait_until(&workers->finished, &workers->mutex, until);
    const gboolean done = !slot || slot->done;
    g_mutex_unlock(&workers->mutex);
    return done;
}

void *ps_workers_take(PsWorkers *workers)
{
    g_autofree Slot *slot = g_queue_pop_head(&workers->slots);
    if (!slot)
        return NULL;
    g_mutex_lock(&workers->mutex);
    while (!slot->done)
        g_cond_wait(&workers->finished, &workers->mutex);
    g_mutex_unlock(&workers->mutex);
    return slot->job;
}

void ps_workers_stop(PsWorkers *workers)
{
    g_mutex_lock(&workers->mutex);
    workers->stopped = TRUE;
    g_mutex_unlock(&workers->mutex);
}

/* ---- all at once --------------------------------------------------------------------------- */

typedef struct {
    const PsWork *work;
    PsWorkers *workers;
    PsWorkCourse *course;
    guint given;
    gboolean ending;
} Off;

static void end_early(Off *off, gint *flag)
{
    off->ending = TRUE;
    ps_workers_stop(off->workers);
    if (flag)
        g_atomic_int_set(flag, 1);
}

/* Waits until the oldest job is done, progress must be told, or the time is over. */
static void wait_a_while(Off *off)
{
    const gint64 now = g_get_monotonic_time(), deadline = off->work->deadline;
    const gint64 left = deadline && !off->ending ? MAX(deadline - now, 0) : PS_PROGRESS_PAUSE;
    if (ps_workers_wait(off->workers, MIN(left, PS_PROGRESS_PAUSE))) {
        PsProgress *progress = &off->course->progress;
        ps_workers_take(off->workers);
        progress->done = MIN(progress->done + 1, progress->of); /* some jobs are done twice */
        progress->share = (double)progress->done / (double)progress->of;
    }
    if (!off->ending && is_out(deadline))
        end_early(off, off->work->hurry);
}

PsWorkCourse ps_work_course(PsPhase phase, guint jobs)
{
    const gint64 now = g_get_monotonic_time();
    return (PsWorkCourse){{phase, 0, jobs, 0, now}, now};
}

gboolean ps_work_off(const PsWork *work, GError **error)
{
    const GPtrArray *jobs = work->jobs;
    g_autoptr(PsWorkers) workers = ps_workers_new(work->threads, work->work, error);
    if (!workers)
        return FALSE;
    workers->deadline = work->deadline;
    PsWorkCourse own = ps_work_course(work->phase, jobs->len);
    Off off = {work, workers, work->course ? work->course : &own, 0, FALSE};
    gboolean wanted = TRUE;
    while (!ps_workers_is_empty(workers) || (!off.ending && off.given < jobs->len)) {
        while (!off.ending && off.given < jobs->len && ps_workers_has_room(workers))
            ps_workers_give(workers, jobs->pdata[off.given++]);
        if (off.given == jobs->len && !workers->spare)
            ps_workers_fill(workers, work->spare);
        wait_a_while(&off);
        if (!wanted || !ps_progress_is_due(&off.course->told) ||
            ps_hearer_tell(&work->progress, &off.course->progress, error))
            continue;
        wanted = FALSE;
        end_early(&off, work->cancel);
    }
    return wanted;
}
