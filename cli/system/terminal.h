/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal that standard output may be: how wide it is, and what it can show. */
#ifndef PIPESIM_CLI_SYSTEM_TERMINAL_H
#define PIPESIM_CLI_SYSTEM_TERMINAL_H

#include <glib.h>

/* Whether output to that file (NULL or "-": standard output) goes to a terminal. */
gboolean terminal_gets(const char *output);

/* Colour is for a terminal whose user did not say no. */
gboolean terminal_wants_colour(const char *output);

/* Columns of the terminal that standard output is, from the environment's COLUMNS first; else
 * 80. At least 20. */
guint terminal_width(void);

/* The same of the terminal that a file descriptor is. */
guint terminal_width_of(int fd);

/* Whether the environment's locale is one of UTF-8. */
gboolean terminal_has_shades(void);

/* Says (note) that a report of text, whose lines take PS_TEXT_WIDTH columns, goes to something
 * narrower, if it does. */
void terminal_note_narrow(const char *output);

#endif
