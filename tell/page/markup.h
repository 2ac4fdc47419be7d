/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Markup for the page to share. Whatever comes from a file (names, source lines, messages) gets
 * into it through ps_html_text alone, which escapes; tags are written by the program. The page is
 * well-formed as XML, too.
 */
#ifndef PIPESIM_TELL_PAGE_MARKUP_H
#define PIPESIM_TELL_PAGE_MARKUP_H

#include <glib.h>

/* Begins a page of that title, up to its body; and ends it, with a sentence on what it rests on. */
void ps_markup_open(GString *out, const char *title);
void ps_markup_close(GString *out, const char *rests_on);

/* A tile of the list <dl class='answer'>: a figure that stands out. small: a line below; or NULL.
 */
void ps_markup_tile(GString *out, const char *label, const char *value, const char *small);

/* ps_html_element for text that it takes (g_free). */
void ps_markup_take(GString *out, const char *tag, char *text);

/* Appends a cell with a number, which it takes (g_free); NULL: an empty one. `of` are the words
 * above its column; where the page is too narrow for a table, each number has them beside it. */
void ps_markup_number(GString *out, const char *of, char *text);

/* The head of a table: these words with "|" between them. Those after the first stand above
 * numbers, to the right, unless they begin with "<". */
void ps_markup_head(GString *out, const char *words);

/* Opens and closes a part of the page that is folded up until a reader wants it; paper shows it
 * unfolded. */
void ps_markup_fold(GString *out, const char *title);
void ps_markup_unfold(GString *out);

#endif
