/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of waits for other warps: those of rings and of loops in loops are found; of other pairs
 * none are found that ask for more than what ended a wait. */
#include "lift/emit/roles-private.h"

static gint64 needs(const PsRoleAwait *await, gint64 k, gint64 all)
{
    return CLAMP(await->per * (k / await->every + 1 - await->before), 0, all);
}

static PsRoleFit fit_of(GArray *pairs, gint64 waits, gint64 all)
{
    return (PsRoleFit){pairs, waits, all};
}

/* Waits that were made of such numbers have them again. */
static void test_regular(void)
{
    static const struct {
        gint64 per, every, before, waits, all;
    } cases[] = {{1, 1, 0, 64, 64},   {1, 1, 4, 64, 60},  {1, 1, -60, 192, 256}, {2, 1, 0, 9, 18},
                 {1, 1, 0, 64, 4},    {4, 8, 1, 64, 28},  {1, 64, 1, 256, 3},    {1, 1, 0, 1, 1},
                 {1, 1, -3, 100, 90}, {3, 5, -2, 45, 33}, {1, 1, 12, 20, 5}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsRoleAwait made = {
            .per = cases[i].per, .every = cases[i].every, .before = cases[i].before};
        g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(PsRolePair));
        for (gint64 k = 0; k < cases[i].waits; k++) {
            const PsRolePair pair = {k, needs(&made, k, cases[i].all)};
            const gint64 before = k > 0 ? needs(&made, k - 1, cases[i].all) : 0;
            if (pair.count > before) /* each instance ends one wait */
                g_array_append_val(pairs, pair);
        }
        const PsRoleFit fit = fit_of(pairs, cases[i].waits, cases[i].all);
        PsRoleAwait found = {0};
        gboolean exact;
        g_assert_true(ps_roles_fit(&fit, &found, &exact));
        g_assert_true(exact);
        for (guint p = 0; p < pairs->len; p++) {
            const PsRolePair *pair = &g_array_index(pairs, PsRolePair, p);
            g_assert_cmpint(needs(&found, pair->k, cases[i].all), ==, pair->count);
        }
    }
}

static void test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    for (guint round = 0; round < 20000; round++) {
        g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(PsRolePair));
        gint64 k = 0, count = 0, reached = 0;
        for (gint n = g_rand_int_range(rand, 1, 12); n > 0; n--) {
            k += g_rand_int_range(rand, n == 12 ? 0 : 1, 5);
            count += g_rand_int_range(rand, 1, 4);
            const PsRolePair pair = {k, count};
            g_array_append_val(pairs, pair);
        }
        const PsRoleFit fit =
            fit_of(pairs, k + g_rand_int_range(rand, 1, 9), count + g_rand_int_range(rand, 0, 3));
        PsRoleAwait found = {0};
        gboolean exact;
        if (!ps_roles_fit(&fit, &found, &exact))
            continue;
        guint next = 0;
        for (k = 0; k < fit.waits; k++) {
            const PsRolePair *pair =
                next < pairs->len ? &g_array_index(pairs, PsRolePair, next) : NULL;
            if (pair && pair->k == k) {
                reached = pair->count;
                next++;
            }
            g_assert_cmpint(needs(&found, k, fit.all), <=, reached);
            if (exact && pair && pair->k == k)
                g_assert_cmpint(needs(&found, k, fit.all), ==, pair->count);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-roles/regular", test_regular);
    g_test_add_func("/lift-roles/random", test_random);
    return g_test_run();
}
