/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comma-separated values, quoted as RFC 4180 says but with the line ends of this system: writing a
 * field, and reading a file row by row in bounded memory, whatever is in it.
 */
#ifndef PIPESIM_BASE_CSV_LINES_H
#define PIPESIM_BASE_CSV_LINES_H

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Appends a field to the row at the end of out (base/cell.h): quoted where it must be, and harmless
 * to spreadsheets whatever name it is. */
void ps_csv_add(GString *out, const char *text);

/* How many fields a row has. */
guint ps_csv_count(const char *row);

/* The bytes of the first field in the rest of a row, with its quotes. */
gsize ps_csv_field_length(const char *row);

typedef struct {
    FILE *stream; /* borrowed */
    const char *name;
    GString *row; /* the last one, with its line end unless it was cut off */
    guint line;   /* the line where it begins, from 1 */
    guint next;
    goffset end; /* bytes up to the end of the last whole row */
} PsCsvLines;

typedef enum {
    PS_CSV_LINES_ROW,
    PS_CSV_LINES_CUT,  /* the file ends within the row */
    PS_CSV_LINES_END,  /* there is no further row */
    PS_CSV_LINES_ERROR /* the file cannot be read; *error is set */
} PsCsvLinesState;

/* stream and name (for messages) are borrowed. */
void ps_csv_lines_begin(PsCsvLines *reader, FILE *stream, const char *name);
void ps_csv_lines_clear(PsCsvLines *reader);

/* Reads the next row, which may go over several lines. Bytes of zero at the end of a file, which a
 * power cut leaves, count as cut off. */
PsCsvLinesState ps_csv_lines_next(PsCsvLines *reader, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
