/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles that are SQLite databases: those of Nsight Systems and of rocprofv3, made here of SQL;
 * and databases of people who mean harm, or whose disk was full.
 */
#include "tests/help/profile.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *nsys, *rocpd; /* what the files in tests/profiles say */

/* ---- files --------------------------------------------------------------------------------- */

/* A database that this SQL makes. Free with g_free, and remove it. */
static char *make(const char *one, const char *other)
{
    char *path = NULL, *why = NULL;
    sqlite3 *handle;
    const int fd = g_file_open_tmp("pipesim-database-XXXXXX", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_cmpint(sqlite3_open(path, &handle), ==, SQLITE_OK);
    sqlite3_exec(handle, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    sqlite3_exec(handle, one, NULL, NULL, &why);
    g_assert_cmpstr(why, ==, NULL);
    sqlite3_exec(handle, other, NULL, NULL, &why);
    g_assert_cmpstr(why, ==, NULL);
    sqlite3_close(handle);
    return path;
}

static PsProfile *load(const char *path, const PsProfileOptions *options, char **message)
{
    GError *error = NULL;
    PsProfile *profile = ps_profile_load(path, options, &error);
    g_assert_true((profile == NULL) == (error != NULL));
    *message = NULL;
    if (error) {
        g_assert_true(g_str_has_prefix(error->message, path));
        *message = g_strdup(error->message + strlen(path));
        g_error_free(error);
    }
    return profile;
}

static PsProfile *read_sql(const char *one, const char *other, const PsProfileOptions *options)
{
    g_autofree char *path = make(one, other), *message = NULL;
    PsProfile *profile = load(path, options, &message);
    g_assert_cmpstr(message, ==, NULL);
    g_unlink(path);
    return profile;
}

/* Checks that the database is refused, and how the message begins behind the file's name. */
static void bad(const char *one, const char *other, const char *expected)
{
    g_autofree char *path = make(one, other), *message = NULL;
    g_autoptr(PsProfile) profile = load(path, NULL, &message);
    g_assert_null(profile);
    if (!message || !g_str_has_prefix(message, expected))
        g_assert_cmpstr(message, ==, expected);
    g_unlink(path);
}

/* ---- Nsight Systems ------------------------------------------------------------------------ */

static void test_nsys(void)
{
    g_autoptr(PsProfile) profile = read_sql(nsys, "", NULL);
    g_assert_cmpstr(profile ? profile->kind : NULL, ==, "Nsight Systems database");
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 4);
    static const struct {
        const char *name, *device;
        guint capability;
        gint64 launches;
        double nanoseconds;
    } expected[] = {
        {"saxpy(int, float, const float *, float *)", "NVIDIA GeForce RTX 3080 (0)", 86, 2, 2500},
        {"saxpy(int, float, const float *, float *)", "Tesla V100-SXM2-16GB (1)", 70, 1, 1000},
        {"void reduce<(int)256>(const float *, float *)", "NVIDIA GeForce RTX 3080 (0)", 86, 1,
         5000},
        {"saxpy(int, float, const float *, float *)", "Tesla V100-SXM2-16GB (0)", 70, 1, 700}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const PsProfileKernel *kernel = profile_kernel(profile, i);
        g_assert_cmpstr(kernel->name, ==, expected[i].name);
        g_assert_cmpstr(kernel->device, ==, expected[i].device);
        g_assert_cmpuint(kernel->capability, ==, expected[i].capability);
        g_assert_cmpint(kernel->launches, ==, expected[i].launches);
        profile_near(kernel->seconds, expected[i].nanoseconds / 1e9);
    }
    g_assert_true(profile_warns(profile, "there are durations and no metrics", ""));
}

/* A minor version has one digit: what has more, or is not there, is not known. */
static void test_nsys_capability(void)
{
    static const struct {
        const char *set;
        guint capability;
    } cases[] = {{"computeMajor = 12, computeMinor = 0", 120},
                 {"computeMajor = 8, computeMinor = 9", 89},
                 {"computeMajor = 8, computeMinor = 10", 0},
                 {"computeMajor = 100, computeMinor = 0", 0},
                 {"computeMajor = 0, computeMinor = 3", 0},
                 {"computeMajor = NULL, computeMinor = NULL", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *sql = g_strdup_printf("UPDATE TARGET_INFO_GPU SET %s", cases[i].set);
        g_autoptr(PsProfile) profile = read_sql(nsys, sql, NULL);
        g_assert_cmpuint(profile_kernel(profile, 0)->capability, ==, cases[i].capability);
    }
}

static void test_nsys_apart(void)
{
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = read_sql(nsys, "", &apart);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 5);
    g_assert_cmpint(profile_kernel(profile, 3)->launch, ==, 2);
    g_assert_cmpint(profile_kernel(profile, 3)->line, ==, 4);
    profile_near(profile_kernel(profile, 3)->seconds, 500e-9);
}

/* Older versions, and those that traced less. */
static void test_nsys_less(void)
{
    g_autoptr(PsProfile) profile =
        read_sql("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                 "INSERT INTO StringIds VALUES (9, 'f');"
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, shortName);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 15, 2, 9);",
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end)", NULL);
    g_assert_cmpstr(profile_kernel(profile, 0)->name, ==, "f");
    g_assert_cmpstr(profile_kernel(profile, 0)->device, ==, "GPU 2");
    g_assert_true(profile_warns(profile, "CUDA graphs", "--cuda-graph-trace=node"));
    bad("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", "",
        ": this export of Nsight Systems has no kernels (no table CUPTI_ACTIVITY_KIND_KERNEL): "
        "profile with nsys profile --trace=cuda");
    bad("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end)",
        ": all kernels here ran in CUDA graphs, which are told as a whole: profile with nsys");
    bad(nsys, "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL",
        ": there is no kernel here: was one launched and profiled?");
}

