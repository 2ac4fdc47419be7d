/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that runs in our place: with our standard input and output, in the foreground. Signals
 * of a terminal reach both, and the program answers them; signals to us alone are passed on. Its
 * exit status becomes ours.
 */
#ifndef PIPESIM_CLI_PROFILE_CHILD_H
#define PIPESIM_CLI_PROFILE_CHILD_H

#include <glib.h>
#include <signal.h>

enum { CHILD_NOT_EXECUTABLE = 126, CHILD_NOT_FOUND = 127, CHILD_SIGNAL = 128 };

/* Runs it to its end, with this environment (NULL: ours), and signals blocked as the mask says
 * (NULL: as ours are). The status as a shell has it, 128 and the number for a signal; where it
 * could not be started, *error and CHILD_NOT_FOUND or CHILD_NOT_EXECUTABLE. */
int child_run(char **argv, char **environment, const sigset_t *mask, GError **error);

/* From here on signals that are handed on wait for the next program that is run, or for child_heed:
 * for whoever has to clear up. *before is the mask that there was, for child_run and child_heed. */
void child_defer(sigset_t *before);
void child_heed(const sigset_t *before);

/* As child_run, for a program of ours: it is in a group of its own, which gets all signals, and of
 * which nothing outlives it. *asked is the signal that was meant to end us, which some answer with
 * a status of their own, or not at all; 0: none came. */
int child_run_apart(char **argv, char **environment, int *asked, GError **error);

/* TRUE if its standard input can be read again: it is no pipe. */
gboolean child_can_rerun(void);

/* Where standard input stands, for the next run; -1 where it cannot seek. */
gint64 child_input_tell(void);
void child_input_seek(gint64 offset);

#endif
