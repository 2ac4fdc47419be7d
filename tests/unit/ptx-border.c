/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids that are larger than what the kernel works on: a fault of one group at a corner of what
 * lies within the border ends the run, although the group lies in the midst of a face, or inside of
 * the grid.
 */
#include "base/message.h"
#include "lift/build-private.h"
#include "tests/help/seeds.h"

#include <stdio.h>
#include <string.h>

/* Leaves where the group lies behind the last one that has something to do, and shortens the work
 * of that one if it is cut. */
#define GUARD(D)                                                                                   \
    "mov.u32 %r1, %ctaid." D "; ld.param.u32 %r2, [work" D "]; setp.ge.u32 %p1, %r1, %r2;\n"       \
    "@%p1 bra END;\n"                                                                              \
    "sub.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, %r2; ld.param.u32 %r3, [cut];\n"                   \
    "selp.u32 %r3, %r3, 0, %p1; sub.u32 %r6, %r6, %r3;\n"
#define IS_AT(D)                                                                                   \
    "mov.u32 %r1, %ctaid." D "; ld.param.u32 %r2, [bad" D "];\n"                                   \
    "setp.eq.and.u32 %p2, %r1, %r2, %p2;\n"

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 data, .param .u32 workx, .param .u32 worky, .param .u32 workz,\n"
    ".param .u32 badx, .param .u32 bady, .param .u32 badz, .param .u32 cut)\n{\n"
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
    "ld.param.u64 %rd1, [data]; mov.u32 %r6, 9;\n"
    "setp.eq.u32 %p2, %r6, 9;\n" IS_AT("x") IS_AT("y")
        IS_AT("z") "@%p2 ld.global.u32 %r9, [%rd1+4096];\n" GUARD("x") GUARD("y")
            GUARD("z") "LOOP: sub.u32 %r6, %r6, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra LOOP;\n"
                       "st.global.u32 [%rd1], %r6;\n"
                       "END: ret;\n}\n";

typedef struct {
    guint grid[3], work[3], bad[3];
    guint cut; /* iterations that the last groups with work leave out for each direction */
} Launch;

static gboolean run(const Launch *launch, GError **error)
{
    static const char *const names[] = {"data", "workx", "worky", "workz",
                                        "badx", "bady",  "badz",  "cut"};
    const guint values[] = {0,
                            launch->work[0],
                            launch->work[1],
                            launch->work[2],
                            launch->bad[0],
                            launch->bad[1],
                            launch->bad[2],
                            launch->cut};
    guint32 data = 0;
    g_autoptr(GError) bad = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &bad);
    g_assert_no_error(bad);
    PsPtxArgument arguments[8];
    PsBuildOptions options;
    PsSamples samples;
    ps_build_options_init(&options);
    for (guint i = 0; i < 8; i++)
        arguments[i] = (PsPtxArgument){.name = names[i], .bits = values[i]};
    arguments[0].data = (guint8 *)&data;
    arguments[0].size = sizeof data;
    options.module = module;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(module, "k", &bad),
                                   .block = {32, 1, 1},
                                   .n_arguments = 8,
                                   .arguments = arguments};
    memcpy(options.launch.grid, launch->grid, sizeof launch->grid);
    const gboolean good = ps_samples_run(&samples, &options, error);
    ps_samples_clear(&samples);
    return good;
}

/* The first place, the last one with all of its work, the one behind it, the last one of all. */
static guint random_corner(GRand *rand, guint grid, guint work, guint cut)
{
    const guint whole = work - 1 - MIN(cut, work - 1);
    const guint all[] = {0, whole, MIN(whole + 1, grid - 1), grid - 1};
    return all[g_rand_int_range(rand, 0, 4)];
}