#define UPDATE(what) "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET " what " WHERE rowid = 4"
#define ROW ": CUPTI_ACTIVITY_KIND_KERNEL, row 4: "

static void test_nsys_values(void)
{
    bad(nsys, UPDATE("start = -5"), ROW "start is -5 and must not be negative");
    bad(nsys, UPDATE("end = start"), ROW "end is 9000, but start 9000: a kernel takes more than 0");
    bad(nsys, UPDATE("start = 'soon'"), ROW "start is a text where a whole number is due");
    bad(nsys, UPDATE("start = 0.5"), ROW "start is a number with decimals where a whole number");
    bad(nsys, UPDATE("end = zeroblob(100)"), ROW "end is bytes where a whole number is due");
    bad(nsys, UPDATE("deviceId = x'00'"), ROW "deviceId is bytes where a whole number is due");
    bad(nsys, UPDATE("demangledName = 77"), ": StringIds, id 77: there is no such row");
    bad(nsys, "UPDATE StringIds SET value = zeroblob(9) WHERE id = 1",
        ": StringIds, id 1: there is no text here, and a name is due");
    bad(nsys, "UPDATE StringIds SET value = zeroblob(2000000) WHERE id = 1",
        ": this SQLite database cannot be read: string or blob too big");
    bad(nsys, "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN deviceId",
        ": the table CUPTI_ACTIVITY_KIND_KERNEL has no column deviceId: it is not the profiler's, "
        "or of a version that pipesim does not know");
}

/* ---- rocpd --------------------------------------------------------------------------------- */

static void check_rocpd(const PsProfile *profile)
{
    g_assert_cmpstr(profile ? profile->kind : NULL, ==, "rocpd");
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 2);
    const PsProfileKernel *k = profile_kernel(profile, 0), *m = profile_kernel(profile, 1);
    g_assert_cmpstr(k->name, ==, "k(int, int)");
    g_assert_cmpstr(k->device, ==, "AMD Instinct MI210 (Agent 4)");
    g_assert_cmpint(k->launches, ==, 2);
    profile_near(k->seconds, 300e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 64 * 30);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 3072);
    g_assert_cmpstr(m->name, ==, "m.kd");
    g_assert_cmpstr(m->device, ==, "AMD Radeon PRO W7900 (Agent 5)");
    profile_near(m->seconds, 200e-9);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_INST), ==, 32 * 5);
    g_assert_false(profile_warns(profile, "wave size", ""));
}

static void test_rocpd(void)
{
    g_autoptr(PsProfile) profile = read_sql(rocpd, "", NULL);
    check_rocpd(profile);
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = read_sql(rocpd, "", &apart);
    g_assert_cmpuint(launches ? launches->kernels->len : 0, ==, 3);
    g_assert_cmpfloat(profile_metric(launches, 1, PS_M_INST), ==, 64 * 20);
    g_autoptr(PsProfile) untold =
        read_sql(rocpd, "UPDATE rocpd_info_agent_0a1b SET extdata = '{}'", NULL);
    g_assert_true(profile_warns(untold, "the wave size is not told", ""));
}

