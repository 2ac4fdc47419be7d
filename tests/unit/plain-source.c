/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of sources for compilers: what is in the copy, and where headers are found. */
#include "code/plain-source.h"

#include <string.h>

static void check(const char *path, const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_auto(PsPlainSource) plain = {0};
    g_autofree char *copy = NULL;
    g_assert_true(ps_plain_source_init(&plain, path, text, &error));
    g_assert_no_error(error);
    g_assert_true(g_str_has_suffix(plain.path, strrchr(path, '.')));
    g_assert_true(g_file_get_contents(plain.path, &copy, NULL, NULL));
    g_assert_cmpstr(copy, ==, expected);
    g_autofree char *beside = g_file_read_link(plain.beside, NULL),
                    *folder = g_path_get_dirname(path),
                    *whole = g_canonicalize_filename(folder, NULL);
    g_assert_cmpstr(beside, ==, whole);
}

/* A mark of the byte order does not come behind the line that names the file. */
static void test_copies(void)
{
    check("in/k.cu", "int a;\n", "#line 1 \"in/k.cu\"\nint a;\n");
    check("in/k.cu", "\xEF\xBB\xBFint a;\n", "#line 1 \"in/k.cu\"\nint a;\n");
    check("a b\"/k.cl", "", "#line 1 \"a\\040b\\042/k.cl\"\n");
}

/* What can be told to a compiler as it is, is. */
static void test_plain(void)
{
    g_auto(PsPlainSource) plain = {0};
    g_assert_true(ps_plain_source_init(&plain, "tests/corpus/saxpy.cu", NULL, NULL));
    g_assert_cmpstr(plain.path, ==, "tests/corpus/saxpy.cu");
    g_assert_null(plain.folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plain-source/copies", test_copies);
    g_test_add_func("/plain-source/plain", test_plain);
    return g_test_run();
}
