/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs groups: those of the plan, from which the cache model learns what groups share, and those
 * that the caller asked for. Then chooses those that become the graph: those that stand for all
 * groups of the grid (kinds.h), or of those that the caller asked for.
 */
#include "lift/build-private.h"

#include <string.h>

/* Most kinds of iterations that a loop in a graph has; people could not read more. */
#define MOST_KINDS 16
/* Warp instructions that may always be executed for the cache model, however few the graph needs.
 */
#define LEAST_BUDGET (1 << 17)
/* Groups that lie all over the grid show the kinds: as many as five like the mean one. */
#define KINDS_BUDGET 5
/* Where kinds of groups differ, so many like the mean one may be executed for their shares, as
 * long as these are no more warp instructions than that. */
#define MORE_GROUPS 16
#define MORE_BUDGET (1 << 22)
/* A kind that executes more than this many times what the mean group does is rare and long. */
#define RARE_TIMES 4
/* A group that shows of which kind it is, and executes more than this, and so many times what the
 * longest one before it did, is taken to be without end. */
#define ENDLESS (1 << 26)
#define ENDLESS_TIMES 64
/* The most groups that are executed twice, counted first and then recorded, since they are like
 * none before them; as many more may be as were like one. All others are recorded at once. */
#define MOST_STRANGE 2
#define HEARING (1 << 16) /* warp instructions between two reports of progress */

/* ---- listening ------------------------------------------------------------------------------ */

static void begin_group(gpointer data, const guint group[3])
{
    PsSamples *samples = data;
    (void)group;
    samples->before += samples->heard;
    samples->due -= MIN(samples->due, samples->heard);
    samples->heard = 0;
    ps_census_begin(samples->census);
}

static void hear_begin(gpointer data, const guint group[3])
{
    PsSamples *samples = data;
    begin_group(data, group);
    if (samples->record.group_begins)
        samples->record.group_begins(samples->record.data, group);
}

static void hear_end(gpointer data)
{
    const PsSamples *samples = data;
    if (samples->record.group_ends)
        samples->record.group_ends(samples->record.data);
}

/* TRUE if the caller asked for all groups of the launch. */
static gboolean is_whole(const PsBuildOptions *options)
{
    const guint *grid = options->launch.grid;
    return (guint64)grid[0] * grid[1] * grid[2] == options->n_samples;
}

/* How much of all groups is executed, by the mean of those that are done: 0 while none is. */
static double share(const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    guint asked = options->n_samples, beside = 0;
    for (guint i = 0; i < samples->plan->len; i++) {
        const gboolean first = g_array_index(samples->plan, PsPlanned, i).first;
        asked += first && !options->n_samples;
        beside += !first && !is_whole(options);
    }
    if (samples->done == 0)
        return 0;
    const double mean = (double)samples->before / samples->done, all = asked * mean;
    const double more = MIN(beside * mean, MAX(all, LEAST_BUDGET)) + samples->n_edges * mean;
    return MIN((double)(samples->before + samples->heard) / (all + more), 1);
}

static void report_progress(PsSamples *samples)
{
    samples->due = samples->heard + HEARING;
    const PsProgress progress = {PS_PHASE_GROUP, samples->heard,
                                 ps_ptx_machine_most(samples->machine), share(samples),
                                 samples->begun};
    if (!samples->cancelled && ps_progress_is_due(&samples->told) &&
        !ps_hearer_tell(&samples->options->progress, &progress, &samples->cancelled))
        ps_ptx_machine_stop(samples->machine);
}

/* The event and those behind it, n in all, were executed. */
static inline void count(PsSamples *samples, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    ps_census_add(samples->census, event, n, masks);
    samples->heard += n;
    if (samples->heard >= samples->due)
        report_progress(samples);
}

