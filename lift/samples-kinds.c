/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes groups that show of which kinds those of the launch are, as long as it takes to know
 * their shares, and chooses those that become the graph: those that stand for all groups of the
 * grid (kinds.h), or of those that the caller asked for.
 */
#include "lift/build-private.h"
#include "lift/groups/varies.h"

#include <math.h>
#include <string.h>

/* Warp instructions that take an unnoticeable time. */
#define LITTLE (1 << 16)
/* Least number of groups all over the grid that show the kinds. */
#define KINDS_LEAST 5
/* If kinds of groups differ, so many more are executed for their shares, unless these would likely
 * take more warp instructions than that. */
#define MORE_GROUPS 16
#define KINDS_MORE 56
#define KINDS_MANY 248
#define MORE_BUDGET (1 << 22)
/* If all groups together likely take no more than that, all are executed, up to so many: then
 * shares are exact, and no fault is missed. */
#define MOST_GROUPS 4096
/* The same limit if no two groups were seen to differ, but some might, or might access memory
 * elsewhere: 30 to 60 ms. */
#define UNSEEN_BUDGET (1 << 21)
/* Where groups may access memory otherwise: 10 to 40 ms. */
#define UNLIKE_BUDGET (1 << 18)
/* Ratio of groups' instructions to the expected ones beyond which no more are executed. */
#define BUDGET_TIMES 4
/* A kind that executes more than this many times the mean is rare and long. */
#define RARE_TIMES 4
/* A group for kinds that executes more than this, and so many times as much as the longest before
 * it, counts as endless. */
#define ENDLESS (1 << 26)
#define ENDLESS_TIMES 64
/* Groups that are executed twice, first counted and then recorded, because they are like none
 * before; as many more as were like one. All others are recorded at once. */
#define MOST_STRANGE 2

/* TRUE if the launch is known to end with its longest group: all groups fit at once, or that group
 * has more to do than each place for a group in the whole launch. */
static gboolean ends_with_longest(const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    const guint held = ps_samples_resident(options, ps_ptx_machine_code(samples->machine));
    const double places = (double)held * options->compute_units;
    const double groups = (double)ps_samples_groups(samples);
    double longest = 0;
    for (guint i = 0; i < samples->kinds->len; i++)
        longest = MAX(longest, ps_kind_work(&g_array_index(samples->kinds, PsKind, i)));
    return groups <= places ||
           (places > 0 && longest * places > ps_kinds_mean(samples->kinds) * groups);
}

/* The groups of pairs that asked for products of both (PsPtxTensorProduct.by); 0: there are
 * none. */
static guint leaders_of_pairs(const PsSamples *samples)
{
    guint by = 0;
    for (guint p = 0; p < ps_ptx_machine_code(samples->machine)->n_points; p++) {
        const PsPtxTensorProduct *product = ps_ptx_machine_product(samples->machine, p);
        by |= product && product->pair ? product->by : 0;
    }
    return by;
}

/* A product of a pair of groups is in the graph of the group that asks for it, and takes as long on
 * both compute units. So if one group asks for both, it stands for both. */
static GPtrArray *that_stand(const PsSamples *samples, const GPtrArray *groups)
{
    const guint by = leaders_of_pairs(samples);
    GPtrArray *list = g_ptr_array_new();
    for (guint i = 0; i < groups->len; i++) {
        const PsRollGroup *group = groups->pdata[i];
        const guint bit = 1U << (ps_ptx_machine_rank(samples->machine, group->group) & 1);
        if (by == 0 || (by & bit) != 0)
            g_ptr_array_add(list, (gpointer)group);
    }
    for (guint i = 0; list->len == 0 && i < groups->len; i++)
        g_ptr_array_add(list, groups->pdata[i]);
    return list;
}

/* Chooses the groups that stand for all: for those that were asked for, or for the grid. */
static void choose(PsSamples *samples, const GPtrArray *all)
{
    g_autoptr(GPtrArray) groups = that_stand(samples, all);
    samples->kinds = ps_kinds_new(&samples->strata, groups);
    samples->chosen = ps_kinds_chosen(samples->kinds, ends_with_longest(samples));
}

