/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that shall stop in good order when the user wants it to end (Ctrl-C, an end of the terminal,
 * kill): what was done is kept. Whoever is not heard, because a device hangs, asks a second time
 * and ends the program as signals do.
 */
#ifndef PIPESIM_CLI_SYSTEM_INTERRUPT_H
#define PIPESIM_CLI_SYSTEM_INTERRUPT_H

#include <glib.h>
#include <signal.h>

typedef struct Interrupt Interrupt;

/* From now on signals are only noted. For the main thread, before it starts others. NULL and *error
 * where the system gives no further thread. */
Interrupt *interrupt_begin(GError **error);

/* The signal that asked for an end, 0 while there was none. */
int interrupt_asked(Interrupt *interrupt);

/* Signals do again what they did. Returns the one that asked for an end, or 0. */
int interrupt_end(Interrupt *interrupt);

/* Ends the program by that signal, as if it had never been noted: whoever started it sees so. */
G_NORETURN void interrupt_die(int signal);

#endif
