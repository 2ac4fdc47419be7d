/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs done by several threads at once and handed back in the order in which they were given. Only
 * so many are under way that memory stays bounded, however many there are.
 */
#ifndef PIPESIM_CLI_WORKERS_H
#define PIPESIM_CLI_WORKERS_H

#include <glib.h>

typedef struct Workers Workers;

/* work is called with each job, in some thread. */
Workers *workers_new(guint threads, void (*work)(void *job), GError **error);

/* Waits for the jobs that have begun, and ends. All jobs must have been taken back. */
void workers_free(Workers *workers);

/* TRUE while another job may be given. */
gboolean workers_has_room(Workers *workers);

/* Gives a job. Afterwards it is the workers' until workers_take returns it. */
void workers_give(Workers *workers, void *job);

/* The oldest job that was given and not taken, once it is done; NULL if there is none. */
void *workers_take(Workers *workers);

/* From now on jobs that have not begun are handed back undone. */
void workers_stop(Workers *workers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Workers, workers_free)

#endif