/* Since version 4 of the schema times and agents stand in tables of their own. */
static void test_rocpd_times(void)
{
    static const char newer[] =
        "CREATE TABLE rocpd_timestamp_0a1b (id INTEGER PRIMARY KEY, value INTEGER);"
        "CREATE TABLE rocpd_track_0a1b (id INTEGER PRIMARY KEY, agent_id INTEGER);"
        "INSERT INTO rocpd_track_0a1b VALUES (1, 4), (2, 5);"
        "INSERT INTO rocpd_timestamp_0a1b SELECT 2 * id, start FROM rocpd_kernel_dispatch_0a1b;"
        "INSERT INTO rocpd_timestamp_0a1b SELECT 2 * id + 1, end FROM rocpd_kernel_dispatch_0a1b;"
        "CREATE TABLE d (id INTEGER PRIMARY KEY, track_id, kernel_id, start_id, end_id, event_id);"
        "INSERT INTO d SELECT id, agent_id - 3, kernel_id, 2 * id, 2 * id + 1, event_id "
        "FROM rocpd_kernel_dispatch_0a1b;"
        "DROP VIEW rocpd_kernel_dispatch; DROP TABLE rocpd_kernel_dispatch_0a1b;"
        "ALTER TABLE d RENAME TO rocpd_kernel_dispatch_0a1b";
    g_autoptr(PsProfile) profile = read_sql(rocpd, newer, NULL);
    check_rocpd(profile);
}

/* The same SQL for another process, with other counters: a second pass over the same launches. */
static void test_rocpd_passes(void)
{
    g_auto(GStrv) parts = g_strsplit(rocpd, "CREATE VIEW", 2);
    g_auto(GStrv) ids = g_strsplit(parts[0], "0a1b", -1);
    g_autofree char *renamed = g_strjoinv("ffff", ids);
    g_autofree char *second =
        g_strconcat(renamed,
                    "UPDATE rocpd_info_pmc_ffff SET name = 'FETCH_SIZE' WHERE id = 32;"
                    "UPDATE rocpd_info_pmc_ffff SET name = 'SQ_INSTS_LDS' WHERE id = 31",
                    NULL);
    g_autoptr(PsProfile) profile = read_sql(rocpd, second, NULL);
    check_rocpd(profile);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 3072);
    g_autoptr(PsProfile) ranks = read_sql(rocpd, renamed, NULL);
    g_assert_cmpint(profile_kernel(ranks, 0)->launches, ==, 4);
    profile_near(profile_kernel(ranks, 0)->seconds, 600e-9);
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) each = read_sql(rocpd, renamed, &apart);
    g_assert_cmpuint(each ? each->kernels->len : 0, ==, 6);
    g_assert_cmpint(profile_kernel(each, 4)->launch, ==, 4);
    g_autofree char *path = make(rocpd, second), *message = NULL;
    g_autoptr(PsProfile) launches = load(path, &apart, &message);
    g_assert_null(launches);
    g_assert_cmpstr(message, ==,
                    ":1: launches cannot be kept apart, for several runs tell of one, each with "
                    "other counters; have the launches summed");
    g_unlink(path);
}

static void test_rocpd_values(void)
{
    bad(rocpd, "UPDATE rocpd_pmc_event_0a1b SET value = -1 WHERE id = 4",
        ": rocpd_pmc_event_0a1b, row 5: value is negative, and no count can be");
    bad(rocpd, "UPDATE rocpd_pmc_event_0a1b SET value = 9e999 WHERE id = 4",
        ": rocpd_pmc_event_0a1b, row 5: value is too large for a number");
    bad(rocpd, "UPDATE rocpd_pmc_event_0a1b SET value = 1.7e308 WHERE pmc_id = 31",
        ":1: M_inst of the kernel that begins here is too large for a number");
    bad(rocpd, "UPDATE rocpd_pmc_event_0a1b SET value = 'many' WHERE id = 4",
        ": rocpd_pmc_event_0a1b, row 5: value is a text where a number is due");
    bad(rocpd, "UPDATE rocpd_pmc_event_0a1b SET pmc_id = 99 WHERE id = 4",
        ": rocpd_info_pmc_0a1b, id 99: there is no such row");
    bad(rocpd, "UPDATE rocpd_kernel_dispatch_0a1b SET end = 1 WHERE id = 2",
        ": rocpd_kernel_dispatch_0a1b, row 2: end is 1, but start 1700000000000001000: a kernel");
    bad(rocpd, "UPDATE rocpd_kernel_dispatch_0a1b SET agent_id = 9",
        ": rocpd_info_agent_0a1b, id 9: there is no such row");
    bad(rocpd,
        "UPDATE rocpd_info_agent_0a1b SET extdata = '{\"wave_front_size\": 48}' WHERE id = 4",
        ": rocpd_info_agent_0a1b, id 4: extdata:1:21: waves have 32 or 64 threads");
    bad(rocpd, "UPDATE rocpd_info_agent_0a1b SET extdata = '{\"a\": '",
        ": rocpd_info_agent_0a1b, id 4: extdata:1:7: the file ends where a value");
    bad(rocpd, "DELETE FROM rocpd_kernel_dispatch_0a1b",
        ": there is no kernel here: was one launched and profiled?");
}

