/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that work for us unseen: what they are told, write and say goes through pipes. They end
 * when we do: a signal that ends us ends them and what they have started, and on Linux the system
 * ends them whatever became of us.
 */
#ifndef PIPESIM_CLI_SYSTEM_TOOL_H
#define PIPESIM_CLI_SYSTEM_TOOL_H

#include <glib.h>
#include <signal.h>
#include <sys/types.h>

/* Runs a program, looked for on PATH, to its end, with this environment (NULL: ours): input (NULL:
 * none) to its standard input; what it writes is added to written, what it says on standard error
 * to said (NULL: dropped). FALSE and *error where it cannot be started, or ended otherwise than
 * with status 0. */
gboolean tool_run(char **argv, char **environment, const char *input, GString *written,
                  GString *said, GError **error);

/* What a program may take; 0: however much. */
typedef struct {
    guint work;  /* seconds of processor time, which other programs do not use up */
    guint wait;  /* seconds by the clock, for one that hangs without working */
    gsize bytes; /* that it may write */
} ToolLimits;

/* As tool_run with our environment and without input; what has not ended within its seconds of
 * either kind is ended, which is an error (G_SPAWN_ERROR_FAILED), and so is what writes too many
 * bytes (G_SPAWN_ERROR_TOO_BIG). Messages of both follow the program's name. */
gboolean tool_run_within(char **argv, const ToolLimits *limits, GString *written, GString *said,
                         GError **error);

/* As tool_run without input, for this program itself: a signal that ends us asks it to end, since
 * it clears up. In any thread. */
gboolean tool_run_own(char **argv, char **environment, GString *written, GString *said,
                      GError **error);

/* For a child between fork and exec: the system sends it that signal when its parent has ended,
 * where it can do that; signals are blocked as the mask says, and those ignored that we ignore
 * (nohup), which GLib would forget. */
typedef struct {
    pid_t parent;
    int signal;
    guint work; /* as of ToolLimits */
    sigset_t mask, ignored;
} ToolBirth;

/* In the parent; the mask is the caller's to set. */
ToolBirth tool_birth(int signal);

void tool_be_born(gpointer birth);

/* As leader of a group of its own, too, so that what it starts can be ended with it. */
void tool_be_born_apart(gpointer birth);

#endif
