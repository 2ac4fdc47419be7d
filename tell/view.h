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
    PS_CELL_PART,
    PS_CELL_SCALED,
    PS_CELL_LATENCY,
    PS_CELL_CHANGE,
    PS_CELL_ELASTICITY,
    PS_CELL_NEAR,
    PS_CELL_BESIDE,
    PS_CELL_ARROW,
    PS_CELL_DURATION,
    PS_CELL_COMMON,
    PS_CELL_ESTIMATE,
    PS_CELL_PLACE,
    PS_CELL_PERCENT,
    PS_CELL_BILLIONS,
    PS_CELL_KEYED,
    PS_CELL_STARRED
} PsCellType;

enum {
    PS_VIEW_OUTER = 1 << 0,    /* what is told before the rows */
    PS_VIEW_MAY_LACK = 1 << 1, /* a cell may be empty */
    PS_VIEW_SIGNED = 1 << 2,   /* a number may be negative, and people see its sign */
    PS_VIEW_LEFT = 1 << 3,     /* aligned to the left */
    PS_VIEW_ITEMS = 1 << 4,    /* empty in a row that is no item of a list */
    PS_VIEW_OPTIONAL = 1 << 5, /* left out if no row has a value */
    PS_VIEW_BOTH = 1 << 6,     /* a sentence that is also shown of the what-if, if it differs */
    PS_VIEW_KEY = 1 << 7,      /* what rows of two trees are joined by (join.h): a text */
    PS_VIEW_LABEL = 1 << 8,    /* what people call such a row, behind the head of a column */
    PS_VIEW_ONLY = 1 << 9,     /* the flag empties the cell if it is not set */
    PS_VIEW_BLANK = 1 << 10,   /* what is not known is an empty cell, and no dash */
    PS_VIEW_OTHER = 1 << 11,   /* the cell of the what-if's row; no column without a what-if */
    PS_VIEW_ALONE = 1 << 12,   /* no column with a what-if */
    PS_VIEW_BECOMES = 1 << 13, /* the what-if's value behind an arrow, if it differs */
    PS_VIEW_SUM = 1 << 14,     /* has a sum of the rows that are left out */
    PS_VIEW_UNRATED = 1 << 15, /* of two trees: without the ratio */
    PS_VIEW_HIDDEN = 1 << 16,  /* no column: rows are joined by it alone */
    PS_VIEW_WIDE = 1 << 17,    /* a column that is shown if there is room */
    PS_VIEW_ONCE = 1 << 18,    /* empty but in the first row of its list */
    PS_VIEW_SEVERAL = 1 << 19  /* no column if no list has several rows */
};

/* How a table is set, in text. */
enum {
    PS_VIEW_TIGHT = 1 << 0,      /* long names are shortened, and columns stand close if need be */
    PS_VIEW_HEADLESS = 1 << 1,   /* without the row of heads */
    PS_VIEW_KEEPS_ROWS = 1 << 2, /* each row is one line, however long */
    PS_VIEW_DOWN = 1 << 3        /* each column is a row (view-down.c) */
};

/* What a value is called; the last of a list has no value. */
typedef struct {
    const char *value, *word;
} PsViewWord;

typedef struct {
    const char *head; /* NULL: the fact's own head */
    guint16 facts[2]; /* PS_VIEW_NO_FACT: none, and no second one */
    guint16 within;   /* the group that they are looked for in; PS_VIEW_NO_FACT: the row */
    guint16 when;     /* the group without which the column is not there */
    guint16 unless;   /* the flag that empties the cell if it is set, or with ONLY if it is not */
    PsCellType type;
    guint flags;
    const PsViewWord *words; /* what values are called; NULL: as they are */
    const char *instead;     /* what an emptied cell has; NULL: a dash */
} PsViewColumn;

/* A list, or a group that is one row. */
typedef struct {
    guint16 fact;
    const char *word; /* what a column of that type has; NULL: nothing */
    guint most;       /* rows that are shown; 0: all */
    guint16 by;       /* of more, those with the largest of these; PS_VIEW_NO_FACT: the first */
    gboolean others;  /* a row has the sums of those that are left out */
    gboolean if_any;  /* rows whose numbers are all zero or not known are left out */
} PsViewRows;

typedef struct {
    const PsViewRows *rows;
    guint n_rows; /* 0: all facts are one row */
    const PsViewColumn *columns;
    guint n_columns;
    const char *title; /* NULL: none */
    const char *more;  /* what is said of rows that are left out, behind their number */
    guint set;         /* how, PS_VIEW_TIGHT ... */
} PsView;

extern const PsView ps_views[];

/* A row of a view: the facts from `at` up to `end`. Zero but for view and facts before the first.
 */
typedef struct {
    const PsView *view;
    const PsTold *facts;
    guint at, end;
    guint group;            /* the list that the row is in, or the row itself */
    guint list_end;         /* the fact behind that list */
    const PsViewRows *rows; /* the row's line of the view; NULL: the view has none */
    gboolean begun;
} PsViewRow;

/* Goes on to the next row; FALSE: there is none. */
gboolean ps_view_next(PsViewRow *row);

/* The column's i-th fact, 0 or 1, of that row, which may be not known; NULL: it was not told.
 * Borrowed. */
const PsFact *ps_view_fact(const PsViewRow *row, const PsViewColumn *column, guint i);

/* The number of the first member of that group in the row's facts; 0 if it is NULL. */
guint ps_view_first(const PsViewRow *row, const PsFact *group);

/* Whether the row stands within the column's first fact, a group. */
gboolean ps_view_is_inside(const PsViewRow *row, const PsViewColumn *column);

/* TRUE if facts have a column: its group was told. */
gboolean ps_view_has(const PsTold *facts, const PsViewColumn *column);

/* The key of an entry that is the row; NULL: the row is no entry. */
const char *ps_view_entry(const PsViewRow *row);

/* The word of the row's list; NULL: it has none. */
const char *ps_view_word(const PsViewRow *row);

/* The row's number in its list, from 1; 0: the row is in no list. */
guint ps_view_place(const PsViewRow *row);

/* Whether the row is an item of a list. */
gboolean ps_view_is_item(const PsViewRow *row);

/* The text that rows of two trees are joined by; NULL: the view has no key, or the row does not
 * tell it. Borrowed. */
const char *ps_view_key(const PsViewRow *row);

/* All rows of a tree (PsViewRow; g_array_unref). */
GArray *ps_view_rows(const PsView *view, const PsTold *facts);

/* Whether the column's flag empties its cell in that row. */
gboolean ps_view_is_emptied(const PsViewRow *row, const PsViewColumn *column);

#pragma GCC visibility pop
G_END_DECLS
#endif
