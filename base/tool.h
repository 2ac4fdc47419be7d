/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that work for us unseen: their input, output and messages go through pipes. Each is the
 * leader of a group of processes, and on Linux the system ends it when the thread that waits for it
 * is gone. Such programs read and write temporary files.
 *
 * There is no global state here. A program that handles signals keeps a table of what a signal has
 * to end and to remove: PsToolHost tells it.
 */
#ifndef PIPESIM_BASE_TOOL_H
#define PIPESIM_BASE_TOOL_H

#include "base/progress.h"

#include <signal.h>
#include <sys/types.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Functions that hear of groups of processes and of files that shall not outlive the caller. Any of
 * them may be NULL. They are called in the thread that starts the work, with signals blocked at its
 * begin. */
typedef struct {
    void (*group_begins)(pid_t leader, int by); /* `by` is the signal that ends it with us */
    void (*group_ends)(pid_t leader);
    void (*file_begins)(const char *path);
    void (*file_ends)(const char *path);
} PsToolHost;

/* Limits of a program; 0: none. */
typedef struct {
    guint work;  /* seconds of processor time, which other programs do not use up */
    guint wait;  /* seconds by the clock, for one that hangs without working */
    gsize bytes; /* bytes that it may write */
} PsToolLimits;

/* A program to run. With all but argv zero it has our environment, no input and no limits, and its
 * messages are dropped. All is borrowed. */
typedef struct {
    const PsToolHost *host; /* NULL: nobody is told */
    char **argv;            /* the program is looked for on PATH */
    char **environment;     /* NULL: ours */
    const char *input;      /* to its standard input; NULL: none */
    GString *written;       /* what it writes is added; NULL: dropped */
    GString *said;          /* gets its standard error in the same way */
    PsToolLimits limits;
    PsHearer hearer; /* of PS_PHASE_TOOL; when it ends the work, the program is ended */
    gboolean asked;  /* a signal that ends us asks it to end (SIGTERM), since it clears up; else it
                        is killed */
} PsTool;

/* Runs it to its end, in any thread. FALSE and *error if it cannot be started or ends otherwise
 * than with status 0 (G_SPAWN_ERROR, G_SPAWN_EXIT_ERROR); if it exceeds its seconds of either kind
 * (G_SPAWN_ERROR_FAILED) or writes too many bytes (G_SPAWN_ERROR_TOO_BIG), with a message that
 * begins with the program's name; if the hearer ends the work (PS_ERROR_CANCELLED). */
gboolean ps_tool_run(const PsTool *tool, GError **error);

/* ---- temporary files
 * -------------------------------------------------------------------------- */

/* A temporary file with that ending and these bytes (NULL: none), which nobody else can read
 * (g_free). NULL and *error where it cannot be made. */
char *ps_tool_file(const PsToolHost *host, const char *ending, GBytes *bytes, GError **error);

/* Removes the file and frees its path; NULL is fine. */
void ps_tool_file_remove(const PsToolHost *host, char *path);

/* ---- children
 * ---------------------------------------------------------------------------------- */

/* For a child between fork and exec. If the system can, it sends the child that signal when the
 * parent has ended. Signals are blocked as the mask says; those that we ignore stay ignored
 * (nohup), which GLib would forget. */
typedef struct {
    pid_t parent;
    int signal;
    guint work; /* as of PsToolLimits */
    sigset_t mask, ignored;
} PsToolBirth;

/* In the parent; the mask is the caller's to set. */
PsToolBirth ps_tool_birth(int signal);

void ps_tool_be_born(gpointer birth);

/* The same, and the child leads a group of its own, so that everything that it starts can be ended
 * with it. */
void ps_tool_be_born_apart(gpointer birth);

/* No signal reaches this thread until pthread_sigmask sets the old mask again. */
void ps_tool_block_signals(sigset_t *old);

#pragma GCC visibility pop
G_END_DECLS
#endif
