/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs of many threads: their order, how many are under way, and what ends them. */
#include "base/workers.h"

#include "base/hearer.h"
#include "tests/help/clock.h"

#include <signal.h>

#define N 300

typedef struct {
    gint number;
    gint begun;
} Job;

static gint n_begun;

static void count(void *data)
{
    ((Job *)data)->begun = g_atomic_int_add(&n_begun, 1) + 1;
}

static GPtrArray *some_jobs(guint n)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(g_free);
    n_begun = 0;
    for (guint i = 0; i < n; i++) {
        Job *job = g_new0(Job, 1);
        job->number = (gint)i;
        g_ptr_array_add(jobs, job);
    }
    return jobs;
}

/* ---- one by one ----------------------------------------------------------------------------- */

/* They come back in the order in which they were given, each of them done once. */
static void test_order(void)
{
    for (guint threads = 1; threads <= 4; threads++) {
        g_autoptr(GPtrArray) jobs = some_jobs(N);
        g_autoptr(PsWorkers) workers = ps_workers_new(threads, count, NULL);
        guint taken = 0, given = 0, most = 0;
        g_assert_true(ps_workers_is_empty(workers));
        g_assert_null(ps_workers_take(workers));
        g_assert_true(ps_workers_wait(workers, 0));
        while (taken < N) {
            while (given < N && ps_workers_has_room(workers))
                ps_workers_give(workers, jobs->pdata[given++]);
            most = MAX(most, given - taken);
            g_assert_false(ps_workers_is_empty(workers));
            const Job *job = ps_workers_take(workers);
            g_assert_true(job == jobs->pdata[taken]);
            taken++;
            g_assert_cmpint(job->begun, >, 0);
        }
        g_assert_true(ps_workers_is_empty(workers));
        g_assert_cmpint(n_begun, ==, N);
        g_assert_cmpuint(most, ==, MIN(64 * threads, N));
    }
}

static GMutex gate;

static void pass_gate(void *data)
{
    g_mutex_lock(&gate);
    g_mutex_unlock(&gate);
    count(data);
}

/* Those that have not begun come back undone; the one that has is waited for. */
static void test_stop(void)
{
    g_autoptr(GPtrArray) jobs = some_jobs(9);
    g_autoptr(PsWorkers) workers = ps_workers_new(1, pass_gate, NULL);
    g_mutex_lock(&gate);
    for (guint i = 0; i < jobs->len; i++)
        ps_workers_give(workers, jobs->pdata[i]);
    g_assert_false(ps_workers_wait(workers, 1000));
    ps_workers_stop(workers);
    g_mutex_unlock(&gate);
    for (guint i = 0; i < jobs->len; i++)
        g_assert_true(ps_workers_take(workers) == jobs->pdata[i]);
    g_assert_cmpint(n_begun, <=, 1);
}

/* Spare jobs do not begin behind the end, though a job is still under way. */
static void test_stop_spare(void)
{
    g_autoptr(GPtrArray) jobs = some_jobs(1), more = some_jobs(9);
    PsSpare spare = {.jobs = more, .work = count, .threads = 2};
    PsWorkers *workers = ps_workers_new(3, pass_gate, NULL);
    g_mutex_lock(&gate);
    ps_workers_give(workers, jobs->pdata[0]);
    g_assert_false(ps_workers_wait(workers, 1000));
    ps_workers_stop(workers);
    ps_workers_fill(workers, &spare);
    g_usleep(1000);
    g_mutex_unlock(&gate);
    ps_workers_take(workers);
    ps_workers_free(workers);
    g_assert_cmpuint(spare.begun, ==, 0);
}

/* The first job ends last. */
static void first_is_slow(void *data)
{
    while (((Job *)data)->number == 0 && g_atomic_int_get(&n_begun) < N - 1)
        g_thread_yield();
    count(data);
}

/* A taker of the oldest job waits for that, whatever other jobs end meanwhile. */
static void test_oldest(void)
{
    g_autoptr(GPtrArray) jobs = some_jobs(N);
    g_autoptr(PsWorkers) workers = ps_workers_new(5, first_is_slow, NULL);
    for (guint i = 0; i < N; i++)
        ps_workers_give(workers, jobs->pdata[i]);
    const Job *oldest = ps_workers_take(workers);
    g_assert_cmpint(oldest->number, ==, 0);
    g_assert_cmpint(oldest->begun, ==, N);
    while (!ps_workers_is_empty(workers))
        ps_workers_take(workers);
}

