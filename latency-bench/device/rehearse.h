/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Some drivers end the process that calls them instead of returning an error. A rehearsal makes the
 * calls in a child process first, so that such a driver becomes an error with its own words.
 */
#ifndef PIPESIM_LATENCY_BENCH_REHEARSE_H
#define PIPESIM_LATENCY_BENCH_REHEARSE_H

#include "base/message.h"

/* The calls to rehearse. Their changes in memory are gone with the child. */
typedef void (*PsRehearsed)(gpointer data);

/* FALSE and *error (PS_ERROR_DEVICE) where calls does not return: how the child ended, and the last
 * line that it wrote to standard error. That this process can have no child is an error, too. */
gboolean ps_rehearse(PsRehearsed calls, gpointer data, GError **error);

#endif
