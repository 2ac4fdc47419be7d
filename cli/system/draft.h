/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files under a passing name, for programs that want a name to write to, and where there are no
 * nameless files (nameless.h). They vanish if a signal (Ctrl-C, an end of the terminal, a closed
 * pipe, an end of the time) ends the program before they are in their place; kill -9 leaves them.
 */
#ifndef PIPESIM_CLI_SYSTEM_DRAFT_H
#define PIPESIM_CLI_SYSTEM_DRAFT_H

#include "pipesim-private.h"

#include <sys/types.h>

/* Makes the file; the XXXXXX in path become what makes it new. Returns a file descriptor, -1 and
 * errno on failure. For the main thread. */
int draft_open(char *path);

/* The same of a file that somebody has made or will make while signals were blocked, which they
 * still are; or of a folder behind all that is in it. */
void draft_begin(const char *path);

/* The file is in its place, or shall stay under its name. */
void draft_keep(const char *path);

/* Removes the file. */
void draft_remove(const char *path);

/* A group of processes that such a signal asks to end as well, by that signal (SIGKILL or SIGTERM);
 * until draft_group_end. In any thread. */
void draft_group_begin(pid_t leader, int by);
void draft_group_end(pid_t leader);

/* Such a signal ends what there is to end from now on, at the latest. */
void draft_catch_signals(void);

/* What such a signal does first, the line of progress (line.h) included. For whoever ends the
 * program at once, in any thread. */
void draft_end(void);

/* The same for the library's tools (base/tool.h): a signal ends them with us. */
extern const PsToolHost draft_host;

#endif
