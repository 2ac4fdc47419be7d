/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line of progress at the bottom of the terminal that is standard error, while something works.
 * All other output goes above it, and a signal that ends the program wipes it. Any thread may call
 * these functions, which do nothing without a line.
 */
#ifndef PIPESIM_CLI_SYSTEM_LINE_H
#define PIPESIM_CLI_SYSTEM_LINE_H

#include <glib.h>

/* Replaces the line by the text, which is clean and fits the terminal. Nothing is drawn while the
 * terminal takes no output, or while other output there has not ended its own line. */
void line_draw(const char *text);

void line_wipe(void);

/* Around other output to the terminal: no other thread draws between the two. whole: what was
 * written ends with the end of a line, so that another may stand below it. */
void line_lift(void);
void line_lower(gboolean whole);

/* Wipes it for good. For whoever ends the program at once, also in a signal's handler of the main
 * thread. */
void line_end(void);

#endif
