/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See database.h. The measures are those that SQLite's manual advises for files from strangers,
 * without a check of the whole file beforehand: damage is found when it is read.
 */
#include "roofline/import/database-private.h"

#include "base/hearer.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most steps of SQLite's machine for each byte of a file, and for the smallest file. Reading a row
 * takes some fifty steps, and a row has more than ten bytes; pages that refer to each other in
 * circles would be read for ever. */
#define STEPS_PER_BYTE 100
#define LEAST_STEPS 10000000
#define STEPS_BETWEEN 10000 /* steps between two looks at the clock */

/* The byte that writers of SQLite lock in a file, as its format defines. */
#define LOCK_BYTE 0x40000000
#define LOCK_BYTES 512

PsPlace ps_database_place(const PsDatabase *database)
{
    return (PsPlace){database->path, 0};
}

/* ---- errors -------------------------------------------------------------------------------- */

gboolean ps_database_fail(PsDatabase *database, GError **error)
{
    const int code = sqlite3_errcode(database->handle);
    const char *said = sqlite3_errmsg(database->handle);
    if (database->stop)
        g_propagate_error(error, g_steal_pointer(&database->stop));
    else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR)
        ps_error_at(error, PS_ERROR_SYNTAX, ps_database_place(database),
                    "this SQLite database is damaged or cut off, export it anew: %.200s", said);
    else
        ps_error_at(error, PS_ERROR_SYNTAX, ps_database_place(database),
                    "this SQLite database cannot be read: %.200s", said);
    return FALSE;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* TRUE if changes that are not in the file itself yet stand beside it, in a file that does not
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

/* Allows the actions of our own queries: they read columns of tables, and ask which tables there
 * are. */
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
        ps_error_at(&database->stop, PS_ERROR_LIMIT, ps_database_place(database),
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

/* Opens the file by a URI, since no flag of open says that the file does not change: then it is
 * neither locked nor searched for changes beside it. */
static gboolean open_handle(PsDatabase *database, GError **error)
{
    g_autofree char *absolute = g_canonicalize_filename(database->path, NULL);
    g_autofree char *escaped = g_uri_escape_string(absolute, "/", FALSE);
    g_autofree char *address = g_strconcat("file://", escaped, "?immutable=1", NULL);
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(address, &database->handle, flags, NULL) != SQLITE_OK)
        return ps_database_fail(database, error);
    limit(database->handle);
    if (sqlite3_exec(database->handle,
                     "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA page_size",
                     take_page, database, NULL) != SQLITE_OK)
        return ps_database_fail(database, error);
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

sqlite3_stmt *ps_database_prepare(PsDatabase *database, const char *query, GError **error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database->handle, query, -1, &statement, NULL) == SQLITE_OK)
        return statement;
    ps_database_fail(database, error);
    return NULL;
}

gboolean ps_database_find(PsDatabase *database, const char *name, gboolean *has, int *root,
                          GError **error)
{
    sqlite3_stmt *found =
        ps_database_prepare(database, "SELECT rootpage FROM sqlite_schema WHERE name = ?1", error);
    if (!found)
        return FALSE;
    sqlite3_bind_text(found, 1, name, -1, SQLITE_STATIC);
    const int state = sqlite3_step(found);
    *has = state == SQLITE_ROW;
    *root = *has ? sqlite3_column_int(found, 0) : 0;
    const gboolean ok =
        state == SQLITE_ROW || state == SQLITE_DONE || ps_database_fail(database, error);
    sqlite3_finalize(found);
    return ok;
}

gboolean ps_database_has(PsDatabase *database, const char *name, gboolean *has, GError **error)
{
    int root;
    return ps_database_find(database, name, has, &root, error);
}

char **ps_database_suffixes(PsDatabase *database, const char *prefix, GError **error)
{
    g_autoptr(GStrvBuilder) suffixes = g_strv_builder_new();
    sqlite3_stmt *found = ps_database_prepare(
        database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", error);
    int state = SQLITE_ERROR;
    while (found && (state = sqlite3_step(found)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(found, 0);
        if (name && g_str_has_prefix(name, prefix))
            g_strv_builder_add(suffixes, name + strlen(prefix));
    }
    if (found && state != SQLITE_DONE)
        ps_database_fail(database, error);
    sqlite3_finalize(found);
    return state == SQLITE_DONE ? g_strv_builder_end(suffixes) : NULL;
}
