/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of a launch's groups, and which one stands for all. */
#include "lift/groups/kinds.h"

#include <math.h>
#include <string.h>

/* Steps at one point, which groups of more than LONG steps share: thousands of such groups fit into
 * the memory of a machine. No test changes them. */
#define LONG 10000
static PsRollItem at_one_point[1 << 20];

/* A group of one warp with so many steps, all at one point. */
static PsRollGroup *group_new(guint x, guint y, guint z, gint64 length)
{
    PsRollGroup *group = g_new0(PsRollGroup, 1);
    PsRollWarps *warps = g_new0(PsRollWarps, 1);
    PsRollItem *items = length > LONG ? at_one_point : g_new0(PsRollItem, length);
    PsRollSequence *sequence = g_new0(PsRollSequence, 1);
    *sequence = (PsRollSequence){.n_items = (guint)length, .items = items, .length = length};
    g_assert_cmpint(length, <=, (gint64)G_N_ELEMENTS(at_one_point));
    warps->warps = g_array_new(FALSE, TRUE, sizeof(guint));
    g_array_set_size(warps->warps, 1);
    warps->sequence = sequence;
    group->group[0] = x;
    group->group[1] = y;
    group->group[2] = z;
    group->length = length;
    group->warps = g_ptr_array_new();
    g_ptr_array_add(group->warps, warps);
    return group;
}

static void group_free(gpointer data)
{
    PsRollGroup *group = data;
    PsRollWarps *warps = group->warps->pdata[0];
    if (warps->sequence->items != at_one_point)
        g_free((gpointer)warps->sequence->items);
    g_free((gpointer)warps->sequence);
    g_array_unref(warps->warps);
    g_free(warps);
    g_ptr_array_unref(group->warps);
    g_free(group);
}

/* Groups that execute as many steps as this says. */
static GPtrArray *executed(const guint grid[3], const GArray *numbers,
                           gint64 (*length)(const guint grid[3], const guint group[3]))
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
    for (guint i = 0; i < numbers->len; i++) {
        const guint64 number = g_array_index(numbers, guint64, i);
        const guint at[3] = {(guint)(number % grid[0]), (guint)(number / grid[0] % grid[1]),
                             (guint)(number / grid[0] / grid[1])};
        g_ptr_array_add(groups, group_new(at[0], at[1], at[2], length(grid, at)));
    }
    return groups;
}

/* The kinds, in strata of a grid whose border is not known. */
static GArray *kinds_of(const guint grid[3], const GPtrArray *groups)
{
    const PsStrata strata = ps_strata_of_grid(grid);
    return ps_kinds_new(&strata, groups);
}

static gint64 by_faces(const guint grid[3], const guint group[3])
{
    gint64 steps = 10;
    for (int d = 0; d < 3; d++)
        steps += grid[d] > 1 && (group[d] == 0 || group[d] == grid[d] - 1);
    return steps;
}

static gint64 by_half(const guint grid[3], const guint group[3])
{
    return group[0] < grid[0] / 4 ? 100 : 1;
}

static gint64 by_place(const guint grid[3], const guint group[3])
{
    (void)grid;
    return 1 + group[0];
}

static gint64 by_remainder(const guint grid[3], const guint group[3])
{
    (void)grid;
    return 1 + (group[0] + 2 * group[1]) % 3;
}

/* Adds the numbers of `more` that are not there yet. */
static void join(GArray *plan, const GArray *more)
{
    for (guint i = 0; i < more->len; i++) {
        const guint64 number = g_array_index(more, guint64, i);
        gboolean there = FALSE;
        for (guint k = 0; k < plan->len; k++)
            there |= g_array_index(plan, guint64, k) == number;
        if (!there)
            g_array_append_val(plan, number);
    }
}

/* Edges, and what is strewn. */
static GArray *plan_of(const guint grid[3])
{
    const PsStrata strata = ps_strata_of_grid(grid);
    GArray *plan = ps_strata_middles(&strata);
    g_autoptr(GArray) strewn = ps_kinds_strewn(grid);
    join(plan, strewn);
    return plan;
}

static void check_once(const GArray *plan, guint64 all)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < plan->len; i++) {
        g_assert_cmpuint(g_array_index(plan, guint64, i), <, all);
        g_assert_true(g_hash_table_add(seen, &g_array_index(plan, guint64, i)));
    }
}