/* What of these signals the thread does not let through. */
static void note_blocked(void *data)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGCHLD};
    sigset_t now;
    g_assert_true(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
        ((Job *)data)->number += sigismember(&now, signals[i]) ? 1 << i : 0;
    count(data);
}

/* Signals are the caller's alone, whose mask stays as it was. */
static void test_signals(void)
{
    Job before = {0}, after = {0}, job = {0};
    note_blocked(&before);
    g_autoptr(PsWorkers) workers = ps_workers_new(2, note_blocked, NULL);
    note_blocked(&after);
    ps_workers_give(workers, &job);
    g_assert_true(ps_workers_take(workers) == &job);
    g_assert_cmpint(job.number, ==, 63);
    g_assert_cmpint(after.number, ==, before.number);
    g_assert_cmpint(before.number, <, 63);
}

/* ---- all at once ---------------------------------------------------------------------------- */

/* Those begin that did so before the deadline, and no other. */
static void test_deadline(void)
{
    static const guint threads[] = {1, 3};
    for (guint t = 0; t < G_N_ELEMENTS(threads); t++)
        for (gint before = 0; before <= N + 1; before += 43) {
            gint hurry = 0, cancel = 0;
            g_autoptr(GPtrArray) jobs = some_jobs(N);
            const PsWork work = {.jobs = jobs,
                                 .threads = threads[t],
                                 .work = count,
                                 .deadline = clock_stop_but_for_looks() + before,
                                 .hurry = &hurry,
                                 .cancel = &cancel};
            g_assert_true(ps_work_off(&work, NULL));
            g_assert_cmpint(n_begun, ==, MIN(before, N));
            for (gint i = 0; i < N && threads[t] == 1; i++)
                g_assert_cmpint(((Job *)jobs->pdata[i])->begun, ==, i < before ? i + 1 : 0);
            g_assert_cmpint(hurry, ==, before < N);
            g_assert_cmpint(cancel, ==, 0);
            clock_go();
        }
}

static gint *hurried;

static void work_until_hurried(void *data)
{
    count(data);
    while (!g_atomic_int_get(hurried))
        g_thread_yield();
}

/* The one that is under way hears that time is out. */
static void test_hurry(void)
{
    gint hurry = 0;
    g_autoptr(GPtrArray) jobs = some_jobs(N);
    hurried = &hurry;
    const PsWork work = {.jobs = jobs,
                         .threads = 1,
                         .work = work_until_hurried,
                         .deadline = g_get_monotonic_time() + 1000,
                         .hurry = &hurry};
    g_assert_true(ps_work_off(&work, NULL));
    g_assert_cmpint(n_begun, <=, 1);
    g_assert_cmpint(hurry, ==, 1);
}

typedef struct {
    guint words, most;
    guint64 last;
} Heard;

static gboolean hear(const PsProgress *progress, gpointer data)
{
    Heard *heard = data;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_POINTS);
    g_assert_cmpuint(progress->done, >=, heard->last);
    g_assert_cmpuint(progress->done, <=, progress->of);
    g_assert_cmpuint(progress->of, ==, N);
    g_assert_cmpfloat(progress->share, ==, (double)progress->done / N);
    heard->last = progress->done;
    return ++heard->words < heard->most;
}

static void take_a_while(void *data)
{
    count(data);
    clock_set(g_get_monotonic_time() + PS_PROGRESS_PAUSE);
}

/* A word is due after each pause, and can end it all. */
static void test_words(void)
{
    static const guint most[] = {1, 5, G_MAXUINT};
    for (guint i = 0; i < G_N_ELEMENTS(most); i++) {
        gint cancel = 0, hurry = 0;
        Heard heard = {.most = most[i]};
        g_autoptr(GPtrArray) jobs = some_jobs(N);
        g_autoptr(GError) error = NULL;
        clock_stop();
        const PsWork work = {.jobs = jobs,
                             .threads = 1,
                             .work = take_a_while,
                             .phase = PS_PHASE_POINTS,
                             .progress = {hear, &heard},
                             .hurry = &hurry,
                             .cancel = &cancel};
        const gboolean done = ps_work_off(&work, &error);
        clock_go();
        g_assert_cmpint(hurry, ==, 0);
        g_assert_cmpuint(heard.words, >=, 1);
        g_assert_cmpuint(heard.words, <=, MIN(most[i], N));
        g_assert_cmpint(done, ==, heard.words < most[i]);
        g_assert_cmpint(cancel, ==, !done);
        if (done)
            g_assert_cmpint(n_begun, ==, N);
        else
            g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    }
}