/* ---- harm ---------------------------------------------------------------------------------- */

#define KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"
#define INSTEAD "ALTER TABLE " KERNELS " RENAME TO k;"

static void test_views(void)
{
    static const char expected[] = ": CUPTI_ACTIVITY_KIND_KERNEL is no table in this SQLite "
                                   "database, as it is where the profiler wrote it";
    bad(nsys, INSTEAD "CREATE VIEW " KERNELS " AS SELECT * FROM k", expected);
    bad(nsys,
        INSTEAD "CREATE VIEW " KERNELS " AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT "
                "start + 1 FROM n) SELECT *, 1 AS end FROM n",
        expected);
    bad(nsys, "ALTER TABLE StringIds RENAME TO s; CREATE VIEW StringIds AS SELECT * FROM s",
        ": this SQLite database is no profile that pipesim knows");
    bad(nsys, "DROP TABLE " KERNELS "; CREATE VIRTUAL TABLE " KERNELS " USING fts4(start, end)",
        expected);
    bad(nsys,
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE VIEW " KERNELS
        " AS SELECT 1 AS start' WHERE name = '" KERNELS "'",
        ": this SQLite database is damaged or cut off, export it anew: malformed database schema "
        "(");
    bad(nsys,
        INSTEAD "CREATE TABLE " KERNELS " (start INT, deviceId INT, demangledName INT, "
                "end INT AS (abs(start) + 1))",
        ": the table CUPTI_ACTIVITY_KIND_KERNEL has no column end: it is not the profiler's");
}

/* Triggers have no part in reading. */
static void test_triggers(void)
{
    g_autoptr(PsProfile) profile = read_sql(
        nsys, "CREATE TRIGGER t INSERT ON " KERNELS " BEGIN DELETE FROM StringIds; END", NULL);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 4);
}

/* Without its index each of many names is looked for in all of them. */
static const char slow[] = "DROP TABLE StringIds; CREATE TABLE StringIds (id, value);"
                           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) "
                           "INSERT INTO StringIds SELECT i, 'f' FROM n;"
                           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) "
                           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i + 1, 0, 0, 0, 0, 0, "
                           "i, i, 0, 0, 0, 0, 0, 0, "
                           "0, 0, 0 FROM n";

static void test_steps(void)
{
    bad(nsys, slow,
        ": to read this SQLite database takes more steps than one of its size can need: it is "
        "damaged, or lacks its indexes; export it anew");
}

static gboolean end(const PsProgress *progress, gpointer unused)
{
    (void)unused;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_FILE);
    g_assert_cmpuint(progress->done, >, 0);
    return FALSE;
}

static void test_cancelled(void)
{
    const PsProfileOptions options = {.progress = {end, NULL}};
    g_autofree char *path = make(nsys, slow);
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_profile_load(path, &options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    g_unlink(path);
}

static void write_beside(const char *path, const char *ending, const char *bytes, gsize length)
{
    g_autofree char *beside = g_strconcat(path, ending, NULL);
    g_assert_true(g_file_set_contents(beside, bytes, (gssize)length, NULL));
}

static void expect(const char *path, const char *expected)
{
    g_autofree char *message = NULL;
    g_autoptr(PsProfile) profile = load(path, NULL, &message);
    g_assert_null(profile);
    if (!message || !strstr(message, expected))
        g_assert_cmpstr(message, ==, expected);
}

static void test_unfinished(void)
{
    static const char *const endings[] = {"-journal", "-wal"};
    g_autofree char *path = make(nsys, "");
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        g_autofree char *beside = g_strconcat(path, endings[i], NULL), *message = NULL;
        write_beside(path, endings[i], "\xd9\xd5", 2);
        expect(path, ": what was last written to this SQLite database stands in ");
        write_beside(path, endings[i], "\0\0", 2);
        g_autoptr(PsProfile) profile = load(path, NULL, &message);
        g_assert_nonnull(profile);
        g_unlink(beside);
    }
    g_unlink(path);
}

