/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which groups run. Unless told otherwise it is one in the middle of the grid, which is most likely
 * to do what most groups do, and its neighbours, of which the cache model learns what groups share.
 */
#include "idg/ptx/graph/build-private.h"

/* Kinds of iterations that a loop shows: more than people can read are of no use. */
#define MOST_KINDS 16
#define MOST_SPOTS 1000000
#define HEARING (1 << 16) /* instructions between two reports of progress */

/* ---- listening ------------------------------------------------------------------------------ */

static void hear_begin(gpointer data, const guint group[3])
{
    PsSamples *samples = data;
    samples->heard = 0;
    if (samples->record.group_begins)
        samples->record.group_begins(samples->record.data, group);
}

static void hear_end(gpointer data)
{
    const PsSamples *samples = data;
    if (samples->record.group_ends)
        samples->record.group_ends(samples->record.data);
}

static void hear(gpointer data, const PsPtxEvent *event)
{
    PsSamples *samples = data;
    const PsBuildOptions *options = samples->options;
    if (++samples->heard % HEARING == 0 && options->progress)
        options->progress(options->progress_data, samples->heard,
                          ps_ptx_machine_most(samples->machine));
    /* where it is no branch that is asked, this is of no use, and does no harm */
    if (event->mask != event->active && event->mask != 0)
        samples->apart[event->point] = TRUE;
    samples->record.executed(samples->record.data, event);
}

static gboolean run_group(PsSamples *samples, const guint group[3], GError **error)
{
    const PsPtxListener listener = {samples, hear_begin, hear, hear_end};
    return ps_ptx_run_group(samples->machine, group, &listener, error);
}

/* A branch through a table does not tell where lanes go. */
static void clear_others(const PsPtxCode *code, guint8 *apart)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxPoint *point = &code->points[p];
        apart[p] = point->targets != NULL || (apart[p] && point->target != PS_PTX_NOWHERE);
    }
}

/* All groups that ran tell: one where warps do not meet is enough. A group of one warp meets
 * nobody.
 */
static void find_meetings(PsSamples *samples, const PsPtxCode *code)
{
    samples->meets = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->meets[p] =
            ps_ptx_machine_wait(samples->machine, p) == (PS_PTX_WAIT_OWN | PS_PTX_WAIT_OTHERS);
}

/* ---- groups --------------------------------------------------------------------------------- */

