/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of databases, and names by number: see database.h. */
#include "roofline/import/database-private.h"

#include <math.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------- */

struct PsRows {
    PsDatabase *database;
    sqlite3_stmt *statement;
    PsSelect select; /* the select; its texts are borrowed, except the table's name */
    int number;
    gint64 key;
};

static gboolean check_table(PsDatabase *database, const char *table, GError **error)
{
    gboolean has;
    int root;
    if (!ps_database_find(database, table, &has, &root, error))
        return FALSE;
    if (root > 0)
        return TRUE;
    ps_error_at(error, PS_ERROR_SYNTAX, ps_database_place(database),
                has ? "%s is no table in this SQLite database, as it is where the profiler wrote it"
                    : "the table %s is missing in this SQLite database",
                table);
    return FALSE;
}

/* Adds the name of a table or column. Names are constants of this program, except for a table's
 * ending, in which quotes are doubled. */
static void add_name(GString *query, const char *name)
{
    char *quoted = sqlite3_mprintf("\"%w\"", name);
    g_string_append(query, quoted);
    sqlite3_free(quoted);
}

/* TRUE if a table has the column. A computed column does not count, since the file says how to
 * compute it. */
static gboolean has_column(PsDatabase *database, const char *table, const char *column)
{
    enum { NAME = 1, HIDDEN = 6 };
    char *query = sqlite3_mprintf("PRAGMA main.table_xinfo(%Q)", table);
    sqlite3_stmt *columns = ps_database_prepare(database, query, NULL);
    gboolean has = FALSE;
    while (columns && !has && sqlite3_step(columns) == SQLITE_ROW)
        has = sqlite3_column_int(columns, HIDDEN) == 0 &&
              g_strcmp0((const char *)sqlite3_column_text(columns, NAME), column) == 0;
    sqlite3_finalize(columns);
    sqlite3_free(query);
    return has;
}

static gboolean add_column(PsDatabase *database, const char *table, const char *column,
                           GString *query, GError **error)
{
    const gboolean may_lack = *column == '?';
    column += may_lack;
    const gboolean has = has_column(database, table, column);
    if (has)
        add_name(query, column);
    else if (may_lack)
        g_string_append(query, "NULL");
    else
        ps_error_at(error, PS_ERROR_SYNTAX, ps_database_place(database),
                    "the table %s has no column %s: it is not the profiler's, or of a version that "
                    "pipesim does not know",
                    table, column);
    return has || may_lack;
}

static char *query_of(PsDatabase *database, const PsSelect *select, GError **error)
{
    g_autoptr(GString) query = g_string_new("SELECT ");
    if (!check_table(database, select->table, error))
        return NULL;
    for (guint i = 0; i < PS_SELECT_COLUMNS && select->columns[i]; i++) {
        g_string_append(query, i ? ", " : "");
        if (!add_column(database, select->table, select->columns[i], query, error))
            return NULL;
    }
    g_string_append(query, " FROM main.");
    add_name(query, select->table);
    if (select->key || select->order) {
        const char *column = select->key ? select->key : select->order;
        g_string_append(query, select->key ? " WHERE " : " ORDER BY ");
        if (!add_column(database, select->table, column, query, error))
            return NULL;
        g_string_append(query, select->key ? " = ?1" : "");
    }
    return g_string_free(g_steal_pointer(&query), FALSE);
}

PsRows *ps_rows_new(PsDatabase *database, const PsSelect *select, GError **error)
{
    g_autofree char *query = query_of(database, select, error);
    sqlite3_stmt *statement = query ? ps_database_prepare(database, query, error) : NULL;
    if (!statement)
        return NULL;
    PsRows *rows = g_new0(PsRows, 1);
    rows->database = database;
    rows->statement = statement;
    rows->select = *select;
    rows->select.table = g_strdup(select->table);
    return rows;
}

void ps_rows_free(PsRows *rows)
{
    if (!rows)
        return;
    sqlite3_finalize(rows->statement);
    g_free((char *)rows->select.table);
    g_free(rows);
}

void ps_rows_seek(PsRows *rows, gint64 key)
{
    sqlite3_reset(rows->statement);
    sqlite3_bind_int64(rows->statement, 1, key);
    rows->number = 0;
    rows->key = key;
}

gboolean ps_rows_next(PsRows *rows, gboolean *more, GError **error)
{
    const int state = sqlite3_step(rows->statement);
    *more = state == SQLITE_ROW;
    rows->number += *more && rows->number < G_MAXINT;
    return state == SQLITE_ROW || state == SQLITE_DONE || ps_database_fail(rows->database, error);
}