/* Where time stands still, nobody hears a word. */
static void test_no_word(void)
{
    Heard heard = {.most = G_MAXUINT};
    g_autoptr(GPtrArray) jobs = some_jobs(N);
    clock_stop();
    const PsWork work = {.jobs = jobs,
                         .threads = 2,
                         .work = count,
                         .phase = PS_PHASE_POINTS,
                         .progress = {hear, &heard}};
    g_assert_true(ps_work_off(&work, NULL));
    clock_go();
    g_assert_cmpuint(heard.words, ==, 0);
    g_assert_cmpint(n_begun, ==, N);
}

/* Parts of one piece of work: the count goes on, and never beyond what there is. */
static void test_course(void)
{
    PsWorkCourse course = ps_work_course(PS_PHASE_POINTS, 2 * N);
    for (guint i = 1; i <= 3; i++) {
        g_autoptr(GPtrArray) jobs = some_jobs(N);
        const PsWork work = {.jobs = jobs, .threads = 2, .work = count, .course = &course};
        g_assert_true(ps_work_off(&work, NULL));
        g_assert_cmpuint(course.progress.done, ==, MIN(i, 2) * N);
        g_assert_cmpuint(course.progress.of, ==, 2 * N);
        g_assert_cmpfloat(course.progress.share, ==, MIN(i, 2) / 2.);
    }
}

/* ---- spare jobs ----------------------------------------------------------------------------- */

static gint n_spare;

static void do_spare(void *data)
{
    count(data);
    g_atomic_int_inc(&n_spare);
}

/* Is done no sooner than so many spare jobs are. */
static void wait_for_spare(void *data)
{
    while (g_atomic_int_get(&n_spare) < ((Job *)data)->number)
        g_thread_yield();
}

/* A thread that has nothing else to do begins them in their order, each once; where the only thread
 * works, none begins. */
static void test_spare(void)
{
    for (guint threads = 1; threads <= 2; threads++) {
        g_autoptr(GPtrArray) jobs = some_jobs(1), spares = some_jobs(N);
        PsSpare spare = {.jobs = spares, .work = do_spare, .threads = threads};
        ((Job *)jobs->pdata[0])->number = threads == 1 ? 0 : N / 2;
        n_spare = 0;
        const PsWork work = {
            .jobs = jobs, .threads = threads, .work = wait_for_spare, .spare = &spare};
        g_assert_true(ps_work_off(&work, NULL));
        g_assert_cmpuint(spare.begun, >=, threads == 1 ? 0 : N / 2);
        g_assert_cmpuint(spare.begun, <=, threads == 1 ? 0 : N);
        for (guint i = 0; i < N; i++)
            g_assert_cmpint(((Job *)spares->pdata[i])->begun, ==,
                            i < spare.begun ? (gint)i + 1 : 0);
    }
}

/* Where more jobs wait than a thread has room for, spare ones begin behind all of them. */
static void test_spare_last(void)
{
    g_autoptr(GPtrArray) jobs = some_jobs(N), spares = some_jobs(N);
    PsSpare spare = {.jobs = spares, .work = do_spare, .threads = 1};
    const PsWork work = {.jobs = jobs, .threads = 1, .work = count, .spare = &spare};
    g_assert_true(ps_work_off(&work, NULL));
    g_assert_cmpuint(spare.begun, ==, 0);
}

static void take_time(void *data)
{
    (void)data;
    g_usleep(20000);
}

/* Not all threads need to do spare jobs. */
static void test_spare_none(void)
{
    g_autoptr(GPtrArray) jobs = some_jobs(1), spares = some_jobs(N);
    PsSpare spare = {.jobs = spares, .work = do_spare, .threads = 0};
    const PsWork work = {.jobs = jobs, .threads = 2, .work = take_time, .spare = &spare};
    g_assert_true(ps_work_off(&work, NULL));
    g_assert_cmpuint(spare.begun, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/workers/order", test_order);
    g_test_add_func("/workers/oldest", test_oldest);
    g_test_add_func("/workers/signals", test_signals);
    g_test_add_func("/workers/stop", test_stop);
    g_test_add_func("/workers/stop-spare", test_stop_spare);
    g_test_add_func("/workers/deadline", test_deadline);
    g_test_add_func("/workers/hurry", test_hurry);
    g_test_add_func("/workers/words", test_words);
    g_test_add_func("/workers/no-word", test_no_word);
    g_test_add_func("/workers/spare", test_spare);
    g_test_add_func("/workers/spare-last", test_spare_last);
    g_test_add_func("/workers/spare-none", test_spare_none);
    g_test_add_func("/workers/course", test_course);
    return g_test_run();
}
