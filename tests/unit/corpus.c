/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The corpus (tests/help/corpus.h): every launch is executed and its buffers are compared with what
 * C computes; and tests/corpus/ is complete: each kernel has a launch, each launch its text and
 * data.
 *
 *     CORPUS_UPDATE=1 PROGRAM     writes the launches' texts and data anew
 *     CORPUS_DUMPS=FOLDER PROGRAM -p /corpus/launch
 *                                 executes nothing: buffers are in FOLDER/NAME.NUMBER
 *                                 (tests/sass/corpus.sh)
 */
#include "tests/help/corpus.h"

#include <glib/gstdio.h>
#include <string.h>

#define FOLDER "tests/corpus"
#define MOST_DIFFERENCES 5 /* that are shown of one buffer */

static void compare(const CorpusLaunch *launch, guint i, gconstpointer actual,
                    gconstpointer expected)
{
    const CorpusArgument *argument = &launch->arguments[i];
    guint differences = 0;
    for (guint k = 0; k < argument->count; k++) {
        g_autofree char *difference = corpus_difference(launch, i, actual, expected, k);
        if (difference && differences++ < MOST_DIFFERENCES)
            g_test_message("%s[%u] is %s", argument->name, k, difference);
    }
    if (differences > 0)
        g_test_message("%u of %u elements of %s differ", differences, argument->count,
                       argument->name);
    g_assert_cmpuint(differences, ==, 0);
}

/* Buffers as whoever has executed the launch left them. */
static gboolean read_dumps(const CorpusLaunch *launch, const char *folder, gpointer *buffers,
                           GError **error)
{
    for (guint i = 0; launch->arguments[i].name; i++) {
        const CorpusArgument *argument = &launch->arguments[i];
        g_autofree char *name = g_strdup_printf("%s.%u", launch->name, i);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        char *bytes = NULL;
        gsize length = 0;
        if (argument->count == 0)
            continue;
        if (!g_file_get_contents(path, &bytes, &length, error))
            return FALSE;
        g_assert_cmpuint(length, ==, corpus_buffer_size(argument));
        g_free(buffers[i]);
        buffers[i] = bytes;
    }
    return TRUE;
}

static void check_launch(gconstpointer data)
{
    const char *dumps = g_getenv("CORPUS_DUMPS");
    const CorpusLaunch *launch = data;
    g_autoptr(GError) error = NULL;
    gpointer *actual = corpus_buffers_new(launch);
    gpointer *expected = corpus_buffers_new(launch);
    launch->expect(launch, expected);
    if (dumps ? read_dumps(launch, dumps, actual, &error) : corpus_run(launch, actual, &error)) {
        for (guint i = 0; launch->arguments[i].name; i++)
            if (launch->arguments[i].count > 0)
                compare(launch, i, actual[i], expected[i]);
    } else {
        g_assert_no_error(error);
    }
    corpus_buffers_free(actual);
    corpus_buffers_free(expected);
}

/* A launch that changes nothing would pass with an executor that does nothing. */
static void check_change(void)
{
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++) {
        gpointer *before = corpus_buffers_new(launch);
        gpointer *after = corpus_buffers_new(launch);
        guint changed = 0;
        launch->expect(launch, after);
        for (guint i = 0; launch->arguments[i].name; i++)
            changed += after[i] &&
                       memcmp(before[i], after[i], corpus_buffer_size(&launch->arguments[i])) != 0;
        g_test_message("%s changes %u buffers", launch->name, changed);
        g_assert_cmpuint(changed, >, 0);
        g_assert_true((launch->ulps > 0) == (launch->why != NULL));
        corpus_buffers_free(before);
        corpus_buffers_free(after);
    }
}

/* The file holds these bytes; or does from now on. */
static void check_file(const char *path, gconstpointer data, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *there = NULL;
    gsize there_length = 0;
    if (g_getenv("CORPUS_UPDATE"))
        g_file_set_contents(path, data, (gssize)length, &error);
    g_assert_no_error(error);
    g_test_message("%s", path);
    g_file_get_contents(path, &there, &there_length, &error);
    g_assert_no_error(error);
    g_assert_cmpmem(there, there_length, data, length);
}

static void check_texts(void)
{
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++) {
        g_autofree char *path = g_strdup_printf(FOLDER "/%s.launch", launch->name);
        g_autofree char *text = corpus_launch_text(launch);
        gpointer *buffers = corpus_buffers_new(launch);
        check_file(path, text, strlen(text));
        for (guint i = 0; launch->arguments[i].name; i++) {
            const CorpusArgument *argument = &launch->arguments[i];
            g_autofree char *file = corpus_data_file(launch, argument);
            g_autofree char *data_path = g_build_filename(FOLDER, file, NULL);
            if (argument->fill)
                check_file(data_path, buffers[i], corpus_buffer_size(argument));
        }
        corpus_buffers_free(buffers);
    }
}

/* ".visible .entry NAME(" on a line of its own */
static char *kernel_of_line(const char *line)
{
    const char *entry = strstr(line, ".entry ");
    const char *end = entry ? strchr(entry, '(') : NULL;
    if (!end || g_str_has_prefix(line, "//"))
        return NULL;
    return g_strndup(entry + strlen(".entry "), (gsize)(end - entry) - strlen(".entry "));
}

static gboolean has_launch(const char *ptx, const char *kernel)
{
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++)
        if (g_str_equal(launch->ptx, ptx) && g_str_equal(launch->kernel, kernel))
            return TRUE;
    return FALSE;
}

/* Each kernel of a file has a launch, and its line table names no folder. */
static guint check_ptx(const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(FOLDER, name, NULL);
    g_autofree char *text = NULL;
    guint kernels = 0;
    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_autofree char *kernel = kernel_of_line(*line);
        if (kernel) {
            g_test_message("%s of %s", kernel, name);
            g_assert_true(has_launch(name, kernel));
            kernels++;
        }
        if (strstr(*line, ".file"))
            g_assert_null(strchr(*line, '/'));
    }
    g_assert_cmpuint(kernels, >, 0);
    return kernels;
}

static void check_kernels(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, &error);
    const char *name = NULL;
    guint kernels = 0;
    g_assert_no_error(error);
    while (folder && (name = g_dir_read_name(folder)))
        if (g_str_has_suffix(name, ".ptx"))
            kernels += check_ptx(name);
    g_assert_cmpuint(kernels, >=, 30);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    if (g_getenv("CORPUS_UPDATE"))
        g_mkdir_with_parents(FOLDER "/data", 0777);
    g_test_add_func("/corpus/kernels", check_kernels);
    g_test_add_func("/corpus/texts", check_texts);
    g_test_add_func("/corpus/change", check_change);
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++) {
        g_autofree char *path = g_strdup_printf("/corpus/launch/%s", launch->name);
        g_test_add_data_func(path, launch, check_launch);
    }
    return g_test_run();
}