int ps_rows_number(const PsRows *rows)
{
    return rows->number;
}

gboolean ps_rows_error(const PsRows *rows, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const PsPlace place = ps_database_place(rows->database);
    if (rows->select.key)
        ps_error_at(error, PS_ERROR_VALUE, place, "%s, %s %" G_GINT64_FORMAT ": %s",
                    rows->select.table, rows->select.key, rows->key, what);
    else
        ps_error_at(error, PS_ERROR_VALUE, place, "%s, row %d: %s", rows->select.table,
                    rows->number, what);
    return FALSE;
}

/* ---- values -------------------------------------------------------------------------------- */

static const char *column_name(const PsRows *rows, int column)
{
    const char *name = rows->select.columns[column];
    return name + (*name == '?');
}

gboolean ps_rows_is_null(const PsRows *rows, int column)
{
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

static gboolean wrong_type(const PsRows *rows, int column, const char *wanted, GError **error)
{
    static const char *const names[] = {[SQLITE_INTEGER] = "a whole number",
                                        [SQLITE_FLOAT] = "a number with decimals",
                                        [SQLITE_TEXT] = "a text",
                                        [SQLITE_BLOB] = "bytes",
                                        [SQLITE_NULL] = "nothing"};
    return ps_rows_error(rows, error, "%s is %s where %s is due", column_name(rows, column),
                         names[sqlite3_column_type(rows->statement, column)], wanted);
}

gboolean ps_rows_integer(const PsRows *rows, int column, gint64 *value, GError **error)
{
    if (sqlite3_column_type(rows->statement, column) != SQLITE_INTEGER)
        return wrong_type(rows, column, "a whole number", error);
    *value = sqlite3_column_int64(rows->statement, column);
    return *value >= 0 ||
           ps_rows_error(rows, error, "%s is %" G_GINT64_FORMAT " and must not be negative",
                         column_name(rows, column), *value);
}

gboolean ps_rows_count(const PsRows *rows, int column, double *value, GError **error)
{
    const int type = sqlite3_column_type(rows->statement, column);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return wrong_type(rows, column, "a number", error);
    *value = sqlite3_column_double(rows->statement, column);
    if (*value < 0 || isinf(*value))
        return ps_rows_error(rows, error, "%s is %s", column_name(rows, column),
                             *value < 0 ? "negative, and no count can be"
                                        : "too large for a number");
    return TRUE;
}

gboolean ps_rows_check_times(const PsRows *rows, gint64 start, gint64 end, GError **error)
{
    return end > start || ps_rows_error(rows, error,
                                        "end is %" G_GINT64_FORMAT ", but start %" G_GINT64_FORMAT
                                        ": a kernel takes more than 0",
                                        end, start);
}

const char *ps_rows_text(const PsRows *rows, int column)
{
    return sqlite3_column_type(rows->statement, column) == SQLITE_TEXT
               ? (const char *)sqlite3_column_text(rows->statement, column)
               : NULL;
}

/* ---- names --------------------------------------------------------------------------------- */

struct PsNames {
    PsRows *rows;
    GHashTable *known; /* gint64 * -> char * */
};

PsNames *ps_names_new(PsDatabase *database, const PsSelect *select, GError **error)
{
    PsRows *rows = ps_rows_new(database, select, error);
    if (!rows)
        return NULL;
    PsNames *names = g_new(PsNames, 1);
    names->rows = rows;
    names->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return names;
}

void ps_names_free(PsNames *names)
{
    if (!names)
        return;
    ps_rows_free(names->rows);
    g_hash_table_destroy(names->known);
    g_free(names);
}

const char *ps_names_get(PsNames *names, gint64 number, GError **error)
{
    PsRows *rows = names->rows;
    const char *text = g_hash_table_lookup(names->known, &number);
    gboolean more;
    if (text)
        return text;
    ps_rows_seek(rows, number);
    if (!ps_rows_next(rows, &more, error))
        return NULL;
    for (int i = 0; more && rows->select.columns[i] && !(text && *text); i++)
        text = ps_rows_text(rows, i);
    if (!text || !*text) {
        ps_rows_error(rows, error, "%s",
                      more ? "there is no text here, and a name is due" : "there is no such row");
        return NULL;
    }
    char *copy = g_strdup(text);
    g_hash_table_insert(names->known, g_memdup2(&number, sizeof number), copy);
    return copy;
}
