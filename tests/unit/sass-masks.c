/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of several lanes in machine code: it says which lanes take part in a branch or a wait
 * before them, and a mask that leaves out a lane that executes it is told.
 */
#include "ptx/run/run.h"
#include "tests/help/sass.h"

#include <string.h>

#define THREADS 32

/* What one group in which the first n lanes execute both operations is told; g_ptr_array_unref. */
static GPtrArray *warnings_of(guint n, guint32 mask)
{
    static const PsPtxListener silent;
    const guint group[3] = {0, 0, 0};
    guint32 out[THREADS] = {0};
    const PsPtxArgument arguments[] = {{.name = "out", .data = (guint8 *)out, .size = sizeof out},
                                       {.name = "n", .bits = n},
                                       {.name = "mask", .bits = mask}};
    g_autoptr(GError) error = NULL;
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("masks-80", "masks", &image);
    const PsPtxLaunch launch = {.kernel = code->module->functions->pdata[0],
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    GPtrArray *told = g_ptr_array_new_with_free_func(g_free);
    PsPtxMachine *machine = ps_ptx_machine_new(code->module, &launch, &error);
    g_assert_no_error(error);
    g_assert_true(ps_ptx_run_group(machine, group, &silent, &error));
    g_assert_no_error(error);
    const GPtrArray *warnings = ps_ptx_machine_warnings(machine);
    for (guint i = 0; i < warnings->len; i++)
        g_ptr_array_add(told, g_strdup(warnings->pdata[i]));
    ps_ptx_machine_free(machine);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
    return told;
}

/* How many of the texts say that of a mask and a lane. */
static guint count(const GPtrArray *told, const char *mask, guint lane)
{
    guint n = 0;
    g_autofree char *text = g_strdup_printf(
        "thread (%u,0,0) of group (0,0,0) executes an operation of several lanes whose mask %s "
        "leaves out its lane, %u",
        lane, mask, lane);
    for (guint i = 0; i < told->len; i++)
        n += strstr(told->pdata[i], text) != NULL;
    return n;
}

static void test_all_named(void)
{
    g_autoptr(GPtrArray) told = warnings_of(8, 0xff), more = warnings_of(5, G_MAXUINT32);
    g_assert_cmpuint(told->len, ==, 0);
    g_assert_cmpuint(more->len, ==, 0);
}

/* A mask that is an argument: the lane is the first that it leaves out. */
static void test_argument(void)
{
    g_autoptr(GPtrArray) told = warnings_of(8, 0x3f);
    g_assert_cmpuint(told->len, ==, 1);
    g_assert_cmpuint(count(told, "0x0000003f", 6), ==, 1);
}

/* A mask that is a number in the code. */
static void test_number(void)
{
    g_autoptr(GPtrArray) told = warnings_of(16, 0xffff);
    g_assert_cmpuint(told->len, >=, 1);
    g_assert_cmpuint(count(told, "0x000000ff", 8), ==, told->len);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-masks/all-named", test_all_named);
    g_test_add_func("/sass-masks/argument", test_argument);
    g_test_add_func("/sass-masks/number", test_number);
    return g_test_run();
}