/* The largest place comes first; where there is no group in the middle, it is the one before it. */
static void test_middles(void)
{
    static const struct {
        guint grid[3];
        guint64 first;
    } cases[] = {
        {{5, 1, 1}, 2}, {{6, 1, 1}, 2}, {{7, 1, 1}, 3}, {{6, 6, 1}, 2 + 6 * 2}, {{1, 1, 8}, 3}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsStrata strata = ps_strata_of_grid(cases[i].grid);
        g_autoptr(GArray) middles = ps_strata_middles(&strata);
        g_assert_cmpuint(g_array_index(middles, guint64, 0), ==, cases[i].first);
    }
}

/* Plans have each group once; the edges one of each stratum. Of few groups all are there. */
static void test_plan(void)
{
    static const guint grids[][3] = {{1, 1, 1}, {2, 1, 1}, {5, 1, 1},     {4, 3, 1},
                                     {9, 9, 9}, {8, 8, 1}, {65535, 2, 3}, {13, 5, 1}};
    static const guint strata[] = {1, 2, 3, 9, 27, 9, 18, 9};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++) {
        const PsStrata all_strata = ps_strata_of_grid(grids[g]);
        g_autoptr(GArray) edges = ps_strata_middles(&all_strata);
        g_autoptr(GArray) strewn = ps_kinds_strewn(grids[g]);
        g_autoptr(GArray) more = ps_kinds_more(grids[g]);
        const guint64 all = (guint64)grids[g][0] * grids[g][1] * grids[g][2];
        check_once(edges, all);
        check_once(strewn, all);
        check_once(more, all);
        g_assert_cmpuint(edges->len, ==, strata[g]);
        g_assert_cmpuint(strewn->len, <=, 8);
        if (all <= 64)
            g_assert_cmpuint(more->len, ==, all);
        else
            g_assert_cmpuint(more->len, <=, 56);
    }
}

/* The first of few groups lie all over the grid, too, since not all may be executed. */
static void test_few(void)
{
    static const guint grid[3] = {60, 1, 1};
    enum { FIRST = 16 };
    guint before[4] = {0};
    g_autoptr(GArray) more = ps_kinds_more(grid);
    for (guint i = 0; i < FIRST; i++)
        before[g_array_index(more, guint64, i) * 4 / grid[0]]++;
    for (guint quarter = 0; quarter < 4; quarter++)
        g_assert_cmpuint(before[quarter], >=, FIRST / 4 - 1);
}

/* Where the same comes again and again, groups that lie all over the grid lie all over that, too,
 * however often it comes: their mean place there is within four standard errors of the middle. (The
 * golden section's multiples meet it at about the same place where that is a Fibonacci number.) */
static void test_recurring(void)
{
    enum { PERIOD = 128, FIRST = 40, MOST = 400 };
    const double error = PERIOD / sqrt(12 * FIRST);
    for (guint times = 1; times <= MOST; times++) {
        const guint grid[3] = {PERIOD * times, 1, 1};
        guint64 sum = 0;
        for (guint i = 0; i < FIRST; i++)
            sum += ps_kinds_nth_strewn(grid, i) % PERIOD;
        g_assert_cmpfloat(fabs((double)sum / FIRST - (PERIOD - 1) / 2.0), <, 4 * error);
    }
}

/* Faces, edges and corners count by how many groups are there. */
static void test_faces(void)
{
    static const guint grid[3] = {10, 10, 10};
    static const guint64 shares[] = {512, 384, 96, 8};
    g_autoptr(GArray) plan = plan_of(grid);
    g_autoptr(GPtrArray) groups = executed(grid, plan, by_faces);
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_assert_cmpuint(kinds->len, ==, 4);
    for (guint i = 0; i < 4; i++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, i);
        g_assert_cmpuint(kind->groups, ==, shares[i]);
        g_assert_cmpfloat_with_epsilon(kind->share, (double)shares[i] / 1000, 1e-12);
        g_assert_cmpint(kind->group->length, ==, 10 + i);
    }
    g_assert_cmpint(ps_kinds_typical(kinds, FALSE)->group->length, ==, 11);
    g_assert_cmpfloat_with_epsilon(ps_kinds_mean(kinds), 10 + 3 * 0.2, 1e-12);
    g_autofree char *text = ps_kinds_text(kinds);
    g_assert_true(g_str_has_prefix(text, "51.2 % as "));
    g_assert_nonnull(strstr(text, " (10 warp instructions), 38.4 % as "));
}

