/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch.h. */
#include "answer/watch.h"

/* On several CUs, events come from one sort of CUs after another (PsListener). */
static void on_launched(void *self, gint64 time, const PsGroups *groups)
{
    PsWatch *watch = self;
    (void)time;
    g_mutex_lock(&watch->mutex);
    if (!watch->since)
        watch->since = g_get_monotonic_time();
    if (groups->cu != watch->cu) {
        watch->before += watch->done;
        watch->done = watch->skipped = 0;
    }
    watch->cu = groups->cu;
    watch->more = groups->cu + groups->n_cus < watch->n_cus;
    g_mutex_unlock(&watch->mutex);
}

static void on_finished(void *self, gint64 time, const PsGroups *groups)
{
    PsWatch *watch = self;
    (void)time;
    (void)groups;
    g_mutex_lock(&watch->mutex);
    watch->done++;
    g_mutex_unlock(&watch->mutex);
}

static void on_skipped(void *self, const PsSkip *skip)
{
    PsWatch *watch = self;
    g_mutex_lock(&watch->mutex);
    watch->skipped += skip->groups / skip->n_cus;
    g_mutex_unlock(&watch->mutex);
}

PsListener ps_watch_listener(PsWatch *watch, const PsMachine *machine)
{
    g_mutex_lock(&watch->mutex);
    watch->n_cus = machine->n_cus;
    watch->groups_per_cu = machine->launch.groups_per_cu;
    watch->since = 0;
    watch->cu = 0;
    watch->more = FALSE;
    watch->before = watch->done = watch->skipped = 0;
    g_mutex_unlock(&watch->mutex);
    return (PsListener){
        .self = watch, .launched = on_launched, .finished = on_finished, .skipped = on_skipped};
}

/* Groups that are simulated before the run is done. More than two sorts of CUs are rare, and known
 * only when the second begins. */
static gint64 total(const PsWatch *watch)
{
    const gint64 each = watch->groups_per_cu - watch->skipped;
    return watch->before + (watch->more ? 2 : 1) * MAX(each, 1);
}

double ps_watch_share(PsWatch *watch, gint64 *since)
{
    double share = 0;
    g_mutex_lock(&watch->mutex);
    *since = watch->since;
    if (watch->since)
        share = (double)(watch->before + watch->done) / (double)total(watch);
    g_mutex_unlock(&watch->mutex);
    return MIN(share, 1);
}

void ps_watch_init(PsWatch *watch)
{
    *watch = (PsWatch){.cu = 0};
    g_mutex_init(&watch->mutex);
}

void ps_watch_clear(PsWatch *watch)
{
    g_mutex_clear(&watch->mutex);
}
