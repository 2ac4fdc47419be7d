/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal behind standard output: its width, and what it can show. */
#ifndef PIPESIM_CLI_SYSTEM_TERMINAL_H
#define PIPESIM_CLI_SYSTEM_TERMINAL_H

#include <glib.h>

/* TRUE if output to that file (NULL or "-": standard output) goes to a terminal. */
gboolean terminal_gets(const char *output);

/* TRUE for a terminal whose user has not refused colour. */
gboolean terminal_wants_colour(const char *output);

/* Columns of the terminal that standard output is, at least 20: the environment's COLUMNS first; 80
 * if unknown. */
guint terminal_width(void);

/* The same of the terminal that a file descriptor is. */
guint terminal_width_of(int fd);

/* TRUE if the environment's locale is one of UTF-8. */
gboolean terminal_has_shades(void);

/* Notes that a text report of PS_TEXT_WIDTH columns goes to a narrower terminal, if it does. */
void terminal_note_narrow(const char *output);

#endif
