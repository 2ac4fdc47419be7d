/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are kept: found again by the same key and only while what they were made of holds
 * the same; what was damaged is not found; a folder has its size, and may be one that nobody can
 * write; many threads and processes share it.
 */
#include "base/store-inputs.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder; /* of each case */

static char *in_folder(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void write_file(const char *name, const char *text)
{
    g_autofree char *path = in_folder(name), *parent = g_path_get_dirname(path);
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(g_mkdir_with_parents(parent, 0700), ==, 0);
    g_file_set_contents(path, text, -1, &error);
    g_assert_no_error(error);
}

static PsStore *open_store(guint64 most)
{
    g_autofree char *path = in_folder("store");
    return ps_store_new(path, most);
}

static char *key_of(const char *text)
{
    g_autoptr(GChecksum) sum = ps_store_key_new("test 1");
    ps_store_key_add(sum, text);
    return g_strdup(g_checksum_get_string(sum));
}

static gboolean keep(PsStore *store, const char *name, const char *text,
                     const PsStoreInputs *inputs)
{
    g_autofree char *key = key_of(name);
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(GError) error = NULL;
    const gboolean kept = ps_store_keep(store, key, inputs, bytes, &error);
    g_assert_true(kept == !error);
    return kept;
}

/* What is found by that name (g_free); NULL. A store of its own, which has looked at no file. */
static char *found(const char *name)
{
    g_autoptr(PsStore) store = open_store(0);
    g_autofree char *key = key_of(name);
    g_autoptr(GBytes) bytes = ps_store_find(store, key, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    if (!bytes)
        return NULL;
    g_string_append_len(text, g_bytes_get_size(bytes) ? g_bytes_get_data(bytes, NULL) : "",
                        (gssize)g_bytes_get_size(bytes));
    return g_strdup(text->str);
}

static void assert_found(const char *name, const char *text)
{
    g_autofree char *got = found(name);
    g_assert_cmpstr(got, ==, text);
}

static char *file_of(const char *name)
{
    g_autofree char *key = key_of(name);
    const char part[] = {key[0], '\0'};
    return g_build_filename(folder, "store", part, key, NULL);
}

static void test_again(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    assert_found("one", NULL);
    g_assert_true(keep(store, "one", "1", NULL));
    g_assert_true(keep(store, "two", "", NULL));
    assert_found("one", "1");
    assert_found("two", "");
    g_assert_true(keep(store, "one", "first", NULL));
    assert_found("one", "first");
}

/* Lists of texts that are one text when put together. */
static void test_keys(void)
{
    const char *const lists[][4] = {
        {"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"ab", NULL, "c"}};
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(GChecksum) sum = ps_store_key_new("test 1");
        ps_store_key_add_list(sum, lists[i]);
        ps_store_key_add_list(sum, i == 4 ? lists[i] + 2 : NULL);
        g_assert_true(g_hash_table_add(keys, g_strdup(g_checksum_get_string(sum))));
    }
}

/* Another program under the same name, and one that is not there. */
static void test_program(void)
{
    g_autofree char *path = in_folder("tool"), *first = NULL;
    for (guint i = 0; i < 3; i++) {
        g_autoptr(GChecksum) sum = ps_store_key_new("test 1");
        if (i < 2)
            write_file("tool", i ? "b" : "a");
        else
            g_unlink(path);
        ps_store_key_add_program(sum, path);
        g_assert_cmpstr(g_checksum_get_string(sum), !=, first ? first : "");
        g_free(first);
        first = g_strdup(g_checksum_get_string(sum));
    }
}

/* Another program of the same length in the same file, which was given the time that it had. Only
 * the time of the file's last change tells, which the system sets, at each of its ticks. */
static void test_program_same_time(void)
{
    GStatBuf was, is;
    g_autofree char *path = in_folder("tool");
    write_file("tool", "a");
    g_autoptr(GChecksum) before = ps_store_key_new("test 1"), after = ps_store_key_new("test 1");
    ps_store_key_add_program(before, path);
    g_assert_cmpint(g_stat(path, &was), ==, 0);
    do {
        FILE *file = fopen(path, "r+");
        g_assert_nonnull(file);
        fputc('b', file);
        fclose(file);
        const struct timespec times[] = {was.st_atim, was.st_mtim};
        g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
        g_assert_cmpint(g_stat(path, &is), ==, 0);
    } while (is.st_ctim.tv_sec == was.st_ctim.tv_sec && is.st_ctim.tv_nsec == was.st_ctim.tv_nsec);
    g_assert_cmpuint(is.st_ino, ==, was.st_ino);
    g_assert_cmpint(is.st_mtim.tv_nsec, ==, was.st_mtim.tv_nsec);
    ps_store_key_add_program(after, path);
    g_assert_cmpstr(g_checksum_get_string(before), !=, g_checksum_get_string(after));
}

static PsStoreInputs *inputs_of(const char *first, const char *second, const char *where)
{
    PsStoreInputs *inputs = ps_store_inputs_new();
    g_ptr_array_add(inputs->files, in_folder(first));
    g_ptr_array_add(inputs->files, in_folder(second));
    g_ptr_array_add(inputs->folders, in_folder(where));
    inputs->since = g_get_real_time() + G_TIME_SPAN_HOUR;
    return inputs;
}

static void test_inputs(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_autoptr(PsStoreInputs) inputs = inputs_of("a/one.h", "b/sub/two.h", "c");
    write_file("a/one.h", "1");
    write_file("c/other.h", "");
    g_assert_true(keep(store, "result", "of both", inputs));
    assert_found("result", "of both");
    write_file("c/more.h", "");
    assert_found("result", "of both"); /* nobody asked for that name */
    write_file("a/one.h", "11");
    assert_found("result", NULL);
    write_file("a/one.h", "1");
    assert_found("result", "of both");
    write_file("b/sub/two.h", "was not there");
    assert_found("result", NULL);
    g_autofree char *two = in_folder("b/sub/two.h");
    g_unlink(two);
    assert_found("result", "of both");
    write_file("c/sub/two.h", "would be taken in its place");
    assert_found("result", NULL);
}

/* A file of a known name counts wherever it may be included from: in the folder, and in folders of
 * known names below it, four deep at most. */
static void test_inputs_deep(void)
{
    static const char *const places[] = {"w/two.h", "w/c/two.h", "w/b/c/two.h", "w/a/b/c/two.h",
                                         "w/z/a/b/c/two.h"};
    write_file("w/a/b/c/other.h", "");
    write_file("w/b/c/other.h", "");
    write_file("w/c/other.h", "");
    write_file("w/z/a/b/c/other.h", "");
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autoptr(PsStore) store = open_store(G_MAXUINT64);
        g_autoptr(PsStoreInputs) inputs = inputs_of("one.h", "z/a/b/c/two.h", "w");
        g_autofree char *path = in_folder(places[i]);
        g_assert_true(keep(store, "result", "1", inputs));
        write_file(places[i], "taken in its place");
        assert_found("result", i < 4 ? NULL : "1");
        g_unlink(path);
        assert_found("result", "1");
    }
}

/* Inputs are older than a moment if each was changed before it, to the microsecond. */
static void test_older(void)
{
    g_autoptr(PsStoreInputs) inputs = inputs_of("old.h", "not there", "w");
    GStatBuf is;
    write_file("old.h", "");
    g_assert_cmpint(g_stat(inputs->files->pdata[0], &is), ==, 0);
    const gint64 changed = (gint64)is.st_ctim.tv_sec * G_USEC_PER_SEC + is.st_ctim.tv_nsec / 1000;
    for (gint64 by = -2; by <= 2; by++) {
        inputs->since = changed + by;
        g_assert_cmpint(ps_store_inputs_are_older(inputs), ==, by > 0);
    }
}

/* What it was made of is told with it. */
static void test_inputs_told(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_autoptr(PsStoreInputs) inputs = inputs_of("x", "y", "z"), told = ps_store_inputs_new();
    g_autofree char *key = key_of("told"), *x = in_folder("x"), *z = in_folder("z");
    g_assert_true(keep(store, "told", "1", inputs));
    g_autoptr(GBytes) bytes = ps_store_find(store, key, told);
    g_assert_nonnull(bytes);
    g_assert_cmpuint(told->files->len, ==, 2);
    g_assert_cmpstr(told->files->pdata[0], ==, x);
    g_assert_cmpstr(told->folders->pdata[0], ==, z);
}

/* A file that was changed while the result was made. */
static void test_changed_meanwhile(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_autoptr(PsStoreInputs) inputs = inputs_of("a", "b", "c");
    inputs->since = g_get_real_time() - G_TIME_SPAN_HOUR;
    write_file("b", "new");
    g_assert_true(keep(store, "result", "of which?", inputs));
    assert_found("result", NULL);
}

/* Each byte of a result changed, and cut off behind it. */
static void test_damaged(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_assert_true(keep(store, "result", "all of it", NULL));
    g_autofree char *path = file_of("result"), *whole = NULL;
    gsize size;
    g_assert_true(g_file_get_contents(path, &whole, &size, NULL));
    for (gsize i = 0; i < size; i++) {
        g_assert_true(g_file_set_contents(path, whole, (gssize)i, NULL));
        assert_found("result", NULL);
        whole[i] ^= 1;
        g_assert_true(g_file_set_contents(path, whole, (gssize)size, NULL));
        whole[i] ^= 1;
        assert_found("result", NULL);
    }
    g_assert_true(keep(store, "result", "made anew", NULL));
    assert_found("result", "made anew");
}

/* Names of one part, so that all count to the same size. */
static char *name_in_part(guint *from)
{
    for (;;) {
        g_autofree char *name = g_strdup_printf("name %u", (*from)++), *key = key_of(name);
        if (key[0] == '7')
            return g_steal_pointer(&name);
    }
}

/* Nothing that compresses. */
static char *random_text(gsize length)
{
    char *text = g_malloc(length + 1);
    for (gsize i = 0; i < length; i++)
        text[i] = (char)g_test_rand_int_range(33, 127);
    text[length] = '\0';
    return text;
}

/* Nanoseconds of one second. */
static void set_use(const char *name, glong nanoseconds)
{
    g_autofree char *path = file_of(name);
    const struct timespec when = {.tv_sec = 1000, .tv_nsec = nanoseconds}, times[] = {when, when};
    g_assert_cmpint(utimensat(-1, path, times, 0), ==, 0);
}

/* The bytes of an entry with that text. */
static gsize size_of_kept(const char *text)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    GStatBuf info;
    g_assert_true(keep(store, "measured", text, NULL));
    g_autofree char *path = file_of("measured");
    g_assert_cmpint(g_stat(path, &info), ==, 0);
    g_assert_cmpint(g_unlink(path), ==, 0);
    return (gsize)info.st_size;
}

/* What was not used for longest goes, and finding is using. */
static void test_size(void)
{
    g_autofree char *text = random_text(1000);
    g_autoptr(PsStore) store = open_store(16 * (3 * size_of_kept(text) + 400));
    char *names[4];
    guint from = 0;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        names[i] = name_in_part(&from);
        if (i == 3)
            assert_found(names[0], text);
        g_assert_true(keep(store, names[i], text, NULL));
        if (i < 3)
            set_use(names[i], 1000 + i);
    }
    assert_found(names[0], text);
    assert_found(names[1], NULL);
    assert_found(names[2], text);
    assert_found(names[3], text);
    for (guint i = 0; i < G_N_ELEMENTS(names); i += i ? 1 : 2) /* not in the same instant */
        set_use(names[i], 2000 + i);
    g_autofree char *large = random_text(10000);
    g_assert_true(keep(store, names[0], large, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        assert_found(names[i], NULL);
        g_free(names[i]);
    }
}

/* What fits to the byte stays. */
static void test_exact_size(void)
{
    g_autofree char *text = random_text(1000);
    for (guint less = 0; less < 2; less++) {
        g_autoptr(PsStore) store = open_store(16 * (2 * size_of_kept(text) - less));
        guint from = 0;
        g_autofree char *first = name_in_part(&from), *second = name_in_part(&from);
        g_assert_true(keep(store, first, text, NULL));
        set_use(first, 1000);
        g_assert_true(keep(store, second, text, NULL));
        assert_found(first, less ? NULL : text);
        assert_found(second, text);
    }
}

/* What stands in an entry's place and is no file. */
static void test_no_file(void)
{
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_assert_true(keep(store, "result", "1", NULL));
    g_autofree char *path = file_of("result");
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(mkfifo(path, 0600), ==, 0);
    alarm(600); /* nobody writes to it */
    assert_found("result", NULL);
    alarm(0);
    g_assert_true(keep(store, "result", "2", NULL));
    assert_found("result", "2");
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
    assert_found("result", NULL);
    g_assert_false(keep(store, "result", "3", NULL));
}

/* What a writer left that was killed goes like a result, unless it may be writing still. */
static void test_left(void)
{
    g_autoptr(PsStore) store = open_store(0);
    guint from = 0;
    g_autofree char *name = name_in_part(&from), *path = file_of(name),
                    *old = g_strconcat(path, ".ABCDEF", NULL),
                    *new = g_strconcat(path, ".GHIJKL", NULL);
    const struct timespec then[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    g_assert_true(keep(store, name, "1", NULL));
    g_assert_true(g_file_set_contents(old, "half", -1, NULL));
    g_assert_true(g_file_set_contents(new, "half", -1, NULL));
    g_assert_cmpint(utimensat(-1, old, then, 0), ==, 0);
    g_assert_true(keep(store, name, "1", NULL));
    g_assert_false(g_file_test(old, G_FILE_TEST_EXISTS));
    g_assert_true(g_file_test(new, G_FILE_TEST_EXISTS));
}

static void test_not_writable(void)
{
    g_autofree char *key = key_of("one"), *path = in_folder("store");
    g_autoptr(GBytes) bytes = g_bytes_new("1", 1);
    write_file("store", "a file where the folder would be");
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    g_autoptr(GError) error = NULL;
    g_assert_false(ps_store_keep(store, key, NULL, bytes, &error));
    g_autofree char *start = g_strconcat(path, ": cannot be written: ", NULL);
    g_assert_true(g_str_has_prefix(error->message, start));
    assert_found("one", NULL);
}

#define ROUNDS 60

/* All write and find the same few names. */
static gpointer work(gpointer data)
{
    PsStore *store = data;
    for (guint i = 0; i < ROUNDS; i++) {
        g_autofree char *name = g_strdup_printf("shared %u", i % 7),
                        *text = g_strnfill(1 + i % 7 * 5000, (char)('a' + i % 7));
        g_autofree char *key = key_of(name);
        g_autoptr(GBytes) bytes = ps_store_find(store, key, NULL);
        g_assert_true(!bytes || (g_bytes_get_size(bytes) == strlen(text) &&
                                 memcmp(g_bytes_get_data(bytes, NULL), text, strlen(text)) == 0));
        g_autoptr(GBytes) again = g_bytes_new(text, strlen(text));
        g_assert_true(ps_store_keep(store, key, NULL, again, NULL));
    }
    return NULL;
}

static void test_shared(void)
{
    pid_t processes[2];
    for (guint i = 0; i < G_N_ELEMENTS(processes); i++)
        if ((processes[i] = fork()) == 0) {
            PsStore *own = open_store(2000); /* so that much of it goes, too */
            work(own);
            ps_store_free(own);
            _exit(0);
        }
    g_autoptr(PsStore) store = open_store(G_MAXUINT64);
    GThread *threads[] = {g_thread_new(NULL, work, store), g_thread_new(NULL, work, store)};
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        int status;
        g_thread_join(threads[i]);
        g_assert_cmpint(waitpid(processes[i], &status, 0), ==, processes[i]);
        g_assert_cmpint(status, ==, 0);
    }
}

/* ---- each in a folder of its own ----------------------------------------------------------- */

static void run(gconstpointer test)
{
    g_autoptr(GError) error = NULL;
    folder = g_dir_make_tmp("store-XXXXXX", &error);
    g_assert_no_error(error);
    (*(void (*const *)(void))test)();
    char *argv[] = {(char[]){"rm"}, (char[]){"-r"}, folder, NULL};
    g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    g_free(folder);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(void);
    } tests[] = {{"/store/again", test_again},
                 {"/store/keys", test_keys},
                 {"/store/program", test_program},
                 {"/store/program-same-time", test_program_same_time},
                 {"/store/inputs", test_inputs},
                 {"/store/inputs-deep", test_inputs_deep},
                 {"/store/older", test_older},
                 {"/store/inputs-told", test_inputs_told},
                 {"/store/changed-meanwhile", test_changed_meanwhile},
                 {"/store/damaged", test_damaged},
                 {"/store/size", test_size},
                 {"/store/exact-size", test_exact_size},
                 {"/store/no-file", test_no_file},
                 {"/store/left", test_left},
                 {"/store/not-writable", test_not_writable},
                 {"/store/shared", test_shared}};
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add_data_func(tests[i].name, &tests[i].test, run);
    return g_test_run();
}
