/* SPDX-License-Identifier: BSD-3-Clause */
/* Text within HTML. */
#ifndef PIPESIM_TELL_HTML_H
#define PIPESIM_TELL_HTML_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Appends text that shows as it is, in an element or within the quotes of an attribute: what means
 * something to HTML is escaped, control characters are shown by their pictures, characters that
 * turn the direction of text by their numbers, and bytes that are no UTF-8 as U+FFFD. NULL is an
 * empty text. */
void ps_html_text(GString *out, const char *text);

/* Appends <TAG>text</NAME>; tag may hold attributes, such as "td class='n'". */
void ps_html_element(GString *out, const char *tag, const char *text);

#pragma GCC visibility pop
G_END_DECLS
#endif
