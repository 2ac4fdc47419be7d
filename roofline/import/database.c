/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See database.h. The measures are those that SQLite's manual has for files of strangers, but for a
 * check of the whole file beforehand: what is damaged is found when it is read.
 */
#include "roofline/import/database.h"

#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Steps of SQLite's machine for each byte of a file, and for the least one. To read a row takes
 * some fifty, and a row has more than ten bytes; but pages that refer to each other in circles
 * would be read for ever. */
#define STEPS_PER_BYTE 100
#define LEAST_STEPS 10000000
#define STEPS_BETWEEN 10000 /* two looks at the clock */

/* Where writers of SQLite lock a file: its format says so. */
#define LOCK_BYTE 0x40000000
#define LOCK_BYTES 512

struct PsDatabase {
    char *path;
    sqlite3 *handle;
    const PsHearer *hearer;
    PsProgress progress;
    gint64 told;
    guint64 page; /* bytes */
    guint64 steps, most_steps;
    GError *stop; /* why reading was ended from outside */
};

static PsPlace place_of(const PsDatabase *database)
{
    return (PsPlace){database->path, 0};
}

/* ---- errors -------------------------------------------------------------------------------- */

/* What SQLite says, in whose messages may be names of the file. FALSE. */
static gboolean fail(PsDatabase *database, GError **error)
{
    const int code = sqlite3_errcode(database->handle);
    const char *said = sqlite3_errmsg(database->handle);
    if (database->stop)
        g_propagate_error(error, g_steal_pointer(&database->stop));
    else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR)
        ps_error_at(error, PS_ERROR_SYNTAX, place_of(database),
                    "this SQLite database is damaged or cut off, export it anew: %.200s", said);
    else
        ps_error_at(error, PS_ERROR_SYNTAX, place_of(database),
                    "this SQLite database cannot be read: %.200s", said);
    return FALSE;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Changes that were not yet written into the file itself stand beside it, in a file that does not
 * begin with a zero. */
static gboolean has_changes_beside(const char *path, const char *ending)
{
    g_autofree char *beside = g_strconcat(path, ending, NULL);
    const int fd = open(beside, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    char first = 0;
    const gboolean has = fd >= 0 && read(fd, &first, 1) == 1 && first;
    if (fd >= 0)
        close(fd);
    return has;
}

static gboolean is_locked(const char *path)
{
    struct flock lock = {
        .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = LOCK_BYTES};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    const gboolean is_locked = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
    if (fd >= 0)
        close(fd);
    return is_locked;
}

static gboolean check_idle(const char *path, GError **error)
{
    static const char *const endings[] = {"-journal", "-wal"};
    if (is_locked(path)) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){path, 0},
                    "another program is writing this SQLite database: wait until it has ended");
        return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (has_changes_beside(path, endings[i])) {
            ps_error_at(error, PS_ERROR_READ, (PsPlace){path, 0},
                        "what was last written to this SQLite database stands in %s%s: wait until "
                        "the program that writes it has ended, or have sqlite3 finish it: sqlite3 "
                        "FILE .tables",
                        path, endings[i]);
            return FALSE;
        }
    return TRUE;
}

/* What queries of ours do: they read columns of tables, and ask which there are. */
static int authorize(void *self, int action, const char *one, const char *other, const char *schema,
                     const char *view)
{
    (void)self, (void)other, (void)schema;
    const gboolean is_ours = action == SQLITE_SELECT || action == SQLITE_READ ||
                             (action == SQLITE_PRAGMA && strcmp(one, "table_xinfo") == 0);
    return is_ours && !view ? SQLITE_OK : SQLITE_DENY;
}

static gboolean tell(PsDatabase *database, GError **error)
{
    int pages = 0, highest;
    sqlite3_db_status(database->handle, SQLITE_DBSTATUS_CACHE_MISS, &pages, &highest, FALSE);
    database->progress.done = database->page * (guint64)pages;
    return ps_hearer_tell(database->hearer, &database->progress, error);
}

static int count_steps(void *self)
{
    PsDatabase *database = self;
    database->steps += STEPS_BETWEEN;
    if (database->steps > database->most_steps)
        ps_error_at(&database->stop, PS_ERROR_LIMIT, place_of(database),
                    "to read this SQLite database takes more steps than one of its size can need: "
                    "it is damaged, or lacks its indexes; export it anew");
    else if (ps_progress_is_due(&database->told))
        tell(database, &database->stop);
    return database->stop != NULL;
}

static void limit(sqlite3 *handle)
{
    static const struct {
        int what, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, 1 << 20},     {SQLITE_LIMIT_SQL_LENGTH, 1 << 17},
                  {SQLITE_LIMIT_COLUMN, 200},         {SQLITE_LIMIT_EXPR_DEPTH, 100},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 50}, {SQLITE_LIMIT_VDBE_OP, 25000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 20},    {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 1},  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    static const struct {
        int what, is_on;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_FKEY, 0}, {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
                    {SQLITE_DBCONFIG_DQS_DML, 0},     {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++)
        sqlite3_limit(handle, limits[i].what, limits[i].most);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        sqlite3_db_config(handle, settings[i].what, settings[i].is_on, NULL);
    sqlite3_drop_modules(handle, NULL);
}

static int take_page(void *self, int n, char **values, char **names)
{
    (void)n, (void)names;
    ((PsDatabase *)self)->page = g_ascii_strtoull(values[0], NULL, 10);
    return 0;
}

