/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comma-separated values as other programs write them, row by row: RFC 4180 quotes, LF or CR LF, a
 * byte order mark, other text before and between the rows. Bounded memory whatever the file holds;
 * fast, because profiles have a hundred megabytes: fields are split within the buffer.
 *
 * Not for sweeps that are to be continued: base/csv-lines.h keeps rows as they are and knows where
 * in the file they end.
 */
#ifndef PIPESIM_BASE_CSV_H
#define PIPESIM_BASE_CSV_H

#include "base/progress.h"

/* The longest row in bytes; a longer one is an error. */
#define PS_CSV_MAX_ROW (1 << 20)

typedef struct {
    char *text;   /* without its quotes, or an apostrophe of base/cell.h; a zero follows */
    guint length; /* in bytes */
    gboolean quoted;
} PsCsvField;

typedef struct PsCsv PsCsv;

/* The present row of a reader. Members after the public ones are the reader's own. */
struct PsCsv {
    const char *name; /* the file's name, for messages */
    int line;         /* the line where the row begins, from 1; 0 before the first */
    char *text;       /* the line as it is, without its line end; spoilt by ps_csv_split */
    gsize length;
    PsCsvField *fields; /* after ps_csv_split */
    guint n_fields;
    char separator;     /* between fields: a comma, or what the caller sets */
    gboolean is_cut;    /* the file ends here without a line end */
    gboolean is_binary; /* a byte of zero was seen */
    gboolean may_lose;  /* set by the caller: bytes of zero up to the end of the file are what a
                           power  cut has left, and the text is cut off before them */
    gboolean is_lost;   /* such bytes were seen */
    PsHearer progress;  /* set by the caller: hears how much of the file is read */
};

typedef enum { PS_CSV_ROW, PS_CSV_END, PS_CSV_ERROR } PsCsvState;

/* A reader of the file at path ("-" is standard input); path is borrowed. NULL and *error
 * (PS_ERROR_READ) when it cannot be read. */
PsCsv *ps_csv_open(const char *path, GError **error);
void ps_csv_free(PsCsv *csv);

/* The text behind the present line, without reading a whole line, and in `line` the line where it
 * begins. Earlier text and fields are no longer valid; ps_csv_rest may follow. NULL and *error if
 * the file cannot be read. */
const char *ps_csv_ahead(PsCsv *csv, GError **error);

/* The next line, not split. Earlier text and fields are no longer valid. Errors: a byte of zero, a
 * row that is too long (PS_ERROR_SYNTAX), the reading itself (PS_ERROR_READ). */
PsCsvState ps_csv_line(PsCsv *csv, GError **error);

/* Splits the line into fields; reads further lines if it ends within quotes. FALSE and *error
 * (PS_ERROR_SYNTAX) if a quote does not end, or text follows it. */
gboolean ps_csv_split(PsCsv *csv, GError **error);

/* Joins n fields from `first` on into one again, with the commas between them. Does nothing if one
 * of them was quoted. */
void ps_csv_join(PsCsv *csv, guint first, guint n);

/* The rest of the file from the present line on, which must not have been split, as ps_file_read
 * returns it: *length bytes and a zero (g_free). NULL and *error where it cannot be read, or is
 * longer than max_bytes (PS_ERROR_LIMIT). */
char *ps_csv_rest(PsCsv *csv, gsize max_bytes, gsize *length, GError **error);

/* Makes an error of that code about a field of the present row, with the message "FILE:LINE:COLUMN:
 * " + format. Columns count characters from 1. */
void ps_csv_error(const PsCsv *csv, guint field, PsErrorCode code, GError **error,
                  const char *format, ...) G_GNUC_PRINTF(5, 6);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCsv, ps_csv_free)

#endif
