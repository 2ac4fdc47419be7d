/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of parameters from a source that was changed since it was compiled: by the compiler's note
 * of its size and time, they are none of the code's, or doubtful.
 */
#include "ptx/names.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

static const char source[] = "__global__ void k(float *out, int n, int m) { out[n] = m; }\n";
static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c)\n"
                           "{ ret; }\n";

typedef struct {
    char *folder, *path;
    PsPtxModule *module;
} Case;

/* A module whose code was compiled from a file of that size and age, which has the source now. */
static Case case_new(guint64 size, gint64 older)
{
    Case one = {.folder = g_dir_make_tmp("pipesim-XXXXXX", NULL)};
    GStatBuf now;
    one.path = g_build_filename(one.folder, "k.cu", NULL);
    g_assert_true(g_file_set_contents(one.path, source, -1, NULL));
    g_assert_cmpint(g_stat(one.path, &now), ==, 0);
    one.module = ps_ptx_parse(text, strlen(text), "nowhere/k.cubin", NULL);
    g_assert_nonnull(one.module);
    const PsPtxStamp stamp = {
        .time = older == G_MININT64 ? 0 : (guint64)((gint64)now.st_mtime - older), .size = size};
    g_hash_table_insert(one.module->files, GUINT_TO_POINTER(1), g_strdup(one.path));
    g_hash_table_insert(one.module->stamps, g_strdup(one.path), g_memdup2(&stamp, sizeof stamp));
    return one;
}

static void case_clear(Case *one)
{
    ps_ptx_free(one->module);
    g_unlink(one->path);
    g_rmdir(one->folder);
    g_free(one->path);
    g_free(one->folder);
}

static char **names_of(const Case *one, char **doubt)
{
    return ps_ptx_find_names(one->module, one->module->functions->pdata[0], NULL, doubt);
}

/* The same size, and no later time: the names are the code's. So are they where nothing is noted.
 */
static void test_same(void)
{
    static const struct {
        guint64 size;
        gint64 older;
    } rows[] = {{sizeof source - 1, 0},
                {sizeof source - 1, -9},
                {0, 0},
                {0, G_MININT64},
                {sizeof source - 1, G_MININT64}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Case one = case_new(rows[i].size, rows[i].older);
        g_autofree char *doubt = NULL;
        g_auto(GStrv) names = names_of(&one, &doubt);
        g_assert_cmpstr(doubt, ==, NULL);
        g_assert_nonnull(names);
        g_assert_cmpstr(names[1], ==, "n");
        case_clear(&one);
    }
}

/* Another size: there are no names. */
static void test_changed(void)
{
    Case one = case_new(sizeof source + 4, 0);
    g_autofree char *doubt = NULL;
    g_auto(GStrv) names = names_of(&one, &doubt);
    g_autofree char *says =
        g_strdup_printf("%s was changed since it was compiled: it had %u bytes, and has %u",
                        one.path, (guint)sizeof source + 4, (guint)sizeof source - 1);
    g_assert_null(names);
    g_assert_cmpstr(doubt, ==, says);
    case_clear(&one);
}

/* A later time, as where two names have changed places: there is a doubt. */
static void test_later(void)
{
    Case one = case_new(sizeof source - 1, 60);
    g_autofree char *doubt = NULL;
    g_auto(GStrv) names = names_of(&one, &doubt);
    g_autofree char *says = g_strdup_printf("%s was written again since it was compiled", one.path);
    g_assert_nonnull(names);
    g_assert_cmpstr(doubt, ==, says);
    case_clear(&one);
}

/* A source that was written after the code's file has no names for it, whether the compiler noted
 * when or not: two of them may have changed places. One that came with it has: they were unpacked
 * in any order. A note that the source has not changed counts more. */
static void test_after_code(void)
{
    static const struct {
        gint64 older, after;
        gboolean changed;
    } rows[] = {{G_MININT64, 60, TRUE}, {60, 60, TRUE}, {G_MININT64, 5, FALSE}, {0, 60, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Case one = case_new(sizeof source - 1, rows[i].older);
        GStatBuf now;
        g_assert_cmpint(g_stat(one.path, &now), ==, 0);
        g_free(one.module->path);
        one.module->path = g_build_filename(one.folder, "k.ptx", NULL);
        g_assert_true(g_file_set_contents(one.module->path, text, -1, NULL));
        struct utimbuf code = {now.st_mtime - rows[i].after, now.st_mtime - rows[i].after};
        g_assert_cmpint(g_utime(one.module->path, &code), ==, 0);
        g_autofree char *doubt = NULL;
        g_auto(GStrv) names = names_of(&one, &doubt);
        g_autofree char *says =
            g_strdup_printf("%s was written after %s, which was compiled from it: compile that "
                            "again, or touch %s if the source is the same",
                            one.path, one.module->path, one.module->path);
        g_assert_true(rows[i].changed == !names);
        g_assert_cmpstr(doubt, ==, rows[i].changed ? says : NULL);
        g_unlink(one.module->path);
        case_clear(&one);
    }
}

/* Two sources of the module declare a kernel of that name. Where the names differ, in number alike,
 * nobody knows whose they are; where another has none of that name, it makes no difference. */
static void test_two_sources(void)
{
    static const struct {
        const char *other;
        gboolean differs;
    } rows[] = {{"__global__ void k(float *out, int m, int n) { out[m] = n; }\n", TRUE},
                {"__global__ void k(float *out, int n, int m);\n", FALSE},
                {"__global__ void k(float *out);\n", FALSE},
                {"__global__ void j(float *out, int m, int n);\n", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Case one = case_new(0, 0);
        g_autofree char *doubt = NULL, *path = g_build_filename(one.folder, "l.cu", NULL);
        g_assert_true(g_file_set_contents(path, rows[i].other, -1, NULL));
        g_hash_table_insert(one.module->files, GUINT_TO_POINTER(2), g_strdup(path));
        g_auto(GStrv) names = names_of(&one, &doubt);
        g_autofree char *says =
            g_strdup_printf("%s and %s declare it with different names", one.path, path);
        g_assert_cmpstr(doubt, ==, rows[i].differs ? says : NULL);
        g_assert_cmpstr(names ? names[1] : NULL, ==, rows[i].differs ? NULL : "n");
        g_unlink(path);
        case_clear(&one);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-stale-names/same", test_same);
    g_test_add_func("/ptx-stale-names/changed", test_changed);
    g_test_add_func("/ptx-stale-names/later", test_later);
    g_test_add_func("/ptx-stale-names/after-code", test_after_code);
    g_test_add_func("/ptx-stale-names/two-sources", test_two_sources);
    return g_test_run();
}
