/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comma-separated values, quoted as RFC 4180 says but with the line ends of this system: writing a
 * field, and reading a file row by row in bounded memory, whatever is in it.
 */
#ifndef PIPESIM_CLI_REPORT_CSV_H
#define PIPESIM_CLI_REPORT_CSV_H

#include <glib.h>
#include <stdio.h>

/* Appends a field to the row at the end of out (base/cell.h): quoted where it must be, and harmless
 * to spreadsheets whatever name it is. */
void csv_put(GString *out, const char *text);

/* How many fields a row has. */
guint csv_fields(const char *row);

/* How many bytes the first field of what is left of a row has, with its quotes. */
gsize csv_field_length(const char *row);

typedef struct {
    FILE *stream; /* borrowed */
    const char *name;
    GString *row; /* the last one, with its line end unless it was cut off */
    guint line;   /* where it begins, from 1 */
    guint next;
    goffset end; /* bytes up to the end of the last whole row */
} CsvReader;

typedef enum {
    CSV_ROW,
    CSV_CUT,  /* the file ends within this row */
    CSV_END,  /* there is no further row */
    CSV_ERROR /* and *error */
} CsvState;

/* stream and name (for messages) are borrowed. */
void csv_begin(CsvReader *reader, FILE *stream, const char *name);
void csv_clear(CsvReader *reader);

/* Reads the next row, which may go over several lines. What a power cut leaves behind the end of a
 * file, bytes of zero, counts as cut off. */
CsvState csv_next(CsvReader *reader, GError **error);

#endif
