/* SPDX-License-Identifier: BSD-3-Clause */
/* Which groups are executed for what they share. */
#include "lift/groups/plan.h"

#include <string.h>

static const PsPlanned *at(const GArray *plan, guint i)
{
    return &g_array_index(plan, PsPlanned, i);
}

static const PsPlanned *find(const GArray *plan, guint x, guint y, guint z)
{
    const guint group[3] = {x, y, z};
    for (guint i = 0; i < plan->len; i++)
        if (memcmp(at(plan, i)->group, group, sizeof group) == 0)
            return at(plan, i);
    return NULL;
}

static guint count(const GArray *plan, gboolean (*is)(const PsPlanned *))
{
    guint n = 0;
    for (guint i = 0; i < plan->len; i++)
        n += is(at(plan, i)) ? 1 : 0;
    return n;
}

static gboolean is_first(const PsPlanned *planned)
{
    return planned->first;
}

static gboolean is_apart(const PsPlanned *planned)
{
    return planned->what.apart;
}

static gboolean is_of_unit(const PsPlanned *planned)
{
    return planned->what.of_unit;
}

/* A grid of one group has no other. */
static void test_one(void)
{
    static const guint grid[3] = {1, 1, 1};
    g_autoptr(GArray) plan = ps_plan_new(grid, 80, 4);
    g_assert_cmpuint(plan->len, ==, 1);
    g_assert_true(at(plan, 0)->first && at(plan, 0)->what.of_unit && at(plan, 0)->what.apart);
    g_assert_false(at(plan, 0)->what.strewn);
    g_assert_cmpuint(ps_plan_rounds(grid, 80), ==, 1);
    g_assert_cmpuint(ps_plan_rounds(grid, 0), ==, 0);
}

static void test_first(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){64, 1, 2}, 0, 0);
    static const guint expected[3][3] = {{31, 0, 0}, {32, 0, 0}, {31, 0, 1}};
    for (guint i = 0; i < 3; i++) {
        g_assert_cmpmem(at(plan, i)->group, 12, expected[i], 12);
        g_assert_true(at(plan, i)->first);
        g_assert_false(at(plan, i)->what.strewn);
    }
    g_assert_cmpuint(count(plan, is_first), ==, 3);
    g_assert_cmpuint(count(plan, is_of_unit), ==, 0); /* nobody knows how many units there are */
}

/* The middle's row, on both sides, as far as the grid goes. */
static void test_rows(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){21, 3, 1}, 0, 0);
    static const guint near[] = {6, 7, 8, 9, 11, 12, 13, 14, 2, 18};
    for (guint i = 0; i < G_N_ELEMENTS(near); i++) {
        const PsPlanned *planned = find(plan, near[i], 1, 0);
        g_assert_nonnull(planned);
        g_assert_false(planned && planned->what.strewn);
    }
    for (guint y = 0; y < 3; y += 2) {
        const PsPlanned *planned = find(plan, 10, y, 0);
        g_assert_nonnull(planned);
        g_assert_false(planned && planned->what.strewn);
    }
}

/* The first and the last of a short row are there, too. */
static void test_rows_whole(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){5, 1, 1}, 0, 0);
    for (guint x = 0; x < 5; x++) {
        const PsPlanned *planned = find(plan, x, 0, 0);
        g_assert_nonnull(planned);
        g_assert_false(planned && planned->what.strewn);
    }
}

/* Further away they are fewer, twice as far each time, and of other groups none. */
static void test_rows_far(void)
{
    static const guint distances[] = {1, 2, 3, 4, 8, 16, 32, 64};
    const guint middle = 149;
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){300, 1, 1}, 0, 0);
    guint there = 0;
    for (guint i = 0; i < G_N_ELEMENTS(distances); i++) {
        g_assert_nonnull(find(plan, middle - distances[i], 0, 0));
        g_assert_nonnull(find(plan, middle + distances[i], 0, 0));
    }
    for (guint x = middle - 100; x < middle + 100; x++) {
        const PsPlanned *planned = find(plan, x, 0, 0);
        there += planned && !planned->what.apart && !planned->what.strewn ? 1 : 0;
    }
    g_assert_cmpuint(there, ==, 2 * G_N_ELEMENTS(distances));
}

/* One of each quarter, and the middle; no group is there twice. */
static void test_apart(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){40, 25, 1}, 0, 0);
    guint seen[4] = {0};
    g_assert_cmpuint(count(plan, is_apart), ==, 5);
    for (guint i = 0; i < plan->len; i++) {
        const guint *group = at(plan, i)->group;
        const guint number = group[0] + 40 * group[1];
        if (at(plan, i)->what.apart && i > 0)
            seen[number / 250]++;
        g_assert_true(find(plan, group[0], group[1], group[2]) == at(plan, i));
    }
    for (guint i = 0; i < 4; i++)
        g_assert_cmpuint(seen[i], ==, 1);
    g_autoptr(GArray) small = ps_plan_new((const guint[]){7, 1, 1}, 0, 0);
    g_assert_cmpuint(count(small, is_apart), ==, 7);
}

/* Ten units that hold three groups each, 100 groups: the middle, 49, is of round 4, unit 9 or where
 * that round begins otherwise; rounds 0 to 2 are in order. */
static void test_unit(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){100, 1, 1}, 10, 3);
    guint rounds[10] = {0}, unit = 10;
    gboolean turned = FALSE;
    g_assert_cmpuint(ps_plan_rounds((const guint[]){100, 1, 1}, 10), ==, 10);
    g_assert_cmpuint(ps_plan_rounds((const guint[]){101, 1, 1}, 10), ==, 11);
    for (guint i = 0; i < plan->len; i++) {
        const PsPlanned *planned = at(plan, i);
        if (!planned->what.of_unit)
            continue;
        g_assert_cmpuint(planned->group[0] / 10, ==, planned->what.round);
        rounds[planned->what.round]++;
        if (planned->what.round < 3) {
            unit = unit == 10 ? planned->group[0] % 10 : unit;
            g_assert_cmpuint(planned->group[0] % 10, ==, unit);
        } else {
            turned = turned || planned->group[0] % 10 != unit;
        }
    }
    for (guint i = 0; i < 10; i++)
        g_assert_cmpuint(rounds[i], ==, 1);
    g_assert_true(find(plan, 49, 0, 0)->what.of_unit);
    g_assert_true(turned);
}

/* As many groups as there are rounds near the middle's, no more. */
static void test_many(void)
{
    g_autoptr(GArray) plan = ps_plan_new((const guint[]){G_MAXINT32, 65535, 1}, 80, 32);
    g_assert_cmpuint(count(plan, is_of_unit), <=, 257);
    g_assert_cmpuint(count(plan, is_of_unit), >=, 128);
    g_assert_cmpuint(plan->len, <, 400);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-plan/one", test_one);
    g_test_add_func("/ptx-plan/first", test_first);
    g_test_add_func("/ptx-plan/rows", test_rows);
    g_test_add_func("/ptx-plan/rows-whole", test_rows_whole);
    g_test_add_func("/ptx-plan/rows-far", test_rows_far);
    g_test_add_func("/ptx-plan/apart", test_apart);
    g_test_add_func("/ptx-plan/unit", test_unit);
    g_test_add_func("/ptx-plan/many", test_many);
    return g_test_run();
}
