/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all groups of a launch execute, and how many are of each kind, by some of them: held against
 * the truth, which a table of each group's iterations says.
 */
#include "lift/build-private.h"
#include "tests/help/seeds.h"

#include <math.h>
#include <string.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 trips)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [trips]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y;\n"
    "mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;\n"
    "mad.lo.u32 %r2, %r3, %r5, %r2; mad.lo.u32 %r1, %r2, %r4, %r1;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r6, [%rd3];\n"
    "setp.eq.u32 %p1, %r6, 0; @%p1 bra END;\n"
    "LOOP: sub.u32 %r6, %r6, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra LOOP;\n"
    "END: ret;\n}\n";

#define ALONE 14 /* instructions of a group without an iteration */
#define EACH 3   /* instructions of an iteration */

typedef struct {
    guint grid[3], n; /* groups of the launch */
    guint32 *trips;   /* of each group */
} Launch;

/* What all groups execute in the mean, by those that were executed and in truth. */
typedef struct {
    double mean, truth;
    PsKindsSure sure;
    double merged;  /* what merging kinds may change of it, which the error counts */
    gboolean all;   /* the groups of all kinds are all groups */
    gboolean exact; /* and as many of each kind as there are */
    guint executed; /* groups */
    gint64 longest; /* what the longest of them executed */
    guint in_vain;  /* of them, groups that neither the graph nor the shares know of */
} Result;

static guint64 with_trips(const Launch *launch, gint64 length)
{
    guint64 n = 0;
    for (guint i = 0; i < launch->n; i++)
        n += ALONE + EACH * (gint64)launch->trips[i] == length;
    return n;
}

static Result result_of(const Launch *launch, const PsSamples *samples)
{
    Result result = {.mean = ps_kinds_mean(samples->kinds), .exact = TRUE};
    guint64 groups = 0;
    for (guint i = 0; i < samples->kinds->len; i++) {
        const PsKind *kind = &g_array_index(samples->kinds, PsKind, i);
        groups += kind->groups;
        result.longest = MAX(result.longest, kind->group->length);
        result.exact &= kind->groups == with_trips(launch, kind->group->length);
    }
    for (guint i = 0; i < launch->n; i++)
        result.truth += (ALONE + EACH * (double)launch->trips[i]) / launch->n;
    result.all = groups == launch->n;
    result.sure = samples->sure;
    result.merged = samples->classes && samples->classes->parted ? PS_KINDS_MERGED : 0;
    result.executed = g_hash_table_size(samples->numbers);
    result.in_vain = result.executed - ps_roll_groups(samples->roll)->len - samples->counted->len;
    return result;
}

/* Runs groups of a kernel with one argument, in groups of so many threads. */
static void run_text(const char *kernel, const Launch *launch, guint threads,
                     const PsPtxArgument *argument, PsSamples *samples)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(kernel, strlen(kernel), "x.ptx", &error);
    g_assert_no_error(error);
    PsBuildOptions options;
    ps_build_options_init(&options);
    options.module = module;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(module, "k", &error),
                                   .block = {threads, 1, 1},
                                   .n_arguments = 1,
                                   .arguments = argument};
    memcpy(options.launch.grid, launch->grid, sizeof launch->grid);
    g_assert_true(ps_samples_run(samples, &options, &error));
}

static Result run(const Launch *launch)
{
    const PsPtxArgument argument = {
        .name = "trips", .data = (guint8 *)launch->trips, .size = 4 * (gsize)launch->n};
    PsSamples samples;
    run_text(text, launch, 32, &argument, &samples);
    const Result result = result_of(launch, &samples);
    ps_samples_clear(&samples);
    return result;
}

/* ---- launches ------------------------------------------------------------------------------- */

/* More groups than are all executed to count them. */
#define LEAST 4200

/* A grid of so many groups or a few more, up to so many, in so many directions. */
static void set_grid(Launch *launch, GRand *rand, const guint range[2], guint directions)
{
    const gint32 least = (gint32)ceil(pow(range[0], 1.0 / directions));
    const gint32 side = (gint32)pow(range[1], 1.0 / directions);
    launch->n = 1;
    for (guint d = 0; d < 3; d++) {
        launch->grid[d] = d < directions ? (guint)g_rand_int_range(rand, least, side + 1) : 1;
        launch->n *= launch->grid[d];
    }
    launch->trips = g_new0(guint32, launch->n);
}

