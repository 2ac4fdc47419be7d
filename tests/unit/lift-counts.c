/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many lanes execute each point: counted over groups, as shares of roles, and so that all roles
 * together execute what was counted. Roles are made by hand, of random shares.
 */
#include "lift/emit/emit-private.h"
#include "lift/groups/tally.h"

#include <math.h>

#define POINTS 4
#define TRIPS 3 /* of points 1 and 2, which are a loop */
#define ROLES 3

/* A group's counts are its own, and those of all groups add up. */
static void test_tally(void)
{
    static const guint32 masks[] = {0xff, 0x1};
    static const guint64 expected[] = {64, 32 + 8 + 8, 1 + 1, 0};
    g_autoptr(PsTally) tally = ps_tally_new(POINTS);
    for (guint i = 0; i < 2; i++) {
        ps_tally_begin(tally);
        ps_tally_add(tally, &(PsPtxEvent){.point = 0, .mask = G_MAXUINT32}, 1 + (i == 0), NULL);
        ps_tally_add(tally, &(PsPtxEvent){.point = 1}, 2, masks);
        ps_tally_keep(tally);
    }
    /* one that is not kept */
    ps_tally_begin(tally);
    ps_tally_add(tally, &(PsPtxEvent){.point = 3, .mask = 1}, 1, NULL);
    for (guint p = 0; p < POINTS; p++)
        g_assert_cmpuint(tally->all[p], ==, expected[p]);
}

/* ---- roles ---------------------------------------------------------------------------------- */

typedef struct {
    PsFacts facts;
    PsPtxCode code;
    PsSpots spots;
    PsRollWarps as[ROLES];
    PsWarpRole roles[ROLES];
    PsRoles kinds[ROLES]; /* of a role each */
    guint64 idle[ROLES][POINTS], barred[ROLES][POINTS];
    GPtrArray *all; /* of kinds */
} Made;

static void add_spot(Made *made, PsSpotKind kind, guint point, guint partner, guint around)
{
    const PsSpot spot = {
        .kind = kind, .point = point, .partner = partner, .times = TRIPS, .around = around};
    g_array_append_val(made->spots.spots, spot);
}

/* Roles of one kind each, of one to three warps, in which nobody misses a point. */
static void make(Made *made, GRand *rand, guint n)
{
    *made = (Made){.code.n_points = POINTS};
    made->facts.code = &made->code;
    made->spots.facts = &made->facts;
    made->spots.spots = g_array_new(FALSE, FALSE, sizeof(PsSpot));
    made->all = g_ptr_array_new();
    add_spot(made, PS_SPOT_STEP, 0, 0, PS_NO_SPOT);
    add_spot(made, PS_SPOT_LOOP, 0, 4, PS_NO_SPOT);
    add_spot(made, PS_SPOT_STEP, 1, 0, 1);
    add_spot(made, PS_SPOT_STEP, 2, 0, 1);
    add_spot(made, PS_SPOT_END, 0, 1, PS_NO_SPOT);
    add_spot(made, PS_SPOT_STEP, 3, 0, PS_NO_SPOT);
    for (guint r = 0; r < n; r++) {
        PsWarpRole *role = &made->roles[r];
        made->as[r].lanes = 96;
        role->as = &made->as[r];
        role->spots = &made->spots;
        role->warps = g_array_new(FALSE, FALSE, sizeof(guint));
        for (guint w = 0, warps = (guint)g_rand_int_range(rand, 1, 4); w < warps; w++)
            g_array_append_val(role->warps, w);
        made->kinds[r].list = g_ptr_array_new();
        g_ptr_array_add(made->kinds[r].list, role);
        g_ptr_array_add(made->all, &made->kinds[r]);
    }
}

static void clear(Made *made)
{
    for (guint r = 0; r < made->all->len; r++) {
        g_array_unref(made->roles[r].warps);
        g_free(made->roles[r].counted);
        g_ptr_array_unref(made->kinds[r].list);
    }
    g_array_unref(made->spots.spots);
    g_ptr_array_unref(made->all);
}

static double times_of(guint point)
{
    return point == 1 || point == 2 ? TRIPS : 1;
}

/* There are 96 threads: 24 come not to a point, or 12 times in all of a loop's trips; others are
 * barred.
 */
