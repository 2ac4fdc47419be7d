/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Markup for the page to share. Whatever comes from a file (names, source lines, messages) gets
 * into it through ps_html_text alone, which escapes; tags are written by the program. The page is
 * well-formed as XML, too.
 */
#ifndef PIPESIM_TELL_PAGE_MARKUP_H
#define PIPESIM_TELL_PAGE_MARKUP_H

#include <glib.h>

/* ps_html_element for text that it takes (g_free). */
void ps_markup_take(GString *out, const char *tag, char *text);

/* Appends a cell with a number, which it takes (g_free); NULL: an empty one. `of` are the words
 * above its column, for where the page is too narrow for a table and each number has its own. */
void ps_markup_number(GString *out, const char *of, char *text);

/* The head of a table: these words with "|" between them. Those after the first stand above
 * numbers, to the right, unless they begin with "<". */
void ps_markup_head(GString *out, const char *words);

/* Opens and closes a part of the page that is folded up until a reader wants it; paper shows it
 * unfolded. */
void ps_markup_fold(GString *out, const char *title);
void ps_markup_unfold(GString *out);

#endif
