/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which source lines of two kernels are the same line, as diff finds it: by their text, white space
 * aside, in the order of both, else as moved, and between these by the words that they share. Only
 * lines with instructions count. A line's file, and the file's name, make no difference.
 */
#ifndef PIPESIM_ANSWER_LINE_MATCH_H
#define PIPESIM_ANSWER_LINE_MATCH_H

#include "answer/compare.h"

/* Lines that are one, on both sides. */
typedef struct {
    PsLineChange change;
    const char *names[2]; /* "mmul.cu:24", "mmul.cu:24-27"; NULL: that side has none */
} PsLineGroup;

typedef struct PsLineMatch {
    GPtrArray *groups;   /* PsLineGroup */
    GHashTable *of[2];   /* name of a line, as PsExplainShare has it -> PsLineGroup */
    GStringChunk *texts; /* that names are in */
    char *note;          /* which lines go by their numbers, and why; NULL: none */
    const char *problem; /* why nothing may be charged to lines, a clause, or NULL */
} PsLineMatch;

PsLineMatch *ps_line_match_new(const PsAnswer *a, const PsAnswer *b);
void ps_line_match_free(PsLineMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLineMatch, ps_line_match_free)

/* ---- line-words.c: how alike two lines are ------------------------------------------------- */

/* The words and numbers of a text, each once, as numbers in rising order: equal ones are equal
 * words. Of `ids` (text -> number) those that are missing are added. The array is the caller's. */
GArray *ps_line_words(const char *text, GHashTable *ids);

/* What two lines have in common, as a share of what they have on average (Sorensen-Dice); 0..1. */
double ps_line_likeness(const GArray *a, const GArray *b);

#endif