static PsRollGroup *find_in(const GPtrArray *groups, const guint group[3])
{
    for (guint i = 0; i < groups->len; i++) {
        PsRollGroup *one = groups->pdata[i];
        if (memcmp(one->group, group, sizeof one->group) == 0)
            return one;
    }
    return NULL;
}

/* The group, if it was executed; else NULL. */
static PsRollGroup *find_executed(const PsSamples *samples, const guint group[3])
{
    PsRollGroup *one = find_in(ps_roll_groups(samples->roll), group);
    return one ? one : find_in(samples->counted, group);
}

/* Notes that a group, which was counted last, does what another one was recorded to do. */
static void add_counted(PsSamples *samples, const guint group[3], const PsRollGroup *as)
{
    PsRollGroup *one = g_new(PsRollGroup, 1);
    *one = *as;
    one->as = as;
    one->demand = samples->uneven ? samples->demand : as->demand;
    memcpy(one->group, group, sizeof one->group);
    g_ptr_array_add(samples->counted, one);
}

/* TRUE if all can go on without a group for which there was no memory; a message says so. Takes
 * ownership of why. */
static gboolean is_excused(PsSamples *samples, const guint group[3], GError **why, GError **error)
{
    if (samples->cancelled)
        return TRUE;
    if (!ps_ptx_machine_full(samples->machine)) {
        g_propagate_error(error, g_steal_pointer(why));
        return FALSE;
    }
    if (!samples->left_out)
        samples->left_out =
            g_strdup_printf("kinds of groups are without group %u,%u,%u, and those after it: %s",
                            group[0], group[1], group[2], (*why)->message);
    return TRUE;
}

/* Executes a group only to count its work (PsSamplesCount). It may be executed again to be
 * recorded, so its writes are taken back. */
static gboolean count_excused(PsSamples *samples, const guint group[3], GError **error)
{
    g_autoptr(GError) why = NULL;
    ps_ptx_machine_try(samples->machine);
    const gboolean good = ps_samples_count_group(samples, group, &why);
    ps_ptx_machine_tried(samples->machine, TRUE);
    return good || is_excused(samples, group, &why, error);
}

/* Counts a group's work. *as: the group that was recorded to do the same; NULL: none, and memory is
 * unchanged, so that the group can be executed again to be recorded. */
static gboolean try_group(PsSamples *samples, const guint group[3], const PsRollGroup **as,
                          GError **error)
{
    ps_ptx_machine_try(samples->machine);
    const gboolean good = ps_samples_count_group(samples, group, error);
    *as = good ? ps_samples_like(samples) : NULL;
    ps_ptx_machine_tried(samples->machine, good && !*as);
    return good;
}

/* Executes a group to find its kind. */
static gboolean show_group(PsSamples *samples, const guint group[3], gboolean record,
                           GError **error)
{
    if (record)
        return ps_samples_execute(samples, group, NULL, error);
    const PsRollGroup *as = NULL;
    if (!try_group(samples, group, &as, error))
        return FALSE;
    if (as) {
        add_counted(samples, group, as);
        return TRUE;
    }
    samples->strange++;
    return ps_samples_execute(samples, group, NULL, error);
}

/* TRUE if groups are recorded at once: while they take little, if there are many kinds, or if they
 * may be executed only once. */
static gboolean is_recorded(const PsSamples *samples, guint64 spent)
{
    return spent + samples->longest < LITTLE || ps_samples_takes_numbers(samples) ||
           samples->strange >= MOST_STRANGE + samples->counted->len;
}

/* Executes so many groups that show kinds, each to its end; fewer if they exhaust the budget.
 * Traffic is settled without them, unless one of them becomes part of the graph. FALSE and *error:
 * one has a fault. */
