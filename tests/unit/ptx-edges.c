/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups at the faces, edges and corners of a grid: whatever they do otherwise than those inside,
 * kinds have exactly as many groups as there are, and no fault there is lost. The kernel looks up
 * what a group does by where it lies: on the first, an inner or the last place in each direction.
 */
#include "base/message.h"
#include "lift/build-private.h"
#include "tests/help/seeds.h"

#include <stdio.h>
#include <string.h>

#define STRATA 27
#define THREADS 64

/* Adds to %r5, in the base of 3, where the group lies in a direction. */
#define PLACE(D)                                                                                   \
    "mov.u32 %r1, %ctaid." D "; mov.u32 %r2, %nctaid." D ";\n"                                     \
    "sub.u32 %r3, %r2, 1; mov.u32 %r4, 1; setp.gt.u32 %p1, %r2, 1;\n"                              \
    "setp.eq.and.u32 %p2, %r1, 0, %p1; selp.u32 %r4, 0, %r4, %p2;\n"                               \
    "setp.eq.and.u32 %p2, %r1, %r3, %p1; selp.u32 %r4, 2, %r4, %p2;\n"                             \
    "mad.lo.u32 %r5, %r5, 3, %r4;\n"

/* By place: trips of a loop; whether the second warp has nothing to do; and what goes wrong. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 trips, .param .u64 halves, .param .u64 faults)\n{\n"
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
    "ld.param.u64 %rd1, [trips]; ld.param.u64 %rd2, [halves]; ld.param.u64 %rd3, [faults];\n"
    "mov.u32 %r5, 0;\n" PLACE("x") PLACE("y") PLACE(
        "z") "mul.wide.u32 %rd4, %r5, 4;\n"
             "add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r6, [%rd5];\n"
             "add.u64 %rd6, %rd2, %rd4; ld.global.u32 %r7, [%rd6];\n"
             "add.u64 %rd7, %rd3, %rd4; ld.global.u32 %r8, [%rd7];\n"
             "mov.u32 %r9, %tid.x; setp.ge.u32 %p3, %r9, 32; setp.ne.and.u32 %p3, %r7, 0, %p3;\n"
             "@%p3 bra END;\n"
             "setp.eq.u32 %p4, %r8, 1; @%p4 bra OUTSIDE; setp.eq.u32 %p4, %r8, 2; @%p4 bra TRAP;\n"
             "setp.eq.u32 %p4, %r8, 3; @%p4 bra ENDLESS; setp.eq.u32 %p4, %r8, 4; @%p4 bra "
             "DEADLOCK;\n"
             "LOOP: setp.eq.u32 %p5, %r6, 0; @%p5 bra END; sub.u32 %r6, %r6, 1; bra LOOP;\n"
             "OUTSIDE: ld.global.u32 %r6, [%rd7+4096]; bra END;\n"
             "TRAP: trap;\n"
             "ENDLESS: add.u32 %r6, %r6, 1; bra ENDLESS;\n"
             "DEADLOCK: bar.sync 1, 96;\n"
             "END: ret;\n}\n";

/* What groups do, by place. */
typedef struct {
    guint grid[3];
    guint32 trips[STRATA], halves[STRATA], faults[STRATA];
} Work;

static guint place_of(const guint grid[3], const guint group[3])
{
    guint place = 0;
    for (int d = 0; d < 3; d++)
        place = 3 * place + (grid[d] == 1              ? 1
                             : group[d] == 0           ? 0
                             : group[d] == grid[d] - 1 ? 2
                                                       : 1);
    return place;
}

/* How many groups lie at the place, counted one direction after the other. */
static guint64 groups_at(const guint grid[3], guint place)
{
    guint64 groups = 1;
    const guint at[] = {place / 9, place / 3 % 3, place % 3};
    for (int d = 0; d < 3; d++)
        groups *= grid[d] == 1 ? at[d] == 1 : at[d] == 1 ? grid[d] - 2 : 1;
    return groups;
}

