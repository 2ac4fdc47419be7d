/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server of the Model Context Protocol: bytes of a client go in, lines for it come out. The
 * caller reads and writes; nothing is printed here. A thread of the server answers calls one after
 * the other, while further messages are read.
 */
#ifndef PIPESIM_SERVE_SERVICE_H
#define PIPESIM_SERVE_SERVICE_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The most bytes of a message; a longer one is refused. */
#define PS_SERVICE_MOST_BYTES (4 * 1024 * 1024)

typedef struct PsService PsService;

/* Takes a line for the client, which ends in a newline. FALSE: neither it nor any later one can be
 * written. One thread at a time calls it. */
typedef gboolean (*PsServiceSay)(const char *line, gpointer data);

/* A server for the files below the current folder, which must stay the current one. gpus, graphs:
 * folders in which names are looked up, NULL at the end, which are borrowed. NULL and *error
 * (PS_ERROR_LIMIT) where no thread can be had. */
PsService *ps_service_new(const char *const *gpus, const char *const *graphs, PsServiceSay say,
                          gpointer data, GError **error);

/* Takes so many bytes: messages and parts of them, each ended by a newline. No content stops the
 * server. */
void ps_service_hear(PsService *service, const char *bytes, gsize length);

/* The client has ended: answers open calls, and frees the server. TRUE if everything could be
 * written. */
gboolean ps_service_end(PsService *service);

#pragma GCC visibility pop
G_END_DECLS
#endif