static gboolean run_kinds(PsSamples *samples, const GArray *numbers, guint most, guint64 budget,
                          GError **error)
{
    const guint *grid = samples->options->launch.grid;
    const guint64 begun = ps_samples_executed(samples);
    for (guint i = 0; i < numbers->len; i++) {
        const guint64 number = g_array_index(numbers, guint64, i),
                      spent = ps_samples_executed(samples) - begun;
        const guint group[3] = {(guint)(number % grid[0]), (guint)(number / grid[0] % grid[1]),
                                (guint)(number / grid[0] / grid[1])};
        PsRollGroup *one = find_executed(samples, group);
        g_autoptr(GError) why = NULL;
        if (!one && (most-- == 0 || spent >= budget))
            return TRUE;
        if (!one && !show_group(samples, group, is_recorded(samples, spent), &why))
            return is_excused(samples, group, &why, error);
        one = one ? one : find_executed(samples, group);
        if (!g_ptr_array_find(samples->shown, one, NULL))
            g_ptr_array_add(samples->shown, one);
    }
    return TRUE;
}

/* TRUE if all groups of the plan that are spread over the grid were executed. Which ones were not
 * depends on their work, so those that were would be the short ones. */
static gboolean all_apart(const PsSamples *samples)
{
    for (guint i = 0; i < samples->plan->len; i++) {
        const PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        if (one->what.apart && !find_executed(samples, one->group))
            return FALSE;
    }
    return TRUE;
}

/* Shows the middle group, and those of the plan that are spread over the grid. The middle one's
 * neighbours would only show its own kind, and the groups of its compute unit are nearer to it the
 * fewer of them are executed. */
static void show_planned(PsSamples *samples)
{
    const GPtrArray *all = ps_roll_groups(samples->roll);
    const gboolean apart = all_apart(samples);
    for (guint i = 0; i < all->len; i++) {
        const PsRollGroup *group = all->pdata[i];
        const PsPlanned *one = ps_samples_planned(samples, group->group);
        if (i == 0 || !one || (apart && one->what.apart))
            g_ptr_array_add(samples->shown, all->pdata[i]);
    }
}

/* Chooses the groups of the graph. TRUE if one of them is not among the first `settled`. */
static gboolean add_chosen(PsSamples *samples, guint settled)
{
    gboolean late = FALSE;
    for (guint k = 0; k < samples->chosen->len; k++) {
        const PsRollGroup *group = g_array_index(samples->chosen, PsKind, k).group;
        guint at = 0;
        g_ptr_array_add(samples->groups, (gpointer)group);
        late |= g_ptr_array_find((GPtrArray *)ps_roll_groups(samples->roll), group, &at) &&
                at >= settled;
    }
    return late;
}

/* Chooses by all groups that show kinds so far. */
static void choose_shown(PsSamples *samples)
{
    g_clear_pointer(&samples->kinds, g_array_unref);
    g_clear_pointer(&samples->chosen, g_array_unref);
    choose(samples, samples->shown);
}

/* Instructions of a group, at most: the user's limit, or a number that only an endless group
 * exceeds. */
static guint64 endless(const PsSamples *samples)
{
    const gboolean said = samples->options->launch.most_instructions > 0;
    return said ? 0 : MAX(ENDLESS_TIMES * samples->longest, ENDLESS);
}

/* TRUE if a rare kind does so much more than the mean that its share matters; few groups do not
 * show that share. */
static gboolean has_rare(const GArray *kinds, guint64 mean)
{
    gboolean rare = FALSE;
    for (guint k = 0; k < kinds->len; k++)
        rare = rare || ps_kind_work(&g_array_index(kinds, PsKind, k)) > RARE_TIMES * (double)mean;
    return rare;
}

/* How many mean groups make LITTLE instructions, within limits. The number does not depend on what
 * they turn out to execute, so their mean is that of all. */
static guint enough(const PsSamples *samples, guint least, guint most)
{
    const double mean = MAX(ps_kinds_mean(samples->kinds), 1);
    return (guint)CLAMP(LITTLE / mean, least, most);
}

/* Instructions of that many groups, at most: more than most groups take. */
static guint64 budget_of(const PsSamples *samples, guint n)
{
    return (guint64)(BUDGET_TIMES * n * MAX(ps_kinds_mean(samples->kinds), 1)) + LITTLE;
}

/* Shows one group of each stratum, at any cost, since only these groups show its work. */
static gboolean show_strata(PsSamples *samples, GError **error)
{
    g_autoptr(GArray) middles = ps_strata_middles(&samples->strata);
    return run_kinds(samples, middles, G_MAXUINT, G_MAXUINT64, error);
}

