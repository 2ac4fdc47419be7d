/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts of an answer: a typed tree that is told once, and that every voice reads: text, JSON,
 * the page. tell/facts.table has all facts. An id's type says which values its fact takes, so a
 * fact that is not there, or of another type, does not compile.
 *
 * A fact that is not known is told as such (NULL, NaN, ps_tell_unknown), and one that does not
 * apply is not told. The code that opens a group tells its facts and closes it.
 */
#ifndef PIPESIM_TELL_FACTS_H
#define PIPESIM_TELL_FACTS_H

#include "base/rational.h"

#include <glib.h>

/* As tell/facts.table has them. */
typedef enum {
    PS_FACT_IS_ANY,
    PS_FACT_IS_NAME,
    PS_FACT_IS_SENTENCE,
    PS_FACT_IS_FLAG,
    PS_FACT_IS_COUNT,
    PS_FACT_IS_WHOLE,
    PS_FACT_IS_EXACT,
    PS_FACT_IS_NUMBER,
    PS_FACT_IS_FIGURE,
    PS_FACT_IS_PRECISE,
    PS_FACT_IS_OBJECT,
    PS_FACT_IS_ROW,
    PS_FACT_IS_LIST,
    PS_FACT_IS_OBJECTS,
    PS_FACT_IS_PART,
    PS_FACT_IS_ENTRIES,
    PS_FACT_IS_NAMES,
    PS_FACT_IS_TEXTS,
    PS_FACT_IS_NUMBERS
} PsFactType;

typedef struct {
    guint16 n;
} PsTextFact;
typedef struct {
    guint16 n;
} PsFlagFact;
typedef struct {
    guint16 n;
} PsCountFact;
typedef struct {
    guint16 n;
} PsExactFact;
typedef struct {
    guint16 n;
} PsNumberFact;
typedef struct {
    guint16 n;
} PsAnyFact;
typedef struct {
    guint16 n;
} PsGroupFact;

/* A row of the table. */
typedef struct {
    const char *key;
    const char *heading; /* above a sentence, or a column of CSV; NULL: none */
    PsFactType type;
} PsFactRow;

/* One fact of a tree; its members follow it up to `end`. */
typedef struct {
    const char *key; /* NULL: an item of a list */
    PsFactType type;
    guint16 fact;   /* its number in the table; 0xffff of an item, and of an entry */
    gboolean known; /* else it has no value, and no members */
    guint end;      /* the number of the fact behind it and all its members */
    union {
        char *text;
        gboolean flag;
        gint64 count;
        double number;
        PsRational exact;
    } value;
} PsFact;

typedef struct PsTold PsTold;

G_BEGIN_DECLS
#pragma GCC visibility push(default)

PsTold *ps_told_new(void);
void ps_told_free(PsTold *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTold, ps_told_free)

/* ---- telling ------------------------------------------------------------------------------- */

void ps_tell_text(PsTold *facts, PsTextFact fact, const char *text); /* copied; NULL: not known */
void ps_tell_flag(PsTold *facts, PsFlagFact fact, gboolean flag);
void ps_tell_count(PsTold *facts, PsCountFact fact, gint64 count);
void ps_tell_exact(PsTold *facts, PsExactFact fact, PsRational exact);
void ps_tell_number(PsTold *facts, PsNumberFact fact, double number); /* not finite: not known */

/* The fact by what its id takes: ps_tell(facts, PS_FACT_LAUNCH_OCCUPANCY, 0.5). */
#define ps_tell(facts, fact, value)                                                                \
    _Generic((fact), PsTextFact                                                                    \
             : ps_tell_text, PsFlagFact                                                            \
             : ps_tell_flag, PsCountFact                                                           \
             : ps_tell_count, PsExactFact                                                          \
             : ps_tell_exact, PsNumberFact                                                         \
             : ps_tell_number)(facts, fact, value)

/* Tells a text, unless it is NULL, and frees it. */
void ps_tell_taken(PsTold *facts, PsTextFact fact, char *text);

/* Tells a value for which 0 means not known, and a count that is at least 1 if it is known. */
void ps_tell_stated(PsTold *facts, PsExactFact fact, PsRational exact);
void ps_tell_positive(PsTold *facts, PsCountFact fact, gint64 count);

/* A value of whatever type that fact of another tree has; NULL, or a group: not known. */
void ps_tell_any(PsTold *facts, PsAnyFact fact, const PsFact *from);

/* A fact of any type that is not known: its id's number. */
void ps_tell_unknown(PsTold *facts, guint16 fact);

void ps_tell_open(PsTold *facts, PsGroupFact fact);
void ps_tell_close(PsTold *facts);

/* A row, or an object, of the list that is open; closed like a group. */
void ps_tell_item(PsTold *facts);

/* A name, text or number of those that are open. */
void ps_tell_item_text(PsTold *facts, const char *text);
void ps_tell_item_count(PsTold *facts, gint64 count);
void ps_tell_item_number(PsTold *facts, double number);

/* An entry of those that are open; key is borrowed as long as the facts live. */
void ps_tell_entry(PsTold *facts, const char *key); /* a row; closed like a group */
void ps_tell_entry_text(PsTold *facts, const char *key, const char *text); /* copied */
void ps_tell_entry_flag(PsTold *facts, const char *key, gboolean flag);
void ps_tell_entry_exact(PsTold *facts, const char *key, PsRational exact);
void ps_tell_entry_figure(PsTold *facts, const char *key, double number);
void ps_tell_entry_number(PsTold *facts, const char *key, double number);
void ps_tell_entry_whole(PsTold *facts, const char *key, double number);

/* A fact of another tree with its members, once more; or all of that tree's, as members of what is
 * open. Keys stay borrowed. */
void ps_tell_again(PsTold *facts, const PsTold *from, guint i);
void ps_tell_members(PsTold *facts, const PsTold *from);

/* The first such group of another tree, if it has one. */
void ps_tell_found(PsTold *facts, const PsTold *from, PsGroupFact fact);

/* ---- reading ------------------------------------------------------------------------------- */

/* The number of facts; the first is number 0, and `end` is its next sibling. */
guint ps_told_length(const PsTold *facts);
const PsFact *ps_told_at(const PsTold *facts, guint i);

/* The fact of that number in the table, the first of them; NULL: it was not told, or is not
 * known. Borrowed. */
const PsFact *ps_told_find(const PsTold *facts, guint16 fact);

/* The text of a fact, NULL if there is none or it is empty; and its heading. Borrowed. */
const char *ps_told_text(const PsTold *facts, PsTextFact fact);
const char *ps_fact_heading(PsTextFact fact);

/* What a fact is: a name or a sentence; a number, which has ten digits or more. Neither is a count
 * nor exact. */
gboolean ps_fact_is_text(const PsFact *fact);
gboolean ps_fact_is_number(const PsFact *fact);

/* The number that a fact has, of whichever type; NaN: it has none, is not known, or is NULL. */
double ps_fact_number(const PsFact *fact);

/* The head of the fact's column in CSV: its heading, or its key. Borrowed. */
const char *ps_fact_column(guint16 fact);

#pragma GCC visibility pop
G_END_DECLS

extern const PsFactRow ps_fact_table[];

#include "tell/fact-ids.h"

#endif
