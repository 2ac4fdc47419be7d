/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Databases of SQLite that other programs wrote, read without trust. Queries are ours: the file
 * gives names of tables and columns, which are compared with those that we know, and values, whose
 * types are checked. Views, triggers, virtual tables, functions and everything else that runs text
 * of the file are forbidden. Lengths and steps are bounded, nothing is written, and no lock is
 * taken.
 *
 *     rows = ps_rows_new(database, &(PsSelect){"StringIds", {"id", "value"}}, &error)
 *     while (ps_rows_next(rows, &more, &error) && more)
 *         ps_rows_integer(rows, 0, &id, &error)
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_DATABASE_H
#define PIPESIM_ROOFLINE_IMPORT_DATABASE_H

#include "base/progress.h"

typedef struct PsDatabase PsDatabase;

/* Opens a database. NULL and *error (PS_ERROR_READ, _SYNTAX) where it cannot be opened, or is being
 * written. The hearer is borrowed for the database's life. */
PsDatabase *ps_database_open(const char *path, const PsHearer *hearer, GError **error);
void ps_database_free(PsDatabase *database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsDatabase, ps_database_free)

/* TRUE if the database has a table or something else of that name. FALSE and *error if that cannot
 * be read. */
gboolean ps_database_has(PsDatabase *database, const char *name, gboolean *has, GError **error);

/* The rest of the names of tables that begin with `prefix`, in the order of the names;
 * NULL-terminated, free with g_strfreev. NULL and *error. */
char **ps_database_suffixes(PsDatabase *database, const char *prefix, GError **error);

#define PS_SELECT_COLUMNS 12

/* Columns of a table. One whose name begins with '?' may be missing: it has no values then. */
typedef struct {
    const char *table;
    const char *columns[PS_SELECT_COLUMNS]; /* NULL ends them */
    const char *key; /* column by which ps_rows_seek finds rows, and which must have a value; or */
    const char *order; /* in the order of this column; or NULL both */
} PsSelect;

typedef struct PsRows PsRows;

/* Reads a table's rows. NULL and *error (PS_ERROR_SYNTAX) if it is no table, or lacks a column. */
PsRows *ps_rows_new(PsDatabase *database, const PsSelect *select, GError **error);
void ps_rows_free(PsRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRows, ps_rows_free)

/* Begins with the rows whose key has this value. */
void ps_rows_seek(PsRows *rows, gint64 key);

/* The next row, if there is one more. FALSE and *error if it cannot be read. */
gboolean ps_rows_next(PsRows *rows, gboolean *more, GError **error);

/* The number of the present row, from 1. */
int ps_rows_number(const PsRows *rows);

gboolean ps_rows_is_null(const PsRows *rows, int column);

/* The value of a column in the present row. FALSE and *error (PS_ERROR_VALUE) for one of another
 * type, or that is negative. */
gboolean ps_rows_integer(const PsRows *rows, int column, gint64 *value, GError **error);
gboolean ps_rows_count(const PsRows *rows, int column, double *value, GError **error);

/* Checks that a kernel ends after it starts; else blames the present row. */
gboolean ps_rows_check_times(const PsRows *rows, gint64 start, gint64 end, GError **error);

/* A text, valid until the next row; NULL if there is none. */
const char *ps_rows_text(const PsRows *rows, int column);

/* Blames the present row, "FILE: TABLE, row N: " + format; FALSE, so that one can return it. */
gboolean ps_rows_error(const PsRows *rows, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Texts by number, such as names of kernels, each read once. */
typedef struct PsNames PsNames;

/* The key is the number's column; the columns are those of the text, the best first. */
PsNames *ps_names_new(PsDatabase *database, const PsSelect *select, GError **error);
void ps_names_free(PsNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsNames, ps_names_free)

/* Borrowed; NULL and *error if there is no such number, or no text with it. */
const char *ps_names_get(PsNames *names, gint64 number, GError **error);

#endif
