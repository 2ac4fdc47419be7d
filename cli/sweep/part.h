/* SPDX-License-Identifier: BSD-3-Clause */
/* One part of a sweep, as --shard made it, read row by row. */
#ifndef PIPESIM_CLI_SWEEP_PART_H
#define PIPESIM_CLI_SWEEP_PART_H

#include "cli/report/csv.h"

/* What the columns at the end of a row say. */
typedef struct {
    guint shard, shards, point, points;
} PartRow;

typedef struct {
    const char *path; /* for messages, too */
    FILE *stream;
    CsvReader reader;
    char *header;     /* without the columns that only parts have, and without its line end */
    char *id;         /* of the sweep; NULL before the first row */
    GString *text;    /* the last row, like the header */
    PartRow row;      /* what that row says */
    gboolean is_over; /* there is no such row: the file has ended */
} Part;

/* Opens the file ("-" is standard input) and reads up to its first row. NULL and *error where it is
 * no part of a sweep. Path is borrowed. */
Part *part_open(const char *path, GError **error);
void part_free(Part *part);

/* Reads the next row. FALSE and *error where it is cut off, or does not fit those before it. */
gboolean part_next(Part *part, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Part, part_free)

#endif
