/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code of clusters: groups know their place, reach memory by their rank, and meet.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "tests/help/sass.h"
#include <string.h>

#define GROUPS_X 4
#define GROUPS_Y 6
#define THREADS 32

/* Executes all groups, of PTX or machine code; FALSE: *error is set. */
static gboolean run(const PsPtxModule *module, const char *name, guint32 *out, GError **error)
{
    const PsPtxArgument argument = {.data = (guint8 *)out,
                                    .size = sizeof *out * GROUPS_X * GROUPS_Y * THREADS};
    PsPtxLaunch launch = {.grid = {GROUPS_X, GROUPS_Y, 1},
                          .block = {THREADS, 1, 1},
                          .arguments = &argument,
                          .kernel = ps_ptx_kernel(module, name, error)};
    g_assert_no_error(*error);
    launch.n_arguments = launch.kernel->params->len;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    for (guint y = 0; y < GROUPS_Y; y++)
        for (guint x = 0; x < GROUPS_X; x++)
            if (ps_ptx_group_leads(machine, (const guint[3]){x, y, 0}) &&
                !ps_ptx_run_group(machine, (const guint[3]){x, y, 0}, NULL, error))
                return FALSE;
    g_assert_cmpuint(ps_ptx_machine_warnings(machine)->len, ==, 0);
    return TRUE;
}

static guint32 expected(guint x, guint y)
{
    const guint in_x = x % 2, in_y = y % 3, size = 2 * 3;
    return in_y * 2 + in_x + 10 * size + 100 * in_x + 1000 * in_y + 10000 * 3 + 100000 * (x / 2) +
           1000000 * (y / 3) + 10000000 * (GROUPS_X / 2) + 100000000 * (GROUPS_Y / 3);
}

static void check_places(const PsPtxModule *module)
{
    g_autofree guint32 *out = g_new0(guint32, GROUPS_X * GROUPS_Y * THREADS);
    g_autoptr(GError) error = NULL;
    run(module, "places", out, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < GROUPS_X * GROUPS_Y * THREADS; i++)
        g_assert_cmpuint(out[i], ==, expected(i / THREADS % GROUPS_X, i / THREADS / GROUPS_X));
}

/* From sm_100 on a special register says where the words of clusters lie. */
static void test_places(void)
{
    static const char *const files[] = {"cluster-90", "cluster-100"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        PsSassImage *image = NULL;
        PsSassCode *code = sass_code(files[i], "places", &image);
        g_assert_cmpuint(code->module->warnings->len, ==, 0);
        check_places(code->module);
        ps_sass_code_free(code);
        ps_sass_image_free(image);
    }
}

static void test_ptx(void)
{
    g_autoptr(GBytes) text = sass_file("cluster.ptx");
    g_autoptr(GError) error = NULL;
    gsize size;
    const char *data = g_bytes_get_data(text, &size);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(data, size, "cluster.ptx", &error);
    g_assert_no_error(error);
    check_places(module);
}

static void test_meets(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("cluster-90", "meets", &image);
    g_autoptr(GError) error = NULL;
    g_assert_true(run(code->module, "meets", NULL, &error));
    g_assert_no_error(error);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void test_own(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("cluster-90", "own", &image);
    g_autofree guint32 *out = g_new0(guint32, GROUPS_X * GROUPS_Y * THREADS);
    g_autoptr(GError) error = NULL;
    run(code->module, "own", out, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < GROUPS_X * GROUPS_Y * THREADS; i++)
        g_assert_cmpuint(out[i], ==, 3 * i);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void test_others(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("cluster-90", "others", &image);
    g_autofree guint32 *out = g_new0(guint32, GROUPS_X * GROUPS_Y * THREADS);
    g_autoptr(GError) error = NULL;
    g_assert_false(run(code->module, "others", out, &error));
    g_assert_nonnull(strstr(error->message,
                            "thread (0,0,0) of group (1,2,0) accesses shared memory "
                            "of the group of rank 4 in its cluster, which has ended; "
                            "a barrier of the cluster at the end keeps it"));
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-cluster/places", test_places);
    g_test_add_func("/sass-cluster/ptx", test_ptx);
    g_test_add_func("/sass-cluster/meets", test_meets);
    g_test_add_func("/sass-cluster/own", test_own);
    g_test_add_func("/sass-cluster/others", test_others);
    return g_test_run();
}
