/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs done by several threads at once and handed back in the order in which they were given. Only
 * so many are under way that memory stays bounded, however many there are.
 */
#ifndef PIPESIM_ANSWER_WORKERS_H
#define PIPESIM_ANSWER_WORKERS_H

#include <glib.h>

typedef struct Workers Workers;

/* work is called with each job, in some thread. */
Workers *workers_new(guint threads, void (*work)(void *job), GError **error);

/* Waits for the jobs that have begun, and ends. All jobs must have been taken back. */
void workers_free(Workers *workers);

/* TRUE while another job may be given. */
gboolean workers_has_room(Workers *workers);

/* TRUE while there is nothing to take. */
gboolean workers_is_empty(Workers *workers);

/* Gives a job. Afterwards it is the workers' until workers_take returns it. */
void workers_give(Workers *workers, void *job);

/* Waits until the oldest job is done, but not longer than so many microseconds. FALSE where it is
 * still under way. */
gboolean workers_wait(Workers *workers, gint64 most);

/* The oldest job that was given and not taken, once it is done; NULL if there is none. */
void *workers_take(Workers *workers);

/* From now on jobs that have not begun are handed back undone. */
void workers_stop(Workers *workers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Workers, workers_free)

#endif
