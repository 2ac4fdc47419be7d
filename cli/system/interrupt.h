/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that stops in good order when the user asks for an end (Ctrl-C, end of the terminal, kill):
 * finished work is kept. If a device hangs, a second signal ends the program as usual.
 */
#ifndef PIPESIM_CLI_SYSTEM_INTERRUPT_H
#define PIPESIM_CLI_SYSTEM_INTERRUPT_H

#include <glib.h>
#include <signal.h>

typedef struct Interrupt Interrupt;

/* From now on signals are only noted. The main thread calls it before it starts others. NULL and
 * *error if the system gives no further thread. */
Interrupt *interrupt_begin(GError **error);

/* The signal that asked for an end; 0: none did. */
int interrupt_asked(Interrupt *interrupt);

/* Signals act as before. Returns the one that asked for an end, or 0. */
int interrupt_end(Interrupt *interrupt);

/* Ends the program by that signal, as if it had never been noted: its parent process sees that. */
G_NORETURN void interrupt_die(int signal);

#endif
