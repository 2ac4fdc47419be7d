/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of text that fit a terminal. */
#ifndef PIPESIM_TELL_WRAP_H
#define PIPESIM_TELL_WRAP_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define PS_TEXT_WIDTH 80 /* columns */

/* Columns that a text takes; what is not UTF-8 is counted by bytes. */
guint ps_text_width(const char *text);

/* Adds n blanks at the end of out. */
void ps_text_pad(GString *out, guint n);

/* Text broken at blanks into lines of at most PS_TEXT_WIDTH columns, the first after `first`, the
 * others indented as far as that is long. */
void ps_wrap_text(GString *out, const char *first, const char *text);

#pragma GCC visibility pop
G_END_DECLS
#endif
