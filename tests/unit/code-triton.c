/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory of a launch, from the file that Triton writes beside a cubin. */
#include "code/triton.h"

#include <glib/gstdio.h>

static const char text[] = "{\"num_warps\": 4, \"target\": {\"name\": \"x\", \"shared\": 1},\n"
                           " \"shared\": 8192, \"name\": \"matmul\"}";

static void test_shared(void)
{
    static const struct {
        const char *text;
        guint64 shared;
    } cases[] = {{text, 8192},
                 {"{\"name\": \"matmul\"}", 0},
                 {"{\"shared\": 8192}", 0},
                 {"{\"name\": \"add\", \"shared\": 8192}", 0},
                 {"{\"name\": \"matmul\", \"shared\": \"8192\"}", 0},
                 {"{\"name\": \"matmul\", \"shared\": -1}", 0},
                 {"{\"name\": \"matmul\", \"shared\": 99999999999}", 0},
                 {"{\"name\": \"matmul\", \"shared\": 8192", 0},
                 {"[8192]", 0},
                 {"", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpuint(ps_triton_shared(cases[i].text, "matmul"), ==, cases[i].shared);
}

static void test_beside(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("triton-XXXXXX", &error),
                    *cubin = g_build_filename(folder, "matmul.cubin", NULL),
                    *ptx = g_build_filename(folder, "matmul.ptx", NULL),
                    *json = g_build_filename(folder, "matmul.json", NULL), *where = NULL;
    g_assert_null(ps_triton_beside(cubin, &where));
    g_assert_null(where);
    g_file_set_contents(json, text, -1, &error);
    g_assert_no_error(error);
    g_assert_null(ps_triton_beside(ptx, NULL));
    g_autofree char *read = ps_triton_beside(cubin, &where);
    g_assert_cmpstr(read, ==, text);
    g_assert_cmpstr(where, ==, json);
    g_unlink(json);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code-triton/shared", test_shared);
    g_test_add_func("/code-triton/beside", test_beside);
    return g_test_run();
}