/* The groups of a direction with all of their work, [first, last), and whether those beside them do
 * a part of it. */
typedef struct {
    guint first, last;
    gboolean cut;
} Part;

static guint32 work_at(const Part *part, guint at, guint32 whole)
{
    if (at >= part->first && at < part->last)
        return whole;
    return part->cut && (at + 1 == part->first || at == part->last) ? whole / 2 : 0;
}

/* Work that begins and ends somewhere in each direction. */
static void fill_box(Launch *launch, GRand *rand)
{
    Part parts[3];
    for (guint d = 0; d < 3; d++) {
        const gint32 grid = (gint32)launch->grid[d];
        const guint first = (guint)g_rand_int_range(rand, 0, grid / 3 + 1);
        const guint last = (guint)g_rand_int_range(rand, grid - grid / 3, grid + 1);
        parts[d] = (Part){g_rand_boolean(rand) ? 0 : first, last, g_rand_boolean(rand)};
    }
    for (guint i = 0; i < launch->n; i++) {
        const guint at[3] = {i % launch->grid[0], i / launch->grid[0] % launch->grid[1],
                             i / launch->grid[0] / launch->grid[1]};
        launch->trips[i] = 40;
        for (guint d = 0; d < 3; d++)
            launch->trips[i] = work_at(&parts[d], at[d], launch->trips[i]);
    }
}

/* Threads stride over what there is: the first groups have an iteration more, and the last one of
 * these may have it in part. */
static void fill_strides(Launch *launch, GRand *rand)
{
    const guint more = (guint)g_rand_int_range(rand, 0, (gint32)launch->n + 1);
    const gboolean cut = g_rand_boolean(rand);
    for (guint i = 0; i < launch->n; i++)
        launch->trips[i] = i < more ? 20 - (cut && i + 1 == more) : 10;
}