/* TRUE if all groups, which may differ though none did, take so little that they are executed. */
static gboolean may_see_all(const PsSamples *samples, guint64 budget)
{
    const guint64 all = ps_samples_groups(samples);
    return all <= MOST_GROUPS && (double)all * ps_kinds_mean(samples->kinds) <= (double)budget;
}

/* Shows a group of each way, as far as ways are computed, or of each beginning. */
static gboolean show_classes(PsSamples *samples, GError **error)
{
    if (!may_see_all(samples, UNSEEN_BUDGET))
        ps_samples_decide(samples);
    if (!ps_samples_begin(samples, error))
        return FALSE;
    ps_ptx_machine_limit(samples->machine, endless(samples));
    g_autoptr(GArray) firsts = ps_samples_of_classes(samples);
    return run_kinds(samples, firsts, G_MAXUINT, G_MAXUINT64, error);
}

/* Executed groups by their places in the launch (guint64 *); free with g_hash_table_unref. */
static GHashTable *executed_by_place(const PsSamples *samples)
{
    const GPtrArray *lists[] = {ps_roll_groups(samples->roll), samples->counted};
    GHashTable *table = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint i = 0; i < lists[l]->len; i++) {
            PsRollGroup *one = lists[l]->pdata[i];
            const guint64 place = ps_samples_place(samples, one->group);
            if (!g_hash_table_contains(table, &place))
                g_hash_table_insert(table, g_memdup2(&place, sizeof place), one);
        }
    return table;
}

/* Shows a group that was not executed, and returns it; NULL: it has a fault, or nothing more is
 * executed. */
static PsRollGroup *show_newest(PsSamples *samples, const guint group[3], guint64 spent,
                                GError **error)
{
    const guint before = samples->counted->len;
    if (!show_group(samples, group, is_recorded(samples, spent), error))
        return NULL;
    const GPtrArray *list =
        samples->counted->len > before ? samples->counted : ps_roll_groups(samples->roll);
    return list->pdata[list->len - 1];
}

/* Shows all groups of the launch, unless they exceed the budget. */
static gboolean show_all(PsSamples *samples, guint64 budget, GError **error)
{
    const guint64 begun = ps_samples_executed(samples), all = ps_samples_groups(samples);
    g_autoptr(GHashTable) executed = executed_by_place(samples);
    g_autoptr(GHashTable) shown = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < samples->shown->len; i++)
        g_hash_table_add(shown, samples->shown->pdata[i]);
    for (guint64 place = 0; place < all; place++) {
        const guint64 spent = ps_samples_executed(samples) - begun;
        PsRollGroup *one = g_hash_table_lookup(executed, &place);
        g_autoptr(GError) why = NULL;
        guint group[3];
        ps_samples_group_at(samples, place, group);
        if (!one && (spent >= budget || !(one = show_newest(samples, group, spent, &why))))
            return spent >= budget || is_excused(samples, group, &why, error);
        if (g_hash_table_add(shown, one))
            g_ptr_array_add(samples->shown, one);
    }
    samples->strata.classes = NULL; /* shares are counted */
    return TRUE;
}

/* If groups of one stratum differ and their shares matter: shows some more all over the grid, or
 * all. */
static gboolean show_more(PsSamples *samples, GError **error)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    const gboolean mixed = ps_kinds_are_mixed(&samples->strata, samples->shown);
    if (may_see_all(samples, mixed ? MORE_BUDGET : UNSEEN_BUDGET) &&
        (mixed || ps_groups_may_vary(code, samples->decided) || ps_groups_may_stray(code)))
        return show_all(samples, (guint64)BUDGET_TIMES * MORE_BUDGET, error);
    const guint *grid = samples->options->launch.grid;
    const double mean = MAX(ps_kinds_mean(samples->kinds), 1);
    const gboolean many = samples->uneven && ps_kinds_measure(samples->kinds) != PS_LOAD_WORK;
    const guint few =
        MIN(enough(samples, MORE_GROUPS, KINDS_MORE), (guint)ceil(MORE_BUDGET / mean));
    const guint n = many ? MAX(few, (guint)MIN(UNLIKE_BUDGET / mean, KINDS_MANY)) : few;
    g_autoptr(GArray) more = many ? ps_kinds_many(grid) : ps_kinds_more(grid);
    if ((samples->chosen->len == 1 && !has_rare(samples->kinds, (guint64)mean)) || !mixed)
        return TRUE;
    return run_kinds(samples, more, n, budget_of(samples, n), error);
}

