/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CSV of a sweep: a row for each point, in order, also for one that failed (its results are
 * empty), so that row and point can be matched. Every row ends with a column `check`, a sum over
 * what stands before it, and a column `sweep`, which is the same for two sweeps only if they give
 * the same rows; a part that --shard makes has three columns more (shard, point, points), which
 * --merge takes off again.
 *
 * So a file says by itself which sweep it is of, and that nobody has changed it: --resume and
 * --merge need nothing beside it, and both end with the bytes that one uninterrupted sweep writes.
 */
#ifndef PIPESIM_SWEEP_CSV_H
#define PIPESIM_SWEEP_CSV_H

#include "base/csv-lines.h"
#include "sweep/plan.h"
#include "sweep/point.h"
#include "tell/reported.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What the rows of a part have in addition, as the header says it. */
#define PS_SWEEP_CSV_ID ",check,sweep"

/* Before these, where code is varied: why a point has no results. */
#define PS_SWEEP_CSV_ERROR ",error"
#define PS_SWEEP_CSV_PART ",shard,point,points"

/* What the whole file has in common. */
typedef struct {
    const PsSweepAsked *asked;
    gboolean code; /* which is varied */
    char *id;    /* of the column sweep; NULL: rows lack it and `check`, and are not gone on with */
    guint total; /* points of the whole sweep */
    char *header;  /* with its line end */
    PsTold *facts; /* that all rows have in common */
    guint columns; /* of the header */
} PsSweepCsv;

/* The plan must live as long. */
PsSweepCsv *ps_sweep_csv_new(const PsSweepPlan *plan);
void ps_sweep_csv_free(PsSweepCsv *csv);

void ps_sweep_csv_row(const PsSweepCsv *csv, const PsSweepPoint *point, const PsReported *report,
                      GString *out);

/* why: of code that is varied. */
void ps_sweep_csv_failed(const PsSweepCsv *csv, const PsSweepPoint *point, const char *why,
                         GString *out);

/* What a row that was read is to a point. */
typedef enum {
    PS_SWEEP_ROW_DONE,
    PS_SWEEP_ROW_FAILED, /* it is that of the point, and says that the point failed */
    PS_SWEEP_ROW_OTHER,  /* it is another one */
    PS_SWEEP_ROW_BROKEN, /* it is that of the point, with cells that no sweep writes */
} PsSweepRow;

/* *at: the byte in the row where what is other or broken begins; *why says what is broken
 * (g_free). */
PsSweepRow ps_sweep_csv_check(const PsSweepCsv *csv, const PsSweepPoint *point, const char *row,
                              gsize *at, char **why);

/* Whether a row that was cut off is the beginning of that of the point. */
gboolean ps_sweep_csv_begins(const PsSweepCsv *csv, const PsSweepPoint *point, const char *row);

/* The column check, of the first so many bytes of a row (g_free). */
char *ps_sweep_csv_sum(const char *row, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepCsv, ps_sweep_csv_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
