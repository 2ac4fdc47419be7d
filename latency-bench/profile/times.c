/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches with their times. CUPTI fills buffers while the program runs, and hands them back. A
 * thread asks for them once a second, so that a program that is killed loses the last second only
 * (CUPTI's own period is for full buffers alone). Kernels are not serialized and nothing is
 * replayed.
 *
 * CUPTI's callbacks for buffers get no pointer from the caller, so there is one static struct.
 */
#include "latency-bench/profile/phases.h"
#include "latency-bench/profile/record.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8, NAME_BYTES = 3000 };

/* How a flush treats records of kernels that still run. */
enum { FLUSH_WAITS = 0, FLUSH_FORCED = 1 };

static struct {
    const Cupti *cupti;
    int file;
    pthread_t thread;
    int has_thread, ended; /* `ended` is protected by the lock */
} times;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;

static void want_buffer(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *max_records = 0; /* 0: as many records as there is room for */
}

static void put_kernel(const CuptiKernel *k)
{
    char name[NAME_BYTES];
    ps_record_line(times.file,
                   "launch\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64
                   "\t%" PRIu64 "\t%" PRId32 "\t%" PRId32 "\t%" PRId32 "\t%" PRId32 "\t%" PRId32
                   "\t%" PRId32 "\t%u\t%" PRId32 "\t%" PRId32 "\t%d\t%s",
                   k->device, k->context, k->stream, k->correlation, k->start, k->end, k->grid[0],
                   k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2],
                   (unsigned)k->registers, k->static_memory, k->dynamic_memory, k->graph_node != 0,
                   ps_record_clean(k->name, name, sizeof name));
}

static void put_device(const CuptiDevice *device)
{
    char name[NAME_BYTES];
    ps_record_line(times.file, "device\t%" PRIu32 "\t%" PRIu32 ".%" PRIu32 "\t%s", device->id,
                   device->major, device->minor, ps_record_clean(device->name, name, sizeof name));
}

static void put_record(const CuptiRecord *record)
{
    if (record->kind == CUPTI_KIND_KERNEL || record->kind == CUPTI_KIND_CONCURRENT_KERNEL)
        put_kernel((const void *)record);
    else if (record->kind == CUPTI_KIND_DEVICE)
        put_device((const void *)record);
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CuptiRecord *record = NULL;
    while (valid > 0 && times.cupti->next_record(buffer, valid, &record) == CUPTI_OK)
        put_record(record);
    free(buffer);
    size_t lost = 0;
    if (times.cupti->dropped(context, stream, &lost) == CUPTI_OK && lost > 0)
        ps_record_line(times.file, "failed\tlost\tCUPTI dropped %zu records", lost);
}

/* ---- the thread ---------------------------------------------------------------------------- */

static int wait_a_second(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int why = 0;
    pthread_mutex_lock(&lock);
    while (!times.ended && why == 0)
        why = pthread_cond_timedwait(&end, &lock, &until);
    const int ended = times.ended;
    pthread_mutex_unlock(&lock);
    return !ended;
}

static void *flush_each_second(void *self)
{
    while (wait_a_second())
        times.cupti->flush_all(FLUSH_WAITS);
    return self;
}

/* Starts the thread; signals still go to the program's own threads. Without the thread, a killed
 * program loses all that was measured. */
static void start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    times.has_thread = pthread_create(&times.thread, NULL, flush_each_second, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_thread(void)
{
    pthread_mutex_lock(&lock);
    times.ended = 1;
    pthread_cond_signal(&end);
    pthread_mutex_unlock(&lock);
    if (times.has_thread)
        pthread_join(times.thread, NULL);
}

/* ---- beginning and end --------------------------------------------------------------------- */

static int check(const char *what, CuptiResult result)
{
    if (result == CUPTI_OK)
        return 0;
    ps_record_line(times.file, "failed\tcupti\t%s: %s (%d)", what,
                   ps_cupti_text(times.cupti, result), (int)result);
    return -1;
}

void ps_times_begin(const Cupti *cupti, int file)
{
    times.cupti = cupti;
    times.file = file;
    if (check("cuptiActivityRegisterCallbacks",
              cupti->register_callbacks(want_buffer, take_buffer)) != 0 ||
        check("cuptiActivityEnable (devices)", cupti->enable(CUPTI_KIND_DEVICE)) != 0 ||
        check("cuptiActivityEnable (kernels)", cupti->enable(CUPTI_KIND_CONCURRENT_KERNEL)) != 0)
        return;
    start_thread();
}

void ps_times_end(void)
{
    end_thread();
    times.cupti->flush_all(FLUSH_FORCED);
}