/* Notes when warps first come to an access of global memory. */
static void note_first(const PsSamples *samples, const PsPtxEvent *event)
{
    const guint32 warp = (guint32)1 << event->warp;
    if (samples->warps_at[event->point] & warp)
        return;
    samples->warps_at[event->point] |= warp;
    samples->all_at[event->point] = samples->heard;
    if (samples->first_at[event->point] == 0)
        samples->first_at[event->point] = samples->heard;
}

static void hear(gpointer data, const PsPtxEvent *event)
{
    PsSamples *samples = data;
    count(samples, event, 1, NULL);
    /* noted for other instructions, too; clear_others drops those */
    if (event->mask != event->active && event->mask != 0)
        samples->apart[event->point] = TRUE;
    if (event->memory && event->space == PS_PTX_GLOBAL)
        note_first(samples, event);
    samples->record.executed(samples->record.data, event);
}

static void hear_straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    PsSamples *samples = data;
    count(samples, event, n, masks);
    samples->record.straight(samples->record.data, event, n, masks);
}

static void hear_only(gpointer data, const PsPtxEvent *event)
{
    count(data, event, 1, NULL);
}

static void hear_only_straight(gpointer data, const PsPtxEvent *event, guint n,
                               const guint32 *masks)
{
    count(data, event, n, masks);
}

static gboolean run_group(PsSamples *samples, const guint group[3], const PsPtxListener *listener,
                          GError **error)
{
    const gboolean done = ps_ptx_run_group(samples->machine, group, listener, error) &&
                          ps_ptx_machine_check_spins(samples->machine, error);
    samples->done += done;
    samples->longest = MAX(samples->longest, samples->heard);
    if (done)
        ps_samples_note(samples, group);
    return done;
}

/* Executes a group and records what it does. */
static gboolean record_group(PsSamples *samples, const guint group[3], GError **error)
{
    const PsPtxListener listener = {samples, hear_begin, hear, hear_straight, hear_end};
    if (!run_group(samples, group, &listener, error))
        return FALSE;
    const GPtrArray *all = ps_roll_groups(samples->roll);
    guint64 *number = g_new(guint64, 1);
    *number = ps_census_number(samples->census);
    if (g_hash_table_contains(samples->recorded, number))
        g_free(number);
    else
        g_hash_table_insert(samples->recorded, number, all->pdata[all->len - 1]);
    return TRUE;
}

/* Executes a group only to count what it does. */
static gboolean count_group(PsSamples *samples, const guint group[3], GError **error)
{
    const PsPtxListener listener = {samples, begin_group, hear_only, hear_only_straight, NULL};
    return run_group(samples, group, &listener, error);
}

/* Keeps the branches that parted lanes, and all branches through tables, since their events do not
 * say where lanes go. */
static void clear_others(const PsPtxCode *code, guint8 *apart)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxPoint *point = &code->points[p];
        apart[p] = point->targets != NULL || (apart[p] && point->target != PS_PTX_NOWHERE);
    }
}

/* Notes at which waits for mbarriers all warps of a group meet: not if they did not in some group.
 * In a group of one warp there is nothing to meet. */
static void find_meetings(PsSamples *samples, const PsPtxCode *code)
{
    samples->meets = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->meets[p] =
            ps_ptx_machine_wait(samples->machine, p) == (PS_PTX_WAIT_OWN | PS_PTX_WAIT_OTHERS);
}

static void find_ways(PsSamples *samples, const PsPtxCode *code)
{
    samples->ways = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->ways[p] = (guint8)ps_ptx_machine_way(samples->machine, p);
}

/* ---- groups --------------------------------------------------------------------------------- */

static gboolean check_group(const PsBuildOptions *options, const guint group[3], GError **error)
{
    const guint *grid = options->launch.grid;
    if (group[0] < grid[0] && group[1] < grid[1] && group[2] < grid[2])
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "there is no group %u,%u,%u: the grid has %u x %u x %u groups, counted from 0",
                group[0], group[1], group[2], grid[0], grid[1], grid[2]);
    return FALSE;
}

static guint64 executed(const PsSamples *samples)
{
    guint64 warps = 0;
    ps_ptx_machine_counts(samples->machine, &warps, NULL);
    return warps;
}