static void test_shares(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    static const guint64 idle[POINTS] = {0, 24, 96 * TRIPS, 24}, barred[POINTS] = {48, 12, 0, 72};
    static const double comes[POINTS] = {1, 11.0 / 12, 1.0 / 32, 0.75},
                        both[POINTS] = {0.5, 7.0 / 8, 0, 0},
                        alone[POINTS] = {0.5, 23.0 / 24, 1, 0.25};
    Made made;
    make(&made, rand, 1);
    const PsWarpRole *role = &made.roles[0];
    g_assert_null(ps_role_comes(role));
    g_assert_null(ps_role_executes(role));
    made.as[0].barred = (guint64 *)barred;
    g_autofree double *of_barred = ps_role_executes(role);
    made.as[0].idle = (guint64 *)idle;
    g_autofree double *of_idle = ps_role_comes(role), *of_both = ps_role_executes(role);
    for (guint p = 0; p < POINTS; p++) {
        g_assert_cmpfloat_with_epsilon(of_idle[p], comes[p], 1e-12);
        g_assert_cmpfloat_with_epsilon(of_both[p], both[p], 1e-12);
        g_assert_cmpfloat_with_epsilon(of_barred[p], alone[p], 1e-12);
    }
    clear(&made);
}

/* ---- what all execute ----------------------------------------------------------------------- */

#define THREADS 72 /* a group's third warp has 8 */

static double lanes_of(const Made *made, guint r, guint point, double groups)
{
    const guint warps = made->roles[r].warps->len;
    return times_of(point) * groups * MIN(warps * 32, THREADS);
}

/* Shares grow or fall by the same factor, up to 1, until all execute what was counted; where that
 * is more than all have, they are 1. */
static void check_point(const Made *made, guint n, guint point, double *const *before,
                        const double *groups, double all)
{
    double sum = 0, most = 0, was = 0, times = -1;
    for (guint r = 0; r < n; r++) {
        const double share = made->roles[r].counted[point],
                     lanes = lanes_of(made, r, point, groups[r]);
        g_assert_cmpfloat(share, <=, 1);
        g_assert_cmpfloat(share, >=, 0);
        sum += share * lanes;
        was += before[r][point] * lanes;
        most += before[r][point] > 0 ? lanes : 0;
        if (share >= 1 || before[r][point] <= 0)
            continue;
        if (times >= 0)
            g_assert_cmpfloat_with_epsilon(share / before[r][point], times, 1e-9 * times);
        times = share / before[r][point];
    }
    if (was <= 0 || fabs(was - all) <= 0.002 * all)
        g_assert_cmpfloat_with_epsilon(sum, was, 1e-9 * was + 1e-9);
    else
        g_assert_cmpfloat_with_epsilon(sum, MIN(all, most), 0.001 * all + 1e-9);
}

/* What a role's own warps execute (g_free). */
static double *own_shares(const PsWarpRole *role)
{
    double *shares = ps_role_executes(role);
    if (!shares)
        shares = ps_role_comes(role);
    if (shares)
        return shares;
    shares = g_new(double, POINTS);
    for (guint p = 0; p < POINTS; p++)
        shares[p] = 1;
    return shares;
}

static void check_fit(guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const guint n = (guint)g_rand_int_range(rand, 1, ROLES + 1);
    double *before[ROLES], groups[ROLES];
    guint64 all[POINTS];
    Made made;
    make(&made, rand, n);
    for (guint r = 0; r < n; r++) {
        groups[r] = g_rand_int_range(rand, 1, 9) * (g_rand_boolean(rand) ? 100 : 1);
        for (guint p = 0; p < POINTS; p++) {
            made.idle[r][p] = (guint64)(g_rand_int_range(rand, 0, 96) * times_of(p));
            made.barred[r][p] = (guint64)(96 * times_of(p)) - made.idle[r][p];
            if (g_rand_int_range(rand, 0, 4) > 0)
                made.barred[r][p] -= made.barred[r][p] / (guint64)g_rand_int_range(rand, 1, 9);
        }
        made.as[r].idle = g_rand_boolean(rand) ? made.idle[r] : NULL;
        made.as[r].barred = g_rand_boolean(rand) ? made.barred[r] : NULL;
        before[r] = own_shares(&made.roles[r]);
    }
    for (guint p = 0; p < POINTS; p++) {
        double sum = 0;
        for (guint r = 0; r < n; r++)
            sum += before[r][p] * lanes_of(&made, r, p, groups[r]);
        all[p] = (guint64)(sum * g_rand_double_range(rand, 0.5, 3) + 0.5);
        all[p] = g_rand_int_range(rand, 0, 4) ? all[p] : (guint64)sum;
    }
    ps_roles_fit_counts(made.all, groups, THREADS, all);
    for (guint p = 0; p < POINTS; p++)
        check_point(&made, n, p, before, groups, (double)all[p]);
    for (guint r = 0; r < n; r++)
        g_free(before[r]);
    clear(&made);
}

static void test_fit(void)
{
    for (guint32 seed = 0; seed < 2000; seed++)
        check_fit(seed);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-counts/tally", test_tally);
    g_test_add_func("/lift-counts/shares", test_shares);
    g_test_add_func("/lift-counts/fit", test_fit);
    return g_test_run();
}