/* Executes what shows the kinds; FALSE and *error: a group has a fault. */
static gboolean run(Work *work, guint64 most, PsSamples *samples, GError **error)
{
    static const char *const names[] = {"trips", "halves", "faults"};
    guint32 *const data[] = {work->trips, work->halves, work->faults};
    g_autoptr(GError) bad = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &bad);
    g_assert_no_error(bad);
    PsPtxArgument arguments[3];
    PsBuildOptions options;
    ps_build_options_init(&options);
    for (guint i = 0; i < 3; i++)
        arguments[i] = (PsPtxArgument){
            .name = names[i], .data = (guint8 *)data[i], .size = STRATA * sizeof(guint32)};
    options.module = module;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(module, "k", &bad),
                                   .block = {THREADS, 1, 1},
                                   .n_arguments = 3,
                                   .arguments = arguments,
                                   .most_instructions = most};
    memcpy(options.launch.grid, work->grid, sizeof work->grid);
    const gboolean good = ps_samples_run(samples, &options, error);
    samples->options = NULL;
    return good;
}

static guint one_of(GRand *rand, const guint *list, guint n)
{
    return list[g_rand_int_range(rand, 0, (gint32)n)];
}

#define ONE_OF(RAND, ...)                                                                          \
    one_of(RAND, (const guint[]){__VA_ARGS__}, sizeof((const guint[]){__VA_ARGS__}) / sizeof(guint))

/* Grids of one to three directions. Where `much`, so that groups are not recorded for nothing, but
 * counted first. */
static Work random_work(GRand *rand, gboolean much)
{
    Work work = {.grid = {1, 1, 1}};
    const guint n = ONE_OF(rand, 1, 2, 3);
    for (guint d = 0; d < n; d++)
        work.grid[d] = ONE_OF(rand, 1, 2, 3, 4, 5, 9, 17, 64, 1000, 65535);
    const gboolean alike = ONE_OF(rand, 0, 0, 1);
    for (guint place = 0; place < STRATA; place++) {
        work.trips[place] = much ? ONE_OF(rand, 9000, 9001, 30000) : ONE_OF(rand, 0, 1, 7, 100);
        work.halves[place] = ONE_OF(rand, 0, 0, 1);
        if (alike && place > 0 && g_rand_int_range(rand, 0, 4) > 0) {
            work.trips[place] = work.trips[0];
            work.halves[place] = work.halves[0];
        }
    }
    return work;
}

/* ---- shares --------------------------------------------------------------------------------- */

static gboolean is_like(const Work *work, guint a, guint b)
{
    return work->trips[a] == work->trips[b] && work->halves[a] == work->halves[b];
}

/* Groups at places with the same work as there. */
static guint64 groups_like(const Work *work, guint of)
{
    guint64 groups = 0;
    for (guint place = 0; place < STRATA; place++)
        groups += is_like(work, of, place) ? groups_at(work->grid, place) : 0;
    return groups;
}

/* Each kind has as many groups as there are at places with such work. */
static gboolean has_shares(const Work *work, const PsSamples *samples)
{
    guint64 sum = 0;
    double share = 0;
    for (guint k = 0; k < samples->kinds->len; k++) {
        const PsKind *kind = &g_array_index(samples->kinds, PsKind, k);
        const guint of = place_of(work->grid, kind->group->group);
        if (kind->groups != groups_like(work, of)) {
            g_test_message("a kind at place %u has %" G_GUINT64_FORMAT " groups", of, kind->groups);
            return FALSE;
        }
        sum += kind->groups;
        share += kind->share;
    }
    return sum == (guint64)work->grid[0] * work->grid[1] * work->grid[2] && ABS(share - 1) < 1e-9;
}

/* What the seeds are looked at for, and what came of it. */
typedef struct {
    gboolean much;
    guint counted; /* groups that were not recorded */
} Shares;

static gboolean check_shares(guint32 seed, gpointer data)
{
    Shares *shares = data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    Work work = random_work(rand, shares->much);
    PsSamples samples;
    const gboolean good = run(&work, 0, &samples, &error) && has_shares(&work, &samples);
    if (!good)
        g_test_message("seed %u, grid of %u x %u x %u: %s", seed, work.grid[0], work.grid[1],
                       work.grid[2], error ? error->message : "shares are not what groups are");
    shares->counted += samples.counted ? samples.counted->len : 0;
    ps_samples_clear(&samples);
    return good;
}