/* The entry of the plan for a group; NULL: it has none. */
static PsPlanned *planned(const PsSamples *samples, const guint group[3])
{
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        if (memcmp(one->group, group, sizeof one->group) == 0)
            return one;
    }
    return NULL;
}

/* Executes a group, also for whatever the plan wants it for. */
static gboolean execute(PsSamples *samples, const guint group[3], PsPlanned *plan, GError **error)
{
    const guint64 begun = executed(samples);
    PsPatternGroup what = plan ? plan->what : (PsPatternGroup){0};
    what.strewn = !is_whole(samples->options) && (!plan || what.strewn);
    ps_roll_next(samples->roll, what);
    const gboolean good = record_group(samples, group, error);
    if (plan) {
        plan->done = TRUE;
        plan->took = executed(samples) - begun;
    }
    return good;
}

/* ---- groups that are asked for -------------------------------------------------------------- */

static gboolean run_listed(PsSamples *samples, GError **error)
{
    const PsBuildOptions *options = samples->options;
    for (guint i = 0; i < options->n_samples; i++)
        if (!check_group(options, options->samples[i], error))
            return FALSE;
    for (guint i = 0; i < options->n_samples; i++) {
        const guint *group = options->samples[i];
        if (!execute(samples, group, planned(samples, group), error))
            return FALSE;
    }
    return TRUE;
}