/* An address says what no flag of open does: that the file does not change, so that it is neither
 * locked nor looked at for changes beside it. */
static gboolean open_handle(PsDatabase *database, GError **error)
{
    g_autofree char *absolute = g_canonicalize_filename(database->path, NULL);
    g_autofree char *escaped = g_uri_escape_string(absolute, "/", FALSE);
    g_autofree char *address = g_strconcat("file://", escaped, "?immutable=1", NULL);
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(address, &database->handle, flags, NULL) != SQLITE_OK)
        return fail(database, error);
    limit(database->handle);
    if (sqlite3_exec(database->handle,
                     "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA page_size",
                     take_page, database, NULL) != SQLITE_OK)
        return fail(database, error);
    sqlite3_set_authorizer(database->handle, authorize, NULL);
    sqlite3_progress_handler(database->handle, STEPS_BETWEEN, count_steps, database);
    return TRUE;
}

PsDatabase *ps_database_open(const char *path, const PsHearer *hearer, GError **error)
{
    struct stat status;
    if (!check_idle(path, error))
        return NULL;
    g_autoptr(PsDatabase) database = g_new0(PsDatabase, 1);
    database->path = g_strdup(path);
    database->hearer = hearer;
    database->progress = (PsProgress){.phase = PS_PHASE_FILE, .since = g_get_monotonic_time()};
    database->most_steps = LEAST_STEPS;
    if (stat(path, &status) == 0)
        database->most_steps += STEPS_PER_BYTE * (guint64)status.st_size;
    return open_handle(database, error) ? g_steal_pointer(&database) : NULL;
}

void ps_database_free(PsDatabase *database)
{
    if (!database)
        return;
    sqlite3_close(database->handle);
    g_clear_error(&database->stop);
    g_free(database->path);
    g_free(database);
}

/* ---- what there is ------------------------------------------------------------------------- */

static sqlite3_stmt *prepare(PsDatabase *database, const char *query, GError **error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database->handle, query, -1, &statement, NULL) == SQLITE_OK)
        return statement;
    fail(database, error);
    return NULL;
}

/* Whether there is something of that name, and where its rows begin: 0 where it has none itself, as
 * views and virtual tables. */
static gboolean find(PsDatabase *database, const char *name, gboolean *has, int *root,
                     GError **error)
{
    sqlite3_stmt *found =
        prepare(database, "SELECT rootpage FROM sqlite_schema WHERE name = ?1", error);
    if (!found)
        return FALSE;
    sqlite3_bind_text(found, 1, name, -1, SQLITE_STATIC);
    const int state = sqlite3_step(found);
    *has = state == SQLITE_ROW;
    *root = *has ? sqlite3_column_int(found, 0) : 0;
    const gboolean ok = state == SQLITE_ROW || state == SQLITE_DONE || fail(database, error);
    sqlite3_finalize(found);
    return ok;
}

gboolean ps_database_has(PsDatabase *database, const char *name, gboolean *has, GError **error)
{
    int root;
    return find(database, name, has, &root, error);
}

char **ps_database_suffixes(PsDatabase *database, const char *prefix, GError **error)
{
    g_autoptr(GStrvBuilder) suffixes = g_strv_builder_new();
    sqlite3_stmt *found = prepare(
        database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", error);
    int state = SQLITE_ERROR;
    while (found && (state = sqlite3_step(found)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(found, 0);
        if (name && g_str_has_prefix(name, prefix))
            g_strv_builder_add(suffixes, name + strlen(prefix));
    }
    if (found && state != SQLITE_DONE)
        fail(database, error);
    sqlite3_finalize(found);
    return state == SQLITE_DONE ? g_strv_builder_end(suffixes) : NULL;
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct PsRows {
    PsDatabase *database;
    sqlite3_stmt *statement;
    PsSelect select; /* its texts are borrowed but for the table's name */
    int number;
    gint64 key;
};

static gboolean check_table(PsDatabase *database, const char *table, GError **error)
{
    gboolean has;
    int root;
    if (!find(database, table, &has, &root, error))
        return FALSE;
    if (root > 0)
        return TRUE;
    ps_error_at(error, PS_ERROR_SYNTAX, place_of(database),
                has ? "%s is no table in this SQLite database, as it is where the profiler wrote it"
                    : "the table %s is missing in this SQLite database",
                table);
    return FALSE;
}

/* Names of tables and columns are ours but for a table's ending, in which quotes are doubled. */
static void add_name(GString *query, const char *name)
{
    char *quoted = sqlite3_mprintf("\"%w\"", name);
    g_string_append(query, quoted);
    sqlite3_free(quoted);
}

/* Whether a table has the column; one that is computed is none, for the file says how. */
static gboolean has_column(PsDatabase *database, const char *table, const char *column)
{
    enum { NAME = 1, HIDDEN = 6 };
    char *query = sqlite3_mprintf("PRAGMA main.table_xinfo(%Q)", table);
    sqlite3_stmt *columns = prepare(database, query, NULL);
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
        ps_error_at(error, PS_ERROR_SYNTAX, place_of(database),
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
    sqlite3_stmt *statement = query ? prepare(database, query, error) : NULL;
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
    return state == SQLITE_ROW || state == SQLITE_DONE || fail(rows->database, error);
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
    const PsPlace place = place_of(rows->database);
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
                                        ": a kernel takes more than no time",
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
