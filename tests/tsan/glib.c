/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For make check-tsan alone. GLib's locks and queues are its own (futexes), and GLib is not built
 * with ThreadSanitizer, which therefore does not see what they order. These functions go before
 * GLib's, hand on to them, and tell what is ordered: nothing more than their documentation says.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <glib.h>
#include <sanitizer/tsan_interface.h>

/* The function of that name behind ours. */
#define REAL(name) (*(__typeof__(name) **)(void *[]){dlsym(RTLD_NEXT, #name)})

void g_mutex_lock(GMutex *mutex)
{
    REAL(g_mutex_lock)(mutex);
    __tsan_acquire(mutex);
}

void g_mutex_unlock(GMutex *mutex)
{
    __tsan_release(mutex);
    REAL(g_mutex_unlock)(mutex);
}

void g_cond_wait(GCond *condition, GMutex *mutex)
{
    __tsan_release(mutex);
    REAL(g_cond_wait)(condition, mutex);
    __tsan_acquire(mutex);
}

gboolean g_cond_wait_until(GCond *condition, GMutex *mutex, gint64 end)
{
    __tsan_release(mutex);
    const gboolean told = REAL(g_cond_wait_until)(condition, mutex, end);
    __tsan_acquire(mutex);
    return told;
}

/* ---- thread pools: a job sees what was done before its push; who has waited for a pool's end sees
 * all that its jobs did ------------------------------------------------------------------------ */

typedef struct {
    GFunc work;
    gpointer data;
} Pool;

static void do_job(gpointer job, gpointer pool)
{
    __tsan_acquire(job);
    ((Pool *)pool)->work(job, ((Pool *)pool)->data);
    __tsan_release(pool);
}

/* The program has one pool at a time, and ends soon after it: what is kept for it stays. */
GThreadPool *g_thread_pool_new(GFunc work, gpointer data, gint threads, gboolean exclusive,
                               GError **error)
{
    Pool *pool = g_new(Pool, 1);
    *pool = (Pool){work, data};
    return REAL(g_thread_pool_new)(do_job, pool, threads, exclusive, error);
}

gboolean g_thread_pool_push(GThreadPool *pool, gpointer job, GError **error)
{
    __tsan_release(job);
    return REAL(g_thread_pool_push)(pool, job, error);
}

void g_thread_pool_free(GThreadPool *pool, gboolean immediate, gboolean wait)
{
    gpointer ours = pool->user_data;
    REAL(g_thread_pool_free)(pool, immediate, wait);
    if (wait)
        __tsan_acquire(ours);
}
