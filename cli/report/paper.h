/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a page for people is written on: text of 80 columns for a terminal, or Markdown for a page
 * that others read. Who writes a page says what is a title, a heading, a sentence, a table.
 */
#ifndef PIPESIM_CLI_REPORT_PAPER_H
#define PIPESIM_CLI_REPORT_PAPER_H

#include "cli/options.h"
#include "cli/report/table.h"

typedef struct {
    GString *out;
    gboolean colour;   /* headings are bold; of text alone */
    gboolean markdown; /* else text */
} Paper;

/* The page that goes where the options say, at the end of out. */
Paper paper_for(const Options *options, GString *out);

/* The title: what stands out, and the rest of its line. */
void paper_title(const Paper *paper, const char *name, const char *rest);

/* A title that is not bold, in text of as many lines as it takes. */
void paper_wrapped_title(const Paper *paper, const char *text);

/* The heading of a part, behind an empty line. */
void paper_heading(const Paper *paper, const char *text);

/* What stands over several parts: in text as a heading, in Markdown as a paragraph, since each part
 * there has a heading of its own. */
void paper_preface(const Paper *paper, const char *text);

/* A heading where text has no empty line before it, and is not bold. */
void paper_part(const Paper *paper, const char *text);

/* An empty line, where text has one that Markdown needs not. */
void paper_gap(const Paper *paper);

/* A sentence: in text behind `first`, its further lines indented as far; in Markdown an item of a
 * list where first is a word, and a paragraph where it is blank. */
void paper_text(const Paper *paper, const char *first, const char *text);

/* A line that is never broken. */
void paper_line(const Paper *paper, const char *text);

/* Lines that are drawn: letters stand below letters. */
void paper_drawing(const Paper *paper, const char *lines);

/* The table that a view shows, below its title, with `which` in brackets; nothing where it has no
 * rows, which is FALSE. which and what_if may be NULL. */
gboolean paper_view(const Paper *paper, PsViewId view, const PsTold *facts, const PsTold *what_if,
                    const char *which);

/* The table, in text indented by so many blanks. */
void paper_table(const Paper *paper, const Table *table, guint indent);

#endif
