/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views: which facts a table shows, in which order, under which head, and how they are written.
 * tell/views.table has them; its head says what their parts mean. Renderers read them: a row after
 * the other, and in a row the fact of each column.
 */
#ifndef PIPESIM_TELL_VIEW_H
#define PIPESIM_TELL_VIEW_H

#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define PS_VIEW_NO_FACT G_MAXUINT16

/* How the cells of a column are written. */
typedef enum {
    PS_CELL_VALUE,
    PS_CELL_PLAIN,
    PS_CELL_PRECISE,
    PS_CELL_WORD,
    PS_CELL_INSIDE,
    PS_CELL_ENTRIES,
    /* for people */
    PS_CELL_NAME,
    PS_CELL_CHIP,
    PS_CELL_NUMBER,
    PS_CELL_THOUSANDS,
    PS_CELL_ROUNDED,
    PS_CELL_CYCLES,
    PS_CELL_OF,
    PS_CELL_INTERVAL,
    PS_CELL_SHARE,
    PS_CELL_PART
} PsCellType;

enum {
    PS_VIEW_OUTER = 1 << 0,    /* what is told before the rows */
    PS_VIEW_MAY_LACK = 1 << 1, /* a cell may be empty */
    PS_VIEW_SIGNED = 1 << 2,   /* a number may be negative */
    PS_VIEW_LEFT = 1 << 3,     /* aligned to the left */
    PS_VIEW_ITEMS = 1 << 4,    /* empty in a row that is no item of a list */
    PS_VIEW_OPTIONAL = 1 << 5, /* left out where no row has anything */
    PS_VIEW_BOTH = 1 << 6,     /* a sentence that is said of the what-if, too, where it differs */
    PS_VIEW_KEY = 1 << 7,      /* what rows of two trees are joined by (join.h): a text */
    PS_VIEW_LABEL = 1 << 8,    /* what people call such a row, behind the head of a column */
    PS_VIEW_ONLY = 1 << 9      /* the flag, where it is not set, empties the cell */
};

typedef struct {
    const char *head; /* NULL: that of the fact */
    guint16 facts[2]; /* PS_VIEW_NO_FACT: none, and no second one */
    guint16 within;   /* the group that they are looked for in; PS_VIEW_NO_FACT: the row */
    guint16 when;     /* the group without which there is no such column */
    guint16 unless;   /* the flag that empties the cell where it is set, or with ONLY is not */
    PsCellType type;
    guint flags;
} PsViewColumn;

/* A list, or a group that is one row. */
typedef struct {
    guint16 fact;
    const char *word; /* what a column of that type has; NULL: nothing */
} PsViewRows;

typedef struct {
    const PsViewRows *rows;
    guint n_rows; /* 0: all facts are one row */
    const PsViewColumn *columns;
    guint n_columns;
} PsView;

extern const PsView ps_views[];

/* A row of a view: the facts from `at` up to `end`. Zero but for view and facts before the first.
 */
typedef struct {
    const PsView *view;
    const PsTold *facts;
    guint at, end;
    guint group;      /* the list that the row is in, or the row itself */
    guint list_end;   /* the fact behind that list */
    const char *word; /* of its list */
    gboolean begun;
} PsViewRow;

/* Goes on to the next row; FALSE: there is none. */
gboolean ps_view_next(PsViewRow *row);

/* The column's i-th fact, 0 or 1, of that row, which may be not known; NULL: it was not told.
 * Borrowed. */
const PsFact *ps_view_fact(const PsViewRow *row, const PsViewColumn *column, guint i);

/* The number of the first member of that group of the row's facts; 0 where it is NULL. */
guint ps_view_first(const PsViewRow *row, const PsFact *group);

/* Whether the row stands within the column's first fact, a group. */
gboolean ps_view_is_inside(const PsViewRow *row, const PsViewColumn *column);

/* Whether facts have a column: all but those of a group that was not told. */
gboolean ps_view_has(const PsTold *facts, const PsViewColumn *column);

/* Whether the column's flag empties its cell in that row. */
gboolean ps_view_is_emptied(const PsViewRow *row, const PsViewColumn *column);

#pragma GCC visibility pop
G_END_DECLS
#endif
