/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files under a temporary name, for programs that need a name to write to, and where there are no
 * nameless files (nameless.h). They vanish if a signal (Ctrl-C, end of the terminal, a closed pipe,
 * a time limit) ends the program before they get their place; kill -9 leaves them.
 */
#ifndef PIPESIM_CLI_SYSTEM_DRAFT_H
#define PIPESIM_CLI_SYSTEM_DRAFT_H

#include "pipesim-private.h"

#include <sys/types.h>

/* Makes the file; the XXXXXX in path become what makes it new. Returns a file descriptor, -1 and
 * errno on failure. For the main thread. */
int draft_open(char *path);

/* Registers a file that was made, or will be, while signals are blocked, as they still are; or a
 * folder, behind everything in it. */
void draft_begin(const char *path);

/* The file has its place, or keeps its name. */
void draft_keep(const char *path);

/* Removes the file. */
void draft_remove(const char *path);

/* Registers a group of processes that such a signal also ends, by the signal `by` (SIGKILL or
 * SIGTERM), until draft_group_end. Any thread may call it. */
void draft_group_begin(pid_t leader, int by);
void draft_group_end(pid_t leader);

/* From now on such a signal removes what is registered. */
void draft_catch_signals(void);

/* Does what such a signal does first, the line of progress (line.h) included. For code that ends
 * the program at once, in any thread. */
void draft_end(void);

/* The same for the library's tools (base/tool.h): a signal ends them with us. */
extern const PsToolHost draft_host;

#endif
