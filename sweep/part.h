/* SPDX-License-Identifier: BSD-3-Clause */
/* One part of a sweep, as --shard made it, read row by row. */
#ifndef PIPESIM_SWEEP_PART_H
#define PIPESIM_SWEEP_PART_H

#include "base/csv-lines.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The columns at the end of a row. */
typedef struct {
    guint shard, shards, point, points;
} PsSweepPartRow;

typedef struct {
    const char *path;   /* for messages, too */
    const char *prefix; /* of options' names in messages */
    FILE *stream;
    PsCsvLines reader;
    char *header;       /* without the columns that only parts have, and without its line end */
    char *id;           /* of the sweep; NULL before the first row */
    GString *text;      /* the last row, like the header */
    PsSweepPartRow row; /* last columns of that row */
    gboolean is_over;   /* there is no such row: the file has ended */
} PsSweepPart;

/* Opens the file ("-" is standard input) and reads up to its first row. NULL and *error where it is
 * no part of a sweep. Path and prefix are borrowed. */
PsSweepPart *ps_sweep_part_open(const char *path, const char *prefix, GError **error);
void ps_sweep_part_free(PsSweepPart *part);

/* Reads the next row. FALSE and *error where it is cut off, or does not fit those before it. */
gboolean ps_sweep_part_next(PsSweepPart *part, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepPart, ps_sweep_part_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
