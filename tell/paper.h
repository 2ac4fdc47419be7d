/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paper, on which a page for people is written: text of 80 columns for a terminal, Markdown for a
 * page that others read, or HTML. The writer of a page says what is a title, a heading, a sentence,
 * a table.
 */
#ifndef PIPESIM_TELL_PAPER_H
#define PIPESIM_TELL_PAPER_H

#include "tell/table.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum { PS_PAPER_TEXT, PS_PAPER_MARKDOWN, PS_PAPER_HTML } PsPaperForm;

typedef struct {
    GString *out; /* the page, which grows at its end */
    PsPaperForm form;
    gboolean colour; /* headings are bold; of text alone */
} PsPaper;

/* The title: the part that stands out, and the rest of its line. */
void ps_paper_title(const PsPaper *paper, const char *name, const char *rest);

/* A title that is not bold, in text of as many lines as it takes. */
void ps_paper_wrapped_title(const PsPaper *paper, const char *text);

/* The heading of a part, behind an empty line. */
void ps_paper_heading(const PsPaper *paper, const char *text);

/* A heading over several parts: in text a heading, else a paragraph, since each part there has a
 * heading of its own. */
void ps_paper_preface(const PsPaper *paper, const char *text);

/* A heading that, in text, has no empty line before it and is not bold. */
void ps_paper_part(const PsPaper *paper, const char *text);

/* An empty line in text; nothing on other papers. */
void ps_paper_gap(const PsPaper *paper);

/* A sentence. Text has it behind `first`, with its further lines indented as far. Markdown has an
 * item of a list, or, if `first` is blank, a paragraph. HTML has a row, an item or a paragraph. */
void ps_paper_text(const PsPaper *paper, const char *first, const char *text);

/* A line that is never broken. */
void ps_paper_line(const PsPaper *paper, const char *text);

/* Lines that are drawn, in which letters stand below letters. */
void ps_paper_drawing(const PsPaper *paper, const char *lines);

/* The table that a view shows, below its title, with `which` in brackets; nothing where it has no
 * rows, which is FALSE. which and what_if may be NULL. */
gboolean ps_paper_view(const PsPaper *paper, PsViewId view, const PsTold *facts,
                       const PsTold *what_if, const char *which);

/* The table, in text indented by so many blanks. */
void ps_paper_table(const PsPaper *paper, const PsTable *table, guint indent);

#pragma GCC visibility pop
G_END_DECLS
#endif