static void test_shares(void)
{
    Shares shares = {.much = FALSE};
    seeds_check((SeedCounts){400, 20}, check_shares, &shares);
}

static void test_counted(void)
{
    Shares shares = {.much = TRUE};
    if (seeds_check((SeedCounts){16, 4}, check_shares, &shares) > 1)
        g_assert_cmpuint(shares.counted, >, 0);
}

/* ---- faults --------------------------------------------------------------------------------- */

enum { OUTSIDE = 1, TRAP, ENDLESS, DEADLOCK };

static guint random_place(GRand *rand, const guint grid[3])
{
    for (;;) {
        const guint place = (guint)g_rand_int_range(rand, 0, STRATA);
        if (groups_at(grid, place) > 0)
            return place;
    }
}

/* TRUE if the error is that fault, in a group at the place, with the line. */
static gboolean is_told(const Work *work, guint place, const GError *error)
{
    static const char *const says[] = {NULL, "reads 4 bytes", "came to a trap", "is not done after",
                                       "wait for each other"};
    const guint fault = work->faults[place];
    guint group[3] = {0};
    const char *at = strstr(error->message, "group (");
    return g_error_matches(error, PS_ERROR, fault == ENDLESS ? PS_ERROR_LIMIT : PS_ERROR_VALUE) &&
           strstr(error->message, says[fault]) && strstr(error->message, "x.ptx:") && at &&
           sscanf(at, "group (%u,%u,%u)", &group[0], &group[1], &group[2]) == 3 &&
           place_of(work->grid, group) == place;
}

/* Wherever a fault is, and whichever, it ends the run. */
static gboolean check_fault(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    Work work = random_work(rand, FALSE);
    PsSamples samples;
    const guint place = random_place(rand, work.grid);
    (void)data;
    work.faults[place] = OUTSIDE + seed % DEADLOCK;
    const gboolean good =
        !run(&work, 50000, &samples, &error) && error && is_told(&work, place, error);
    if (!good)
        g_test_message("seed %u, grid of %u x %u x %u, fault %u at place %u: %s", seed,
                       work.grid[0], work.grid[1], work.grid[2], work.faults[place], place,
                       error ? error->message : "nothing is told");
    ps_samples_clear(&samples);
    return good;
}

static void test_faults(void)
{
    seeds_check((SeedCounts){800, 20}, check_fault, NULL);
}

/* A fault of the last group is found behind groups that take long, too, which are only counted. */
static void test_faults_counted(void)
{
    for (guint fault = OUTSIDE; fault <= DEADLOCK; fault++) {
        g_autoptr(GError) error = NULL;
        Work work = {.grid = {5, 4, 3}};
        PsSamples samples;
        for (guint place = 0; place < STRATA; place++)
            work.trips[place] = 10000;
        work.faults[STRATA - 1] = fault;
        g_assert_false(run(&work, 200000, &samples, &error));
        g_assert_cmpuint(samples.counted->len, >, 0);
        g_assert_true(is_told(&work, STRATA - 1, error));
        ps_samples_clear(&samples);
    }
}

/* Without a limit that the user set, a group that does not end ends, too, before the others' limit
 * of 10^9. */
static void test_endless(void)
{
    g_autoptr(GError) error = NULL;
    Work work = {.grid = {9, 1, 1}};
    PsSamples samples;
    if (g_getenv("PIPESIM_CHECKER") || seeds_times() < 1) {
        g_test_skip("67 million instructions take too long under a checker, and in make quick");
        return;
    }
    work.faults[place_of(work.grid, (const guint[]){8, 0, 0})] = ENDLESS;
    g_assert_false(run(&work, 0, &samples, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "group (8,0,0) is not done after 67108864 warp"));
    ps_samples_clear(&samples);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-edges/shares", test_shares);
    g_test_add_func("/ptx-edges/counted", test_counted);
    g_test_add_func("/ptx-edges/faults", test_faults);
    g_test_add_func("/ptx-edges/faults-counted", test_faults_counted);
    g_test_add_func("/ptx-edges/endless", test_endless);
    return g_test_run();
}