/* Groups of all kinds are all groups, however their numbers divide, and whatever a grid's size. */
static void test_all(void)
{
    static const guint grids[][3] = {
        {3, 1, 1}, {7, 5, 1}, {1000003, 1, 1}, {211, 97, 3}, {G_MAXINT32, 65535, 65535}};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++) {
        g_autoptr(GArray) plan = plan_of(grids[g]), more = ps_kinds_more(grids[g]);
        guint64 sum = 0;
        join(plan, more);
        g_autoptr(GPtrArray) groups = executed(grids[g], plan, by_remainder);
        g_autoptr(GArray) kinds = kinds_of(grids[g], groups);
        for (guint i = 0; i < kinds->len; i++)
            sum += g_array_index(kinds, PsKind, i).groups;
        g_assert_cmpuint(kinds->len, >, 1);
        g_assert_cmpuint(sum, ==, (guint64)grids[g][0] * grids[g][1] * grids[g][2]);
    }
}

/* Strata of which no group is known count as those that are: all groups are of some kind. */
static void test_unknown(void)
{
    static const guint grid[3] = {100, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    g_ptr_array_add(groups, group_new(0, 0, 0, 5));
    g_ptr_array_add(groups, group_new(99, 0, 0, 7));
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_assert_cmpuint(kinds->len, ==, 2);
    for (guint k = 0; k < 2; k++)
        g_assert_cmpuint(g_array_index(kinds, PsKind, k).groups, ==, 50);
}

/* A group that was only counted is of the kind of the one that it is like, which stands for both,
 * wherever it lies. */
static void test_counted(void)
{
    static const guint grid[3] = {100, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    g_ptr_array_add(groups, group_new(0, 0, 0, 5));
    g_ptr_array_add(groups, group_new(99, 0, 0, 7));
    const PsRollGroup *first = groups->pdata[0];
    PsRollGroup inside = *first;
    inside.as = first;
    inside.group[0] = 50;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, groups->pdata[1]);
    g_ptr_array_add(all, &inside);
    g_ptr_array_add(all, groups->pdata[0]);
    g_autoptr(GArray) kinds = kinds_of(grid, all);
    g_assert_cmpuint(kinds->len, ==, 2);
    g_assert_cmpuint(g_array_index(kinds, PsKind, 0).groups, ==, 99);
    g_assert_true(g_array_index(kinds, PsKind, 0).group == first);
    g_assert_cmpuint(g_array_index(kinds, PsKind, 1).groups, ==, 1);
}

/* What lies on one side of the grid is found inside of it; those that do the work stand for all,
 * not those that are most. */
static void test_half(void)
{
    static const guint grid[3] = {4096, 1, 1};
    g_autoptr(GArray) plan = plan_of(grid);
    g_autoptr(GPtrArray) groups = executed(grid, plan, by_half);
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_assert_cmpuint(kinds->len, ==, 2);
    g_assert_cmpfloat_with_epsilon(g_array_index(kinds, PsKind, 0).share, 0.75, 0.13);
    g_assert_cmpint(ps_kinds_typical(kinds, FALSE)->group->length, ==, 100);
    g_assert_cmpint(ps_kinds_typical(kinds, TRUE)->group->length, ==, 100);
}

/* Where each group is a kind of its own, that nearest to the mean does, or the last one to end, and
 * few are named. */
static void test_each(void)
{
    static const guint grid[3] = {7, 1, 1};
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint64 i = 0; i < 7; i++)
        g_array_append_val(numbers, i);
    g_autoptr(GPtrArray) groups = executed(grid, numbers, by_place);
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_assert_cmpuint(kinds->len, ==, 7);
    g_assert_cmpuint(ps_kinds_typical(kinds, FALSE)->group->group[0], ==, 3);
    g_assert_cmpuint(ps_kinds_typical(kinds, TRUE)->group->group[0], ==, 6);
    g_autofree char *text = ps_kinds_text(kinds);
    g_assert_true(g_str_has_suffix(text, ", 42.9 % as others"));
}