/* One that was written with a log beside it, and has none any more; and a name that is no part of
 * an address. */
static void test_names(void)
{
    g_autoptr(PsProfile) logged = read_sql(nsys, "PRAGMA journal_mode = WAL", NULL);
    g_assert_cmpuint(logged ? logged->kernels->len : 0, ==, 4);
    g_autofree char *path = make(nsys, ""), *message = NULL;
    g_autofree char *odd = g_strconcat(path, " ?mode=rwc&a#b%41.sqlite", NULL);
    g_assert_cmpint(g_rename(path, odd), ==, 0);
    g_autoptr(PsProfile) profile = load(odd, NULL, &message);
    g_assert_nonnull(profile);
    g_assert_cmpstr(message, ==, NULL);
    g_unlink(odd);
}

/* Locks are those of other processes. */
static void test_locked(void)
{
    g_autofree char *path = make(nsys, "");
    int ready[2];
    char byte;
    g_assert_cmpint(pipe(ready), ==, 0);
    const pid_t writer = fork();
    if (writer == 0) {
        sqlite3 *handle;
        const gboolean ok = sqlite3_open(path, &handle) == SQLITE_OK &&
                            sqlite3_exec(handle, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK;
        _exit(write(ready[1], ok ? "1" : "0", 1) == 1 && pause());
    }
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    g_assert_true(byte == '1');
    expect(path, ": another program is writing this SQLite database: wait until it has ended");
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    g_unlink(path);
}

/* Cut off after every so many bytes, and with bytes replaced: an error or a profile. */
static void damage(const char *sql)
{
    g_autofree char *path = make("PRAGMA page_size = 512", sql), *bytes = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
    g_unlink(path);
    for (gsize at = 16; at < length; at += 1 + at % 37) {
        g_autoptr(GError) cut = NULL, damaged = NULL;
        const char kept = bytes[at];
        g_autoptr(PsProfile) one = at % 8 ? NULL : profile_bytes(bytes, at, NULL, &cut);
        g_assert_true(one ? !cut : cut || at % 8);
        bytes[at] = (char)(kept ^ (1 << at % 8));
        g_autoptr(PsProfile) other = profile_bytes(bytes, length, NULL, &damaged);
        g_assert_true(!other == (damaged != NULL));
        bytes[at] = kept;
    }
}

static void test_damaged(void)
{
    damage(nsys);
    damage(rocpd);
    g_autofree char *path = make(nsys, ""), *bytes = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
    g_unlink(path);
    g_assert_null(profile_bytes(bytes, length / 2, NULL, &error));
    g_assert_cmpstr(error ? error->message : NULL, ==,
                    "F: this SQLite database is damaged or cut off, export it anew: database disk "
                    "image is malformed");
}

static void test_others(void)
{
    bad("CREATE TABLE t (x)", "", ": this SQLite database is no profile that pipesim knows; it ");
    bad("CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT)", "",
        ": of a report of nvprof pipesim reads what it exports: nvprof --import-profile FILE "
        "--csv");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_assert_true(g_file_get_contents(PROFILES "nsys.sql", &nsys, NULL, NULL));
    g_assert_true(g_file_get_contents(PROFILES "rocpd.sql", &rocpd, NULL, NULL));
    g_test_add_func("/profile/database/nsys", test_nsys);
    g_test_add_func("/profile/database/nsys-capability", test_nsys_capability);
    g_test_add_func("/profile/database/nsys-apart", test_nsys_apart);
    g_test_add_func("/profile/database/nsys-less", test_nsys_less);
    g_test_add_func("/profile/database/nsys-values", test_nsys_values);
    g_test_add_func("/profile/database/rocpd", test_rocpd);
    g_test_add_func("/profile/database/rocpd-times", test_rocpd_times);
    g_test_add_func("/profile/database/rocpd-passes", test_rocpd_passes);
    g_test_add_func("/profile/database/rocpd-values", test_rocpd_values);
    g_test_add_func("/profile/database/views", test_views);
    g_test_add_func("/profile/database/triggers", test_triggers);
    g_test_add_func("/profile/database/steps", test_steps);
    g_test_add_func("/profile/database/cancelled", test_cancelled);
    g_test_add_func("/profile/database/unfinished", test_unfinished);
    g_test_add_func("/profile/database/names", test_names);
    g_test_add_func("/profile/database/locked", test_locked);
    g_test_add_func("/profile/database/damaged", test_damaged);
    g_test_add_func("/profile/database/others", test_others);
    const int status = g_test_run();
    g_free(nsys);
    g_free(rocpd);
    return status;
}