static gboolean run_first(PsSamples *samples, GError **error)
{
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        if (one->first && !execute(samples, one->group, one, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- groups that share with them ------------------------------------------------------------ */

/* Executes a group that only the plan wants. It may take longer than it may, or need more memory;
 * any other fault is the kernel's. Who asked for other groups is told of it, and the graph is of
 * these. */
static gboolean run_beside(PsSamples *samples, PsPlanned *one, guint64 most, GError **error)
{
    g_autoptr(GError) why = NULL;
    ps_ptx_machine_limit(samples->machine, most);
    const gboolean good = execute(samples, one->group, one, &why);
    ps_ptx_machine_limit(samples->machine, 0);
    if (good || samples->cancelled)
        return TRUE;
    const gboolean full = ps_ptx_machine_full(samples->machine);
    if (!full && most > 0 && g_error_matches(why, PS_ERROR, PS_ERROR_LIMIT))
        return TRUE;
    if (!full && samples->options->n_samples == 0) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (!samples->left_out)
        samples->left_out =
            g_strdup_printf("shares of traffic are without what group %u,%u,%u shares: %s",
                            one->group[0], one->group[1], one->group[2], why->message);
    return TRUE;
}

/* Executes the rest of the plan, as long as that takes no more than its first groups did, or so
 * little that nobody notices. */
static gboolean run_plan(PsSamples *samples, GError **error)
{
    guint64 first = 0, spent = 0;
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        const guint64 budget = MAX(first, LEAST_BUDGET);
        if (!samples->cancelled && !one->done && (one->first || spent < budget) &&
            !run_beside(samples, one, one->first ? 0 : budget - spent, error))
            return FALSE;
        if (one->first)
            first += one->took;
        else
            spent += one->took;
    }
    return TRUE;
}

static gboolean run_all(PsSamples *samples, GError **error)
{
    const PsBuildOptions *options = samples->options;
    if (options->n_samples > 0 ? !run_listed(samples, error) : !run_first(samples, error))
        return FALSE;
    if (options->sampled)
        options->sampled(options->sampled_data);
    return is_whole(options) || run_plan(samples, error);
}

/* ---- the graph's ---------------------------------------------------------------------------- */

static guint resident(const PsBuildOptions *options, const PsPtxCode *code)
{
    const guint64 local = ps_samples_local_memory(options, code);
    return options->resident ? options->resident(options->resident_data, local) : 0;
}

/* TRUE if it is known that all groups of the launch find room. */
static gboolean at_once(const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    const guint *grid = options->launch.grid;
    const guint held = resident(options, ps_ptx_machine_code(samples->machine));
    return (guint64)grid[0] * grid[1] * grid[2] <= (guint64)held * options->compute_units;
}

/* The groups that stand for all: of those that were asked for, or of the grid. */
static void choose(PsSamples *samples, const GPtrArray *groups)
{
    samples->kinds = ps_kinds_new(samples->options->launch.grid, groups);
    samples->chosen = ps_kinds_chosen(samples->kinds, at_once(samples));
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

/* The group, if it was executed already; else NULL. */
static PsRollGroup *find_executed(const PsSamples *samples, const guint group[3])
{
    PsRollGroup *one = find_in(ps_roll_groups(samples->roll), group);
    return one ? one : find_in(samples->counted, group);
}

/* Notes that a group does what another one was recorded to do. */
static void add_counted(PsSamples *samples, const guint group[3], const PsRollGroup *as)
{
    PsRollGroup *one = g_new(PsRollGroup, 1);
    *one = *as;
    one->as = as;
    memcpy(one->group, group, sizeof one->group);
    g_ptr_array_add(samples->counted, one);
}

/* TRUE where all can go on without a group that could not be executed: there was no memory for it,
 * which is said. Takes why over. */
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

/* Executes a group only to count what it does (PsSamplesCount). */
static gboolean count_excused(PsSamples *samples, const guint group[3], GError **error)
{
    g_autoptr(GError) why = NULL;
    return count_group(samples, group, &why) || is_excused(samples, group, &why, error);
}

/* Executes a group to see of which kind it is. */
static gboolean show_group(PsSamples *samples, const guint group[3], gboolean record,
                           GError **error)
{
    if (record)
        return execute(samples, group, NULL, error);
    if (!count_group(samples, group, error))
        return FALSE;
    const guint64 number = ps_census_number(samples->census), took = samples->heard;
    const PsRollGroup *as = g_hash_table_lookup(samples->recorded, &number);
    if (as) {
        add_counted(samples, group, as);
        return TRUE;
    }
    samples->strange++;
    if (!execute(samples, group, NULL, error))
        return FALSE;
    if (number != ps_census_number(samples->census) && !samples->changed)
        samples->changed = g_strdup_printf(
            "group %u,%u,%u executed %" G_GUINT64_FORMAT
            " warp instructions, and %" G_GUINT64_FORMAT
            " when it was executed again to be recorded, since it reads what it writes",
            group[0], group[1], group[2], took, samples->heard);
    return TRUE;
}

/* Executes groups that show of which kinds the launch's are, each to its end, until they have taken
 * the budget. They are recorded only as long as they take little, or where there are many kinds.
 * Traffic is settled without them, unless one of them becomes a part of the graph. FALSE and
 * *error: one has a fault. */
static gboolean run_kinds(PsSamples *samples, const GArray *numbers, guint64 budget, GError **error)
{
    const guint *grid = samples->options->launch.grid;
    const guint64 begun = executed(samples);
    for (guint i = 0; i < numbers->len; i++) {
        const guint64 number = g_array_index(numbers, guint64, i),
                      spent = executed(samples) - begun;
        const guint group[3] = {(guint)(number % grid[0]), (guint)(number / grid[0] % grid[1]),
                                (guint)(number / grid[0] / grid[1])};
        const gboolean record = spent + samples->longest < LEAST_BUDGET / 2 ||
                                samples->strange >= MOST_STRANGE + samples->counted->len;
        PsRollGroup *one = find_executed(samples, group);
        g_autoptr(GError) why = NULL;
        if (!one && spent >= budget)
            return TRUE;
        if (!one && !show_group(samples, group, record, &why))
            return is_excused(samples, group, &why, error);
        one = one ? one : find_executed(samples, group);
        if (!g_ptr_array_find(samples->shown, one, NULL))
            g_ptr_array_add(samples->shown, one);
    }
    return TRUE;
}

/* The middle one, and those of the plan that lie all over the grid: the middle one's neighbours
 * would say only of what kind it is, and those of its compute unit are the nearer to it the fewer
 * of them are executed. */
static void show_planned(PsSamples *samples)
{
    const GPtrArray *all = ps_roll_groups(samples->roll);
    for (guint i = 0; i < all->len; i++) {
        const PsRollGroup *group = all->pdata[i];
        const PsPlanned *one = planned(samples, group->group);
        if (i == 0 || !one || one->what.apart)
            g_ptr_array_add(samples->shown, all->pdata[i]);
    }
}

/* Those of which the graph is. TRUE if one of them is not among the first `settled`. */
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

/* The most that a group may execute: what the user said, else so much that only one without end
 * does. */
static guint64 endless(const PsSamples *samples)
{
    const gboolean said = samples->options->launch.most_instructions > 0;
    return said ? 0 : MAX(ENDLESS_TIMES * samples->longest, ENDLESS);
}

/* TRUE if a group that is hardly there does so much more than the mean one that its share matters,
 * which few groups do not show. */
static gboolean has_rare(const GArray *kinds, guint64 mean)
{
    gboolean rare = FALSE;
    for (guint k = 0; k < kinds->len; k++)
        rare = rare || ps_kind_work(&g_array_index(kinds, PsKind, k)) > RARE_TIMES * (double)mean;
    return rare;
}

/* Finds of which kinds groups are: by all edges of the grid, whatever they take, since only they
 * know what is done there; by some groups all over the grid; and where kinds differ, so that their
 * shares matter, by some more. Those at the border of what the kernel works on are executed for
 * their faults alone. */
static gboolean find_kinds(PsSamples *samples, GError **error)
{
    const guint *grid = samples->options->launch.grid;
    g_autoptr(GArray) edges = ps_kinds_edges(grid), strewn = ps_kinds_strewn(grid);
    g_autoptr(GArray) more = ps_kinds_more(grid);
    ps_ptx_machine_limit(samples->machine, endless(samples));
    show_planned(samples);
    gboolean good = run_kinds(samples, edges, G_MAXUINT64, error);
    choose_shown(samples);
    guint64 mean = (guint64)ps_kinds_mean(samples->kinds);
    good = good && run_kinds(samples, strewn, MAX(KINDS_BUDGET * mean, LEAST_BUDGET / 2), error);
    choose_shown(samples);
    mean = (guint64)ps_kinds_mean(samples->kinds);
    if (good && (samples->chosen->len > 1 || has_rare(samples->kinds, mean)))
        good = run_kinds(samples, more, CLAMP(MORE_GROUPS * mean, LEAST_BUDGET / 2, MORE_BUDGET),
                         error);
    choose_shown(samples);
    good = good && (samples->cancelled || ps_samples_border(samples, count_excused, error));
    ps_ptx_machine_limit(samples->machine, 0);
    return good;
}

static gboolean find_groups(PsSamples *samples, GError **error)
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
    if (add_chosen(samples, settled))
        ps_roll_settle(samples->roll);
    return TRUE;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void begin(PsSamples *samples, const PsPtxCode *code)
{
    const PsBuildOptions *options = samples->options;
    const guint *grid = options->launch.grid;
    const guint *block = options->launch.block;
    const guint n_warps = (block[0] * block[1] * block[2] + PS_PTX_LANES - 1) / PS_PTX_LANES;
    const guint held = resident(options, code);
    PsRollOptions roll = {.most_kinds = MOST_KINDS,
                          .all_issue = options->machine != NULL,
                          .patterns = {.grid = {grid[0], grid[1], grid[2]},
                                       .l1 = options->l1,
                                       .l2 = options->l2,
                                       .fetch = options->fetch,
                                       .place = options->place,
                                       .units = options->compute_units,
                                       .resident = held,
                                       .rounds = ps_plan_rounds(grid, options->compute_units),
                                       .l1_global = options->l1_global,
                                       .counts = ps_target_counts(options->module->target)}};
    samples->extents = ps_ptx_machine_extents(samples->machine, &roll.patterns.n_extents);
    roll.patterns.extents = samples->extents;
    samples->begun = samples->told = g_get_monotonic_time();
    samples->due = HEARING;
    samples->plan = ps_plan_new(grid, options->l1 > 0 ? options->compute_units : 0, held);
    samples->roll = ps_roll_new(code, &roll);
    samples->record = ps_roll_listener(samples->roll);
    samples->apart = g_new0(guint8, code->n_points + 1);
    samples->first_at = g_new0(guint64, code->n_points + 1);
    samples->all_at = g_new0(guint64, code->n_points + 1);
    samples->warps_at = g_new0(guint32, code->n_points + 1);
    samples->census = ps_census_new(code->n_points, n_warps);
    samples->recorded = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    samples->numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    samples->counted = g_ptr_array_new_with_free_func(g_free);
    samples->shown = g_ptr_array_new();
    if (options->n_samples == 0) {
        g_autoptr(GArray) edges = ps_kinds_edges(grid);
        samples->n_edges = edges->len;
    }
}

gboolean ps_samples_run(PsSamples *samples, const PsBuildOptions *options, GError **error)
{
    *samples = (PsSamples){.options = options};
    PsPtxLaunch launch = options->launch;
    launch.partial = options->partial;
    launch.partial_name = options->partial_name;
    samples->machine = ps_ptx_machine_new(options->module, &launch, error);
    if (!samples->machine)
        return FALSE;
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    begin(samples, code);
    if (!run_all(samples, error))
        return FALSE;
    if (!is_whole(options) && !samples->cancelled)
        ps_samples_wave(samples, resident(options, code));
    ps_roll_settle(samples->roll);
    if (!samples->cancelled && !find_groups(samples, error))
        return FALSE;
    if (samples->cancelled) {
        g_propagate_error(error, g_steal_pointer(&samples->cancelled));
        return FALSE;
    }
    /* of all groups, those that only show kinds among them: one of these may be the graph's */
    clear_others(code, samples->apart);
    find_meetings(samples, code);
    find_ways(samples, code);
    return TRUE;
}

guint64 ps_samples_local_memory(const PsBuildOptions *options, const PsPtxCode *code)
{
    const guint64 dynamic = options->launch.dynamic_shared;
    const guint64 bytes = dynamic > 0 ? code->dynamic_at + dynamic : code->shared_bytes;
    /* without the system's own bytes, which the GPU's description counts, as for PTX */
    return bytes - MIN(bytes, options->machine ? options->machine->system : 0);
}

void ps_samples_clear(PsSamples *samples)
{
    g_clear_error(&samples->cancelled);
    g_clear_pointer(&samples->groups, g_ptr_array_unref);
    g_clear_pointer(&samples->kinds, g_array_unref);
    g_clear_pointer(&samples->chosen, g_array_unref);
    g_clear_pointer(&samples->roll, ps_roll_free);
    g_clear_pointer(&samples->plan, g_array_unref);
    g_clear_pointer(&samples->extents, g_free);
    g_clear_pointer(&samples->census, ps_census_free);
    g_clear_pointer(&samples->recorded, g_hash_table_unref);
    g_clear_pointer(&samples->numbers, g_hash_table_unref);
    g_clear_pointer(&samples->counted, g_ptr_array_unref);
    g_clear_pointer(&samples->shown, g_ptr_array_unref);
    g_clear_pointer(&samples->left_out, g_free);
    g_clear_pointer(&samples->changed, g_free);
    g_clear_pointer(&samples->apart, g_free);
    g_clear_pointer(&samples->first_at, g_free);
    g_clear_pointer(&samples->all_at, g_free);
    g_clear_pointer(&samples->warps_at, g_free);
    g_clear_pointer(&samples->meets, g_free);
    g_clear_pointer(&samples->ways, g_free);
    g_clear_pointer(&samples->machine, ps_ptx_machine_free);
}