/* The same number of instructions is not the same instructions. */
static void test_alike(void)
{
    static const guint grid[3] = {2, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    for (guint x = 0; x < 2; x++)
        g_ptr_array_add(groups, group_new(x, 0, 0, 5));
    const PsRollGroup *second = groups->pdata[1];
    const PsRollWarps *warps = second->warps->pdata[0];
    g_autoptr(GArray) same = kinds_of(grid, groups);
    g_assert_cmpuint(same->len, ==, 1);
    ((PsRollItem *)warps->sequence->items)[4].point = 1;
    g_autoptr(GArray) other = kinds_of(grid, groups);
    g_assert_cmpuint(other->len, ==, 2);
    g_assert_cmpfloat_with_epsilon(g_array_index(other, PsKind, 1).share, 0.5, 1e-12);
}

/* ---- of which the graph is ------------------------------------------------------------------ */

/* A launch of so many groups of each length, all of them executed, and what its graph is of:
 * "1*100 3*10", parts and lengths. */
static void check_chosen(const guint *lengths, guint n, gboolean at_once, const char *expected)
{
    const guint grid[3] = {n, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(groups, group_new(i, 0, 0, lengths[i]));
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_autoptr(GArray) chosen = ps_kinds_chosen(kinds, at_once);
    for (guint i = 0; i < chosen->len; i++) {
        const PsKind *kind = &g_array_index(chosen, PsKind, i);
        g_string_append_printf(text, "%s%d*%d", i > 0 ? " " : "", (int)kind->parts,
                               (int)kind->group->length);
    }
    g_assert_cmpstr(text->str, ==, expected);
}

#define CHOSEN(AT_ONCE, EXPECTED, ...)                                                             \
    do {                                                                                           \
        static const guint lengths[] = {__VA_ARGS__};                                              \
        check_chosen(lengths, G_N_ELEMENTS(lengths), AT_ONCE, EXPECTED);                           \
    } while (0)

/* What is alike, or so rare or so short that it hardly matters, is one. */
/* As many kinds as groups, as where each waits for atomics as often as it happens: to choose some
 * takes no longer for each kind if there are more. (With the mean of all for each two of them it
 * took minutes.) */
static void test_many(void)
{
    enum { MANY = 4096 };
    g_autofree guint *lengths = g_new(guint, MANY);
    for (guint i = 0; i < MANY; i++)
        lengths[i] = 1000000 + i;
    check_chosen(lengths, MANY, FALSE, "1*1002047");
}

static void test_chosen(void)
{
    CHOSEN(FALSE, "1*50", 50, 50, 50, 50);
    CHOSEN(FALSE, "1*100", 100, 101, 99, 100);
    CHOSEN(FALSE, "1*100 1*10", 100, 10, 100, 10);
    CHOSEN(FALSE, "1*100 3*10", 10, 100, 10, 10);
    CHOSEN(FALSE, "1*100 3*11", 10, 100, 11, 12);
    /* one in four takes half as long: an eighth of the work */
    CHOSEN(FALSE, "3*100 1*50", 100, 100, 50, 100);
    /* six of one each: four of them, with the same mean */
    CHOSEN(FALSE, "2*500 2*400 1*200 1*100", 100, 200, 300, 400, 500, 600);
}

/* Where 104 and 100 are as near to the mean of what is merged, 102, the one that more groups are of
 * stands for it. */
static void test_as_near(void)
{
    CHOSEN(FALSE, "17*1000 9*100", 106, 104, 104, 104, 104, 100, 100, 100, 100, 100, 100, 1000,
           1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
           1000, 1000, 1000, 1000, 1000);
}

/* Where all run at once, the launch ends with the longest: it stays what it is. */
static void test_at_once(void)
{
    CHOSEN(TRUE, "1*50", 50, 50, 50, 50);
    CHOSEN(TRUE, "1*102", 102, 101, 101, 101);
    CHOSEN(TRUE, "1*110 3*101", 101, 110, 101, 101);
    CHOSEN(FALSE, "1*101", 101, 110, 101, 101);
    CHOSEN(TRUE, "1*200 3*100", 100, 100, 200, 100);
}

/* Instructions that no lane executes are no work: they tell kinds of as many instructions apart. */
static void test_off(void)
{
    const guint grid[3] = {2, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    for (guint i = 0; i < 2; i++)
        g_ptr_array_add(groups, group_new(i, 0, 0, 100));
    PsRollGroup *idle = groups->pdata[1];
    PsRollSequence *steps = (PsRollSequence *)((PsRollWarps *)idle->warps->pdata[0])->sequence;
    for (guint i = 0; i < 60; i++)
        ((PsRollItem *)steps->items)[i].off = TRUE;
    idle->off = steps->off = 60;
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_autoptr(GArray) chosen = ps_kinds_chosen(kinds, FALSE);
    g_assert_cmpuint(kinds->len, ==, 2);
    g_assert_cmpuint(chosen->len, ==, 2);
    g_assert_cmpfloat(ps_kinds_mean(kinds), ==, 70);
    g_assert_cmpfloat(ps_kind_work(&g_array_index(chosen, PsKind, 1)), ==, 40);
}

/* Shares in parts, of which there are as many as it takes. */
static void test_parts(void)
{
    const guint grid[3] = {1000, 1, 1};
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    for (guint i = 0; i < 1000; i++)
        g_ptr_array_add(groups, group_new(i, 0, 0, i < 618 ? 90 : 30));
    g_autoptr(GArray) kinds = kinds_of(grid, groups);
    g_autoptr(GArray) chosen = ps_kinds_chosen(kinds, FALSE);
    g_assert_cmpuint(chosen->len, ==, 2);
    const gint64 first = g_array_index(chosen, PsKind, 0).parts;
    const gint64 parts = first + g_array_index(chosen, PsKind, 1).parts;
    g_assert_cmpfloat_with_epsilon((double)first / (double)parts, 0.618, 0.003);
    g_assert_cmpint(parts, <, 50);
}

/* The fewest parts with which the share of so many in 200 groups, which execute 30 of the others'
 * 90 instructions, gets no more than a 200th of the work wrong. */
static gint64 fewest(guint rare)
{
    const double share = rare / 200.0, mean = 90 - 60 * share;
    for (gint64 parts = 2;; parts++) {
        const gint64 its = MAX((gint64)floor(share * (double)parts + 0.5), 1);
        if (fabs((double)its / (double)parts - share) * (30 + 90) / mean <= 0.005)
            return parts;
    }
}

static void test_fewest_parts(void)
{
    for (guint rare = 10; rare < 100; rare += 3) {
        const guint grid[3] = {200, 1, 1};
        g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
        gint64 parts = 0;
        for (guint i = 0; i < 200; i++)
            g_ptr_array_add(groups, group_new(i, 0, 0, i < rare ? 30 : 90));
        g_autoptr(GArray) kinds = kinds_of(grid, groups);
        g_autoptr(GArray) chosen = ps_kinds_chosen(kinds, FALSE);
        g_assert_cmpuint(chosen->len, ==, 2);
        for (guint i = 0; i < chosen->len; i++)
            parts += g_array_index(chosen, PsKind, i).parts;
        g_assert_cmpint(parts, ==, fewest(rare));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift/kinds/middles", test_middles);
    g_test_add_func("/lift/kinds/plan", test_plan);
    g_test_add_func("/lift/kinds/few", test_few);
    g_test_add_func("/lift/kinds/recurring", test_recurring);
    g_test_add_func("/lift/kinds/faces", test_faces);
    g_test_add_func("/lift/kinds/all", test_all);
    g_test_add_func("/lift/kinds/unknown", test_unknown);
    g_test_add_func("/lift/kinds/counted", test_counted);
    g_test_add_func("/lift/kinds/half", test_half);
    g_test_add_func("/lift/kinds/each", test_each);
    g_test_add_func("/lift/kinds/alike", test_alike);
    g_test_add_func("/lift/kinds/chosen", test_chosen);
    g_test_add_func("/lift/kinds/many", test_many);
    g_test_add_func("/lift/kinds/as-near", test_as_near);
    g_test_add_func("/lift/kinds/at-once", test_at_once);
    g_test_add_func("/lift/kinds/off", test_off);
    g_test_add_func("/lift/kinds/parts", test_parts);
    g_test_add_func("/lift/kinds/fewest-parts", test_fewest_parts);
    return g_test_run();
}