/* Where groups may ask memory for other amounts, and none of those that were executed did: some
 * more all over the grid. */
static gboolean show_unlike(PsSamples *samples, GError **error)
{
    const double mean = MAX(ps_kinds_mean(samples->kinds), 1);
    g_autoptr(GArray) more = ps_kinds_more(samples->options->launch.grid);
    if (!samples->uneven || ps_kinds_are_mixed(&samples->strata, samples->shown))
        return TRUE;
    const guint n = (guint)MIN(KINDS_MORE, UNLIKE_BUDGET / mean);
    const gboolean good = run_kinds(samples, more, n, UNLIKE_BUDGET, error);
    choose_shown(samples);
    return good;
}

/* Shows a group of each class of those that differ in what they ask memory for, if any do. */
static gboolean show_uneven(PsSamples *samples, GError **error)
{
    if (!samples->uneven || !ps_kinds_are_uneven(&samples->strata, samples->shown))
        return TRUE;
    if (!ps_samples_begin_by_demand(samples, error))
        return FALSE;
    ps_ptx_machine_limit(samples->machine, endless(samples));
    g_autoptr(GArray) firsts = ps_samples_of_classes(samples);
    return run_kinds(samples, firsts, G_MAXUINT, G_MAXUINT64, error);
}

/* Finds the kinds of groups: by one at each edge of the grid, some all over the grid, one of each
 * stratum that the border makes, one of each beginning, and some more where strata are mixed.
 * Groups that take their numbers from a counter have no border: their work does not depend on their
 * place. */
static gboolean find_kinds(PsSamples *samples, GError **error)
{
    g_autoptr(GArray) strewn = ps_kinds_strewn(samples->options->launch.grid);
    ps_ptx_machine_limit(samples->machine, endless(samples));
    samples->varies = ps_groups_vary_in(ps_ptx_machine_code(samples->machine));
    samples->uneven = (samples->varies & PS_GROUPS_UNEVEN) != 0;
    show_planned(samples);
    gboolean good = show_strata(samples, error);
    choose_shown(samples);
    const guint n = enough(samples, KINDS_LEAST, strewn->len);
    good = good && run_kinds(samples, strewn, n, budget_of(samples, n), error);
    choose_shown(samples);
    good = good && !samples->cancelled &&
           (ps_samples_takes_numbers(samples) ||
            ps_samples_find_border(samples, samples->kinds->len > 1, count_excused, error)) &&
           show_strata(samples, error);
    good = good && !samples->cancelled && show_classes(samples, error);
    choose_shown(samples);
    good = good && show_unlike(samples, error) && show_uneven(samples, error) &&
           show_more(samples, error);
    choose_shown(samples);
    good = good && (ps_samples_takes_numbers(samples) ||
                    ps_samples_look_at_border(samples, count_excused, error));
    ps_ptx_machine_limit(samples->machine, 0);
    return good || samples->cancelled;
}

gboolean ps_samples_find_groups(PsSamples *samples, GError **error)
{
    const guint n = samples->options->n_samples;
    samples->groups = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(samples->groups, ps_roll_groups(samples->roll)->pdata[i]);
    if (n > 0) {
        choose(samples, samples->groups);
        return TRUE;
    }
    const guint settled = ps_roll_groups(samples->roll)->len;
    if (!find_kinds(samples, error))
        return FALSE;
    samples->sure = ps_kinds_sure(&samples->strata, samples->shown);
    samples->vary = ps_groups_may_vary(ps_ptx_machine_code(samples->machine), samples->decided);
    if (samples->vary || samples->varies & PS_GROUPS_DATA ||
        ps_groups_may_guard(ps_ptx_machine_code(samples->machine), samples->decided))
        samples->sure.hidden = ps_kinds_hidden(&samples->strata, samples->shown);
    if (add_chosen(samples, settled))
        ps_roll_settle(samples->roll);
    return TRUE;
}