static void fill_at_random(Launch *launch, GRand *rand)
{
    const guint how = (guint)g_rand_int_range(rand, 0, 3);
    const double part = g_rand_double_range(rand, 0.3, 0.7);
    for (guint i = 0; i < launch->n; i++) {
        const double chance = g_rand_double(rand);
        launch->trips[i] = how == 0   ? (guint32)(-200 * log1p(-chance))
                           : how == 1 ? (guint32)(400 * chance)
                                      : (chance < part ? 400 : 40);
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Where all that differs is at the border, wherever that lies, nothing is estimated. */
static gboolean check_border(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const gboolean strides = GPOINTER_TO_INT(data);
    Launch launch;
    set_grid(&launch, rand, (const guint[]){LEAST, 9000}, strides ? 1 : 1 + seed % 3);
    (strides ? fill_strides : fill_box)(&launch, rand);
    const Result result = run(&launch);
    const gboolean good = result.all && result.exact && !(result.sure.error > 0) &&
                          !(result.sure.unseen > 0) &&
                          fabs(result.mean - result.truth) < 1e-9 * result.truth;
    if (!good)
        g_test_message("seed %u: %u x %u x %u groups: %.6f instructions, should be %.6f", seed,
                       launch.grid[0], launch.grid[1], launch.grid[2], result.mean, result.truth);
    g_free(launch.trips);
    return good;
}

static void test_border(void)
{
    seeds_check((SeedCounts){300, 10}, check_border, GINT_TO_POINTER(FALSE));
}

static void test_strides(void)
{
    seeds_check((SeedCounts){200, 10}, check_border, GINT_TO_POINTER(TRUE));
}

/* A few groups do a hundred times the work, by their number. */
static void fill_rare(Launch *launch, GRand *rand)
{
    static const guint every[] = {97, 31, 0};
    const guint one = every[g_rand_int_range(rand, 0, G_N_ELEMENTS(every))];
    const guint at = (guint)g_rand_int_range(rand, 0, (gint32)(one > 0 ? one : launch->n));
    for (guint i = 0; i < launch->n; i++)
        launch->trips[i] = (one > 0 ? i % one : i) == at ? 2000 : 20;
}

typedef struct {
    guint n, found; /* launches; those in which a heavy group was executed */
} Rare;

/* Groups of a rare kind, far from any border, are executed, or it is said how many may be hidden;
 * then the mean is known to what the answer says. */
static gboolean check_rare(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    Rare *rare = data;
    Launch launch;
    set_grid(&launch, rand, (const guint[]){2, 10000}, 1 + seed % 2);
    fill_rare(&launch, rand);
    const Result result = run(&launch);
    const double heavy = with_trips(&launch, ALONE + EACH * 2000) / (double)launch.n;
    const gboolean exact = fabs(result.mean - result.truth) < 1e-9 * result.truth;
    const gboolean good = exact || result.sure.error > 0 || result.sure.hidden >= heavy;
    rare->n++;
    rare->found += result.mean > ALONE + EACH * 20 || heavy <= 0;
    if (!good)
        g_test_message("seed %u: %u x %u groups: %.2f instructions, should be %.2f", seed,
                       launch.grid[0], launch.grid[1], result.mean, result.truth);
    g_free(launch.trips);
    return good;
}

static void test_rare(void)
{
    Rare rare = {0};
    seeds_check((SeedCounts){200, 10}, check_rare, &rare);
    g_test_message("%u of %u rare kinds found", rare.found, rare.n);
    g_assert_cmpuint(100 * rare.found, >=, 90 * rare.n);
}

typedef struct {
    guint n;
    double sum, squares; /* of errors */
    guint within;        /* of them, two standard errors */
    guint executed, in_vain;
} Errors;

static gboolean add_random(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    Errors *errors = data;
    Launch launch;
    set_grid(&launch, rand, (const guint[]){LEAST, 5000}, 1 + seed % 3);
    fill_at_random(&launch, rand);
    const Result result = run(&launch);
    const double error = result.mean / result.truth - 1;
    errors->n++;
    errors->sum += error;
    errors->squares += error * error;
    errors->executed += result.executed;
    errors->in_vain += result.in_vain;
    errors->within += fabs(result.mean - result.truth) <=
                      (result.sure.error - result.merged + 1e-9) * result.mean;
    g_free(launch.trips);
    return result.all;
}

/* Work that recurs along the grid, in rising rows of 16 groups, so and so many times: the mean of
 * what is executed is that of all, as exactly as is said. */
static void test_recurring(void)
{
    enum { ROW = 16 };
    static const guint times[] = {55, 89, 144, 233, 288, 377};
    for (guint t = 0; t < G_N_ELEMENTS(times); t++) {
        Launch launch = {.grid = {ROW * times[t], 1, 1}, .n = ROW * times[t]};
        g_autofree guint32 *trips = launch.trips = g_new(guint32, launch.n);
        for (guint i = 0; i < launch.n; i++)
            trips[i] = 1 + i % ROW * 40;
        const Result result = run(&launch);
        g_test_message("%u rows: %.1f, in truth %.1f, two errors %.3f, %u groups", times[t],
                       result.mean, result.truth, result.sure.error, result.executed);
        g_assert_cmpfloat(fabs(result.mean - result.truth), <,
                          (2 * result.sure.error + 1e-9) * result.truth);
    }
}

/* What differs at random is estimated, and neither too much nor too little in the mean; of
 * 95 to 97 % of errors it is told how large they are, by chance a few more or less: two standard
 * deviations of as many draws. Few groups are executed to look for a border. */
static void test_random(void)
{
    Errors errors = {0};
    seeds_check((SeedCounts){300, 5}, add_random, &errors);
    const double mean = errors.sum / errors.n, square = errors.squares / errors.n;
    g_test_message("%.4f off in the mean, %.4f root mean square", mean, sqrt(square));
    g_assert_cmpfloat(square, <, 0.1 * 0.1);
    g_test_message("%u of %u groups executed in vain", errors.in_vain, errors.executed);
    g_assert_cmpuint(100 * errors.in_vain, <=, 4 * errors.executed);
    g_test_message("the truth is within two standard errors of %u of %u", errors.within, errors.n);
    const double chance = 2 * sqrt(0.95 * 0.05 * errors.n);
    g_assert_cmpfloat(errors.within, >, 0.95 * errors.n - chance);
    g_assert_cmpfloat(errors.within, <, 0.97 * errors.n + chance);
    g_assert_cmpfloat(fabs(mean), <, 3 * sqrt((square - mean * mean) / errors.n));
}

/* Loops that run as often as a table says, which differs from group to group: a group of each part
 * of the table shows what all do, and the longest group is known. */
static gboolean check_trips(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    Errors *errors = data;
    Launch launch = {.grid = {200, 100, 1}, .n = 20000};
    g_autofree guint32 *trips = launch.trips = g_new(guint32, launch.n);
    guint32 longest = 0;
    for (guint i = 0; i < launch.n; i++) {
        trips[i] = (guint32)(-200 * log(1 - g_rand_double(rand)));
        longest = MAX(longest, trips[i]);
    }
    const Result result = run(&launch);
    const double error = result.mean / result.truth - 1;
    errors->n++;
    errors->squares += error * error;
    errors->within += fabs(error) <= result.sure.error - result.merged;
    errors->executed += result.executed;
    g_assert_cmpint(result.longest, ==, ALONE + EACH * (gint64)longest);
    return fabs(error) < 0.04 && result.sure.error < 0.1;
}

static void test_trips(void)
{
    Errors errors = {0};
    seeds_check((SeedCounts){30, 3}, check_trips, &errors);
    g_test_message("%.4f root mean square, %u of %u within two standard errors, %u groups each",
                   sqrt(errors.squares / errors.n), errors.within, errors.n,
                   errors.executed / errors.n);
    g_assert_cmpuint(errors.within, >=, errors.n - errors.n / 10);
    g_assert_cmpuint(errors.executed, <, 250 * errors.n);
}

/* Numbers in parts: in the order of their size, and of about equal sums. */
static void test_in_parts(void)
{
    enum { N = 10000, PARTS = 8 };
    g_autofree guint32 *numbers = g_new(guint32, N);
    g_autofree guint8 *of = g_new(guint8, N);
    guint32 least[PARTS], most[PARTS] = {0};
    double sums[PARTS] = {0}, all = 0;
    for (guint i = 0; i < N; i++)
        all += numbers[i] = i * 7919U % N * (i * 7919U % N);
    g_assert_cmpuint(ps_samples_parts(numbers, N, PARTS, of), ==, PARTS);
    memset(least, 0xff, sizeof least);
    for (guint i = 0; i < N; i++) {
        g_assert_cmpuint(of[i], <, PARTS);
        sums[of[i]] += numbers[i];
        least[of[i]] = MIN(least[of[i]], numbers[i]);
        most[of[i]] = MAX(most[of[i]], numbers[i]);
    }
    for (guint p = 0; p < PARTS; p++) {
        g_assert_cmpfloat(fabs(sums[p] * PARTS / all - 1), <, 0.1);
        g_assert_true(p == 0 || most[p - 1] < least[p]);
    }
    memset(numbers, 0, N * sizeof *numbers);
    g_assert_cmpuint(ps_samples_parts(numbers, N, PARTS, of), ==, 1);
    numbers[17] = G_MAXUINT32;
    g_assert_cmpuint(ps_samples_parts(numbers, N, PARTS, of), ==, 2);
    g_assert_cmpuint(of[17], ==, 1);
}

/* Threads that find a flag set, and clear it: a group that is executed twice finds none. */
static const char taken[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 flags)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [flags]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n"
    "mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r4, [%rd3];\n"
    "setp.eq.u32 %p1, %r4, 0; @%p1 bra END; mov.u32 %r4, 0; st.global.u32 [%rd3], %r4;\n"
    "END: ret;\n}\n";

#define THREADS 128

/* No group that begins, to see how, takes away what it is executed for. */
static void test_taken(void)
{
    const Launch launch = {.grid = {100, 1, 1}};
    g_autofree guint32 *flags = g_new(guint32, 100 * THREADS);
    for (guint i = 0; i < 100 * THREADS; i++)
        flags[i] = 1;
    const PsPtxArgument argument = {
        .name = "flags", .data = (guint8 *)flags, .size = 100 * THREADS * sizeof *flags};
    PsSamples samples;
    run_text(taken, &launch, THREADS, &argument, &samples);
    g_assert_cmpuint(samples.kinds->len, ==, 1);
    const PsKind *kind = &g_array_index(samples.kinds, PsKind, 0);
    g_assert_cmpint(kind->group->length, ==, 13 * THREADS / 32);
    ps_samples_clear(&samples);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-shares/border", test_border);
    g_test_add_func("/ptx-shares/strides", test_strides);
    g_test_add_func("/ptx-shares/recurring", test_recurring);
    g_test_add_func("/ptx-shares/random", test_random);
    g_test_add_func("/ptx-shares/rare", test_rare);
    g_test_add_func("/ptx-shares/trips", test_trips);
    g_test_add_func("/ptx-shares/in-parts", test_in_parts);
    g_test_add_func("/ptx-shares/taken", test_taken);
    return g_test_run();
}
