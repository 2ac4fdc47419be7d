/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two trees of facts as one: A's and B's facts of a view beside each other. Each tree is told like
 * any other. A view without rows gives one pair for each of its columns. In a view of rows, rows
 * with one key (the column `key` of tell/views.table) are one row; rows come in A's order, then
 * those of B alone, in B's order.
 */
#ifndef PIPESIM_TELL_JOIN_H
#define PIPESIM_TELL_JOIN_H

#include "tell/facts.h"
#include "tell/view-ids.h"
#include "tell/view.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A fact of both trees; all is borrowed from them. */
typedef struct {
    const PsViewColumn *column;
    PsViewRow rows[2];      /* the fact's place in A and B; a row that one side lacks is empty */
    const char *key;        /* of both rows, or of an entry; NULL: all facts are one row */
    const PsFact *facts[2]; /* NULL: that side was not told the fact, or lacks the row */
} PsJoined;

typedef void (*PsEachJoined)(const PsJoined *joined, void *data);

/* Calls for each column of the view in each row, where A or B tells its fact. Columns of type
 * entries give a pair for each key among the entries. */
void ps_join(PsViewId view, const PsTold *a, const PsTold *b, PsEachJoined each, void *data);

/* What programs call it: the key, or the head of the column. Borrowed from the facts. */
const char *ps_joined_name(const PsJoined *joined);

/* B's value less A's, and B's as a multiple of A's; NaN if either is no number or not known, and a
 * ratio also if one of them is not above zero. */
double ps_joined_difference(const PsJoined *joined);
double ps_joined_ratio(const PsJoined *joined);

/* Tells the pairs as items of the list that is open, whose facts are those of the part `joined`. */
void ps_tell_joined(PsTold *facts, PsViewId view, const PsTold *a, const PsTold *b);

#pragma GCC visibility pop
G_END_DECLS

#endif
