/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server of the Model Context Protocol: bytes of a client go in, lines for it come out. The
 * caller reads and writes; nothing is printed here. Calls are answered by a thread of the server's,
 * one after the other, while further messages are heard.
 */
#ifndef PIPESIM_SERVE_SERVICE_H
#define PIPESIM_SERVE_SERVICE_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The most bytes of a message; a longer one is refused. */
#define PS_SERVICE_MOST_BYTES (4 * 1024 * 1024)

typedef struct PsService PsService;

/* Takes a line for the client, which ends in a newline. FALSE: it cannot be written, and no other
 * will be either. It is called by one thread at a time. */
typedef gboolean (*PsServiceSay)(const char *line, gpointer data);

/* A server for the files below the current folder, which must stay the current one. gpus, graphs:
 * folders in which names are looked up, NULL at the end, which are borrowed. NULL and *error
 * (PS_ERROR_LIMIT) where no thread can be had. */
PsService *ps_service_new(const char *const *gpus, const char *const *graphs, PsServiceSay say,
                          gpointer data, GError **error);

/* Hears so many bytes: messages, and parts of them, each ended by a newline. Whatever they are, the
 * server stands. */
void ps_service_hear(PsService *service, const char *bytes, gsize length);

/* The client says nothing more: answers what is asked, and frees the server. TRUE if all could be
 * written. */
gboolean ps_service_end(PsService *service);

#pragma GCC visibility pop
G_END_DECLS
#endif