static Launch random_launch(GRand *rand)
{
    Launch launch = {.grid = {1, 1, 1}, .work = {1, 1, 1}};
    const guint n = (guint)g_rand_int_range(rand, 1, 4);
    launch.cut = (guint)g_rand_int_range(rand, 0, 2);
    for (guint d = 0; d < n; d++) {
        const guint grid = (guint)g_rand_int_range(rand, 2, d == 0 ? 60000 : 300);
        const guint more = (guint)g_rand_int_range(rand, 0, 4);
        launch.grid[d] = grid;
        launch.work[d] =
            more < 3 ? grid - MIN(more, grid - 1)
                     : (guint)g_rand_int_range(rand, (gint32)(grid + 1) / 2, (gint32)grid + 1);
    }
    for (guint d = 0; d < 3; d++)
        launch.bad[d] = random_corner(rand, launch.grid[d], launch.work[d], launch.cut);
    return launch;
}

static gboolean check_corner(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    const Launch launch = random_launch(rand);
    guint at[3] = {0};
    (void)data;
    const gboolean ends = !run(&launch, &error);
    const char *group = error ? strstr(error->message, "group (") : NULL;
    const gboolean good = ends && g_error_matches(error, PS_ERROR, PS_ERROR_VALUE) && group &&
                          sscanf(group, "group (%u,%u,%u)", &at[0], &at[1], &at[2]) == 3 &&
                          memcmp(at, launch.bad, sizeof at) == 0;
    if (!good)
        g_test_message("seed %u: %u,%u,%u of %u x %u x %u groups, %u x %u x %u with work: %s", seed,
                       launch.bad[0], launch.bad[1], launch.bad[2], launch.grid[0], launch.grid[1],
                       launch.grid[2], launch.work[0], launch.work[1], launch.work[2],
                       error ? error->message : "nothing is told");
    return good;
}

static void test_corners(void)
{
    seeds_check((SeedCounts){800, 20}, check_corner, NULL);
}

/* One group too many in both directions, and a fault of one group of the last column. */
static void test_last_column(void)
{
    g_autoptr(GError) error = NULL;
    const Launch launch = {.grid = {33, 129, 1}, .work = {33, 128, 1}, .bad = {32, 127, 0}};
    g_assert_false(run(&launch, &error));
    g_assert_nonnull(strstr(error->message, "group (32,127,0) reads 4 bytes"));
}

/* Most of a launch has nothing to do, the middle neither. */
static void test_most_idle(void)
{
    g_autoptr(GError) error = NULL;
    const Launch launch = {.grid = {1000, 1, 1}, .work = {300, 1, 1}, .bad = {299, 0, 0}};
    g_assert_false(run(&launch, &error));
    g_assert_nonnull(strstr(error->message, "group (299,0,0) reads 4 bytes"));
}

/* Without a fault all is well. */
static void test_none(void)
{
    g_autoptr(GError) error = NULL;
    const Launch launch = {.grid = {33, 129, 1}, .work = {32, 128, 1}, .bad = {99, 0, 0}};
    g_assert_true(run(&launch, &error));
    g_assert_no_error(error);
}

/* Each group of a grid, however its sides differ, has a number of its own. */
static void test_numbers(void)
{
    static const guint grids[][3] = {{2, 5, 3}, {5, 2, 3}, {3, 2, 5}, {1, 4, 4}, {4, 1, 4}};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++) {
        const guint *grid = grids[g];
        PsBuildOptions options = {.launch = {.grid = {grid[0], grid[1], grid[2]}}};
        g_autoptr(GHashTable) numbers =
            g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
        PsSamples samples = {.options = &options,
                             .census = ps_census_new(1, 1),
                             .numbers = numbers,
                             .tally = ps_tally_new(1)};
        guint64 number;
        for (guint i = 0; i < grid[0] * grid[1] * grid[2]; i++) {
            const guint group[3] = {i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]};
            g_assert_false(ps_samples_number(&samples, group, &number));
            ps_samples_note(&samples, group);
            g_assert_true(ps_samples_number(&samples, group, &number));
        }
        ps_census_free(samples.census);
        ps_tally_free(samples.tally);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-border/corners", test_corners);
    g_test_add_func("/ptx-border/last-column", test_last_column);
    g_test_add_func("/ptx-border/most-idle", test_most_idle);
    g_test_add_func("/ptx-border/none", test_none);
    g_test_add_func("/ptx-border/numbers", test_numbers);
    return g_test_run();
}