/* The group in the middle, then the next in each direction. */
static gboolean run_middle(PsSamples *samples, GError **error)
{
    const guint *grid = samples->options->launch.grid;
    const guint middle[3] = {(grid[0] - 1) / 2, (grid[1] - 1) / 2, (grid[2] - 1) / 2};
    if (!run_group(samples, middle, error))
        return FALSE;
    for (int d = 0; d < 3; d++) {
        guint next[3] = {middle[0], middle[1], middle[2]};
        if (grid[d] < 2)
            continue;
        next[d] = middle[d] + 1 < grid[d] ? middle[d] + 1 : middle[d] - 1;
        if (!run_group(samples, next, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean run_listed(PsSamples *samples, GError **error)
{
    const PsBuildOptions *options = samples->options;
    for (guint i = 0; i < options->n_samples; i++) {
        const guint *group = options->samples[i];
        for (int d = 0; d < 3; d++)
            if (group[d] >= options->launch.grid[d]) {
                g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                            "there is no group %u,%u,%u: the grid has %u x %u x %u groups, "
                            "counted from 0",
                            group[0], group[1], group[2], options->launch.grid[0],
                            options->launch.grid[1], options->launch.grid[2]);
                return FALSE;
            }
        if (!run_group(samples, group, error))
            return FALSE;
    }
    return TRUE;
}

/* Of several, the one whose number of instructions is nearest to the mean. */
static void choose(PsSamples *samples)
{
    double mean = 0, best = 0;
    for (guint i = 0; i < samples->groups->len; i++)
        mean +=
            (double)((const PsRollGroup *)samples->groups->pdata[i])->length / samples->groups->len;
    for (guint i = 0; i < samples->groups->len; i++) {
        const PsRollGroup *group = samples->groups->pdata[i];
        const double off = ABS((double)group->length - mean);
        if (samples->chosen && off >= best)
            continue;
        samples->chosen = group;
        best = off;
    }
}

gboolean ps_samples_run(PsSamples *samples, const PsBuildOptions *options, GError **error)
{
    const guint *grid = options->launch.grid;
    const PsRollOptions roll = {
        MOST_KINDS, {{grid[0], grid[1], grid[2]}, options->l1, options->l2, options->l1_global}};
    *samples = (PsSamples){.options = options};
    samples->machine = ps_ptx_machine_new(options->module, &options->launch, error);
    if (!samples->machine)
        return FALSE;
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    samples->roll = ps_roll_new(code, &roll);
    samples->record = ps_roll_listener(samples->roll);
    samples->apart = g_new0(guint8, code->n_points + 1);
    if (options->n_samples > 0 ? !run_listed(samples, error) : !run_middle(samples, error))
        return FALSE;
    clear_others(code, samples->apart);
    find_meetings(samples, code);
    const GPtrArray *groups = ps_roll_groups(samples->roll);
    const guint n = options->n_samples > 0 ? groups->len : 1;
    samples->groups = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(samples->groups, groups->pdata[i]);
    choose(samples);
    return TRUE;
}

void ps_samples_clear(PsSamples *samples)
{
    g_clear_pointer(&samples->groups, g_ptr_array_unref);
    g_clear_pointer(&samples->roll, ps_roll_free);
    g_clear_pointer(&samples->apart, g_free);
    g_clear_pointer(&samples->meets, g_free);
    g_clear_pointer(&samples->machine, ps_ptx_machine_free);
}

/* ---- layout --------------------------------------------------------------------------------- */

static void free_spots(gpointer data)
{
    ps_spots_free(data);
}

/* Walking serves dependences, and so what is dead. */
static void lay_out(PsLayout *layout, const PsRollSequence *sequence, const gboolean *rules)
{
    if (g_hash_table_contains(layout->spots, sequence))
        return;
    PsSpots *spots = ps_spots_new(layout->facts, sequence);
    g_hash_table_insert(layout->spots, (gpointer)sequence, spots);
    ps_spots_find_partial(spots);
    if (rules[PS_BUILD_MERGE_LOADS])
        ps_rule_merge_loads(spots);
    ps_spots_walk(spots);
    if (rules[PS_BUILD_DEAD])
        ps_rule_dead(spots);
    if (rules[PS_BUILD_CONSTANTS])
        ps_rule_constants(spots);
    ps_spots_name(spots);
}

/* Too many because the code is long, or because it is gone through in many ways. */
static gboolean check_size(const PsPtxCode *code, const PsRollSequence *sequence, GError **error)
{
    const guint n = ps_spots_count(sequence);
    if (n <= MOST_SPOTS)
        return TRUE;
    if (code->n_points > MOST_SPOTS)
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" has %u instructions with its calls expanded, of which the "
                    "graph would have %u; at most %d can be handled",
                    code->kernel->name, code->n_points, n, MOST_SPOTS);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "a warp took so many different ways that the graph would have %u "
                    "instructions; at most %d can be handled",
                    n, MOST_SPOTS);
    return FALSE;
}

gboolean ps_layout_init(PsLayout *layout, const PsSamples *samples, const gboolean *rules,
                        GError **error)
{
    *layout = (PsLayout){0};
    const PsFactsOf of = {ps_ptx_machine_code(samples->machine), samples->groups, samples->meets,
                          samples->apart};
    layout->facts = ps_facts_new(&of, rules);
    layout->spots = g_hash_table_new_full(NULL, NULL, NULL, free_spots);
    for (guint i = 0; i < samples->groups->len; i++) {
        const PsRollGroup *group = samples->groups->pdata[i];
        for (guint j = 0; j < group->warps->len; j++) {
            const PsRollWarps *warps = group->warps->pdata[j];
            if (!check_size(layout->facts->code, warps->sequence, error))
                return FALSE;
            lay_out(layout, warps->sequence, rules);
        }
    }
    return TRUE;
}

void ps_layout_clear(PsLayout *layout)
{
    g_clear_pointer(&layout->spots, g_hash_table_unref);
    g_clear_pointer(&layout->facts, ps_facts_free);
}
