/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the files around raw samples: the columns of the file, and finding rows
 * again.
 *
 * A raw file is CSV. Its first line names the columns, rows that begin with "device" describe the
 * device, rows that begin with "run" hold one run each.
 */
#ifndef PIPESIM_LATENCY_BENCH_RAW_PRIVATE_H
#define PIPESIM_LATENCY_BENCH_RAW_PRIVATE_H

#include "base/csv.h"
#include "latency-bench/bench.h"

/* The longest text in bytes, and the most rows, that are read. */
#define PS_RAW_MAX_TEXT 1000
#define PS_RAW_MAX_ROWS (1024 * 1024)

/* The time at which a file was begun, for g_date_time_format. */
#define PS_RAW_WHEN "%Y-%m-%dT%H:%M:%SZ"

/* ---- values and their texts ---------------------------------------------------------------- */

typedef enum {
    PS_RAW_NAME,     /* char *, not empty */
    PS_RAW_CLASS,    /* char *, as classes are named */
    PS_RAW_TEXT,     /* char *; empty is NULL */
    PS_RAW_KIND,     /* PsBenchKind */
    PS_RAW_INT,      /* gint64 */
    PS_RAW_AMOUNT,   /* double, not below 0 */
    PS_RAW_SAMPLE,   /* double, above 0; empty is NaN */
    PS_RAW_RATIONAL, /* PsRational, not below 0 */
    PS_RAW_FLAG,     /* gboolean */
} PsRawType;

/* A value in a struct, and how it stands in the file. */
typedef struct {
    const char *name;
    PsRawType type;
    gsize offset; /* in PsRawRow, or in PsRaw */
    gint64 min, max;
} PsRawField;

#define PS_RAW_N_COLUMNS 22      /* of a run, behind the word "run" */
#define PS_RAW_FEWEST_COLUMNS 18 /* files from before footprints were stated end here */
#define PS_RAW_N_DEVICE 27

extern const PsRawField ps_raw_columns[PS_RAW_N_COLUMNS]; /* of PsRawRow */
extern const PsRawField ps_raw_device[PS_RAW_N_DEVICE];   /* of PsRaw: device, and when */

/* Appends the field of the struct, quoted if it must be. */
void ps_raw_put(GString *row, const void *of, const PsRawField *field);

/* Appends a whole line: the names of the columns, the i-th thing that is known of the device, a
 * run. */
void ps_raw_put_header(GString *out);
void ps_raw_put_device(GString *out, const PsRaw *raw, guint i);
void ps_raw_put_run(GString *out, const PsRawRow *row);

/* Sets the field of the struct. Else the result says what is wrong with the text (g_free). */
char *ps_raw_take(const char *text, void *of, const PsRawField *field);

/* The same text as one line of UTF-8 of at most PS_RAW_MAX_TEXT bytes, as files have it (g_free);
 * NULL gives NULL. */
char *ps_raw_clean(const char *text);

/* ---- rows ---------------------------------------------------------------------------------- */

PsRaw *ps_raw_new(const char *path);
void ps_raw_row_free(PsRawRow *row);

/* Fills in what a row says of its kernel; texts are copied. */
void ps_raw_row_set(PsRawRow *row, const PsBenchKernel *kernel);

/* Rows by kernel, launch and repeat; borrowed. */
typedef struct PsRawIndex PsRawIndex;
PsRawIndex *ps_raw_index_new(void);
void ps_raw_index_free(PsRawIndex *index);
/* FALSE if there is such a row already: it stays. */
gboolean ps_raw_index_add(PsRawIndex *index, const PsRawRow *row);
/* The run, or NULL. launch->repeat counts. */
const PsRawRow *ps_raw_index_run(const PsRawIndex *index, const char *kernel,
                                 const PsBenchLaunch *launch);
/* The row with the reason why there are no runs of this launch, or (launch NULL) of this kernel; or
 * NULL. */
const PsRawRow *ps_raw_index_problem(const PsRawIndex *index, const char *kernel,
                                     const PsBenchLaunch *launch);

/* ---- files --------------------------------------------------------------------------------- */

/* Like ps_raw_load, of a file in which there may be nothing yet but a part of what every file
 * begins with: *is_begun then, and NULL without *error. */
PsRaw *ps_raw_open(const char *path, gboolean *is_begun, GError **error);

/* TRUE if a file is, up to where it is cut off, as a writer on the device of `here` would have
 * written it with plans such as these. there: the samples that were read from it; NULL if it was
 * only begun. Else *error (PS_ERROR_VALUE) names file, line and column of the difference. */
gboolean ps_raw_check_resume(const char *path, const PsRaw *there, const PsRaw *here,
                             const GPtrArray *plans, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRawIndex, ps_raw_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRawRow, ps_raw_row_free)

#endif
