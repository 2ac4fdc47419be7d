/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes one group of the launch, records its work, and reports progress. */
#include "base/hearer.h"
#include "lift/build-private.h"
#include "lift/memory/cache.h"
#include "ptx/code/reads.h"

#include <string.h>

/* ---- listening ------------------------------------------------------------------------------ */

static void begin_group(gpointer data, const guint group[3])
{
    PsSamples *samples = data;
    (void)group;
    samples->before += samples->heard;
    samples->due -= MIN(samples->due, samples->heard);
    samples->heard = 0;
    samples->demand = (PsDemand){0};
    ps_census_begin(samples->census);
    ps_tally_begin(samples->tally);
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

gboolean ps_samples_are_whole(const PsBuildOptions *options)
{
    const guint *grid = options->launch.grid;
    return (guint64)grid[0] * grid[1] * grid[2] == options->n_samples;
}

/* The share of all groups that is executed, by the mean of those that are done: 0 while none is. */
static double share(const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    guint asked = options->n_samples, beside = 0;
    for (guint i = 0; i < samples->plan->len; i++) {
        const gboolean first = g_array_index(samples->plan, PsPlanned, i).first;
        asked += first && !options->n_samples;
        beside += !first && !ps_samples_are_whole(options);
    }
    if (samples->done == 0)
        return 0;
    const double mean = (double)samples->before / samples->done, all = asked * mean;
    const double more = MIN(beside * mean, MAX(all, PS_SAMPLES_BUDGET)) + samples->n_edges * mean;
    return MIN((double)(samples->before + samples->heard) / (all + more), 1);
}

static void report_progress(PsSamples *samples)
{
    samples->due = samples->heard + PS_SAMPLES_HEARING;
    const PsProgress progress = {PS_PHASE_GROUP, samples->heard,
                                 ps_ptx_machine_most(samples->machine), share(samples),
                                 samples->begun};
    if (!samples->cancelled && ps_progress_is_due(&samples->told) &&
        !ps_hearer_tell(&samples->options->progress, &progress, &samples->cancelled))
        ps_ptx_machine_stop(samples->machine);
}

/* Counts n executed events, this one and those behind it. */
static inline void count(PsSamples *samples, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    ps_census_add(samples->census, event, n, masks);
    ps_tally_add(samples->tally, event, n, masks);
    samples->heard += n;
    if (samples->heard >= samples->due)
        report_progress(samples);
}

/* Notes the first time that warps come to an access of global memory. */
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

guint64 ps_samples_before_store(const PsSamples *samples)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    guint64 least = G_MAXUINT64;
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxMnemonic *mnemonic = code->points[p].instruction->mnemonic;
        if (samples->first_at[p] > 0 && ps_access_of(mnemonic) != PS_ACCESS_LOAD &&
            strcmp(mnemonic->opcode, "cp") != 0)
            least = MIN(least, samples->first_at[p] - 1);
    }
    return least;
}

guint8 *ps_samples_takers(const PsPtxCode *code)
{
    g_autofree guint8 *reads = ps_ptx_code_reads(code);
    guint8 *takers = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxMnemonic *mnemonic = code->points[p].instruction->mnemonic;
        takers[p] = strcmp(mnemonic->opcode, "atom") == 0 && mnemonic->space != PS_PTX_SHARED &&
                    !ps_ptx_code_drops(&code->points[p], reads);
    }
    return takers;
}

gboolean ps_samples_takes_numbers(const PsSamples *samples)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    for (guint p = 0; p < code->n_points; p++)
        if (samples->takes[p] && samples->first_at[p] > 0)
            return TRUE;
    return FALSE;
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

static void hear_met(gpointer data, const PsPtxEvent *event)
{
    const PsSamples *samples = data;
    samples->record.met(samples->record.data, event);
}

static void hear_only(gpointer data, const PsPtxEvent *event)
{
    PsSamples *samples = data;
    count(samples, event, 1, NULL);
    if (samples->uneven && event->memory)
        ps_roll_ask(samples->roll, event, &samples->demand);
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

/* Notes that the group was recorded which executed what was counted last. */
static void note_recorded(PsSamples *samples, PsRollGroup *group)
{
    const guint64 number = ps_census_number(samples->census);
    GPtrArray *same = g_hash_table_lookup(samples->recorded, &number);
    if (!same) {
        same = g_ptr_array_new();
        g_hash_table_insert(samples->recorded, g_memdup2(&number, sizeof number), same);
    }
    samples->demand = group->demand;
    if (!ps_samples_like(samples))
        g_ptr_array_add(same, group);
}

const PsRollGroup *ps_samples_like(const PsSamples *samples)
{
    const guint64 number = ps_census_number(samples->census);
    const GPtrArray *same = g_hash_table_lookup(samples->recorded, &number);
    const PsRollGroup *best = NULL;
    double least = PS_KINDS_MERGED;
    if (same && same->len > 0 && !samples->uneven)
        return same->pdata[0];
    for (guint i = 0; same && i < same->len; i++) {
        const PsRollGroup *one = same->pdata[i];
        PsRollGroup counted = *one;
        counted.demand = samples->demand;
        const PsLoad its = ps_load_of(one), load = ps_load_of(&counted);
        const double apart = ps_load_apart(&its, &load);
        if (apart <= PS_KINDS_MERGED && (!best || apart < least)) {
            best = one;
            least = apart;
        }
    }
    return best;
}

/* Executes a group and records its work. */
static gboolean record_group(PsSamples *samples, const guint group[3], GError **error)
{
    const PsPtxListener listener = {.data = samples,
                                    .group_begins = hear_begin,
                                    .executed = hear,
                                    .straight = hear_straight,
                                    .met = hear_met,
                                    .group_ends = hear_end};
    if (!run_group(samples, group, &listener, error))
        return FALSE;
    const GPtrArray *all = ps_roll_groups(samples->roll);
    note_recorded(samples, all->pdata[all->len - 1]);
    return TRUE;
}

/* Executes a group only to count its work. */
gboolean ps_samples_count_group(PsSamples *samples, const guint group[3], GError **error)
{
    const PsPtxListener listener = {.data = samples,
                                    .group_begins = begin_group,
                                    .executed = hear_only,
                                    .straight = hear_only_straight};
    return run_group(samples, group, &listener, error);
}

gboolean ps_samples_begin_group(PsSamples *samples, const guint group[3], guint64 most,
                                guint64 *number, GError **error)
{
    const PsPtxListener listener = {.data = samples,
                                    .group_begins = begin_group,
                                    .executed = hear_only,
                                    .straight = hear_only_straight};
    g_autoptr(GError) why = NULL;
    ps_ptx_machine_limit(samples->machine, most);
    const gboolean good = ps_ptx_run_group(samples->machine, group, &listener, &why);
    ps_ptx_machine_limit(samples->machine, 0);
    *number = ps_census_number(samples->census);
    if (good || samples->cancelled || ps_ptx_machine_full(samples->machine) ||
        g_error_matches(why, PS_ERROR, PS_ERROR_LIMIT))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}

/* ---- groups --------------------------------------------------------------------------------- */

guint64 ps_samples_executed(const PsSamples *samples)
{
    guint64 warps = 0;
    ps_ptx_machine_counts(samples->machine, &warps, NULL);
    return warps;
}

/* The plan's entry for a group; NULL: it has none. */
PsPlanned *ps_samples_planned(const PsSamples *samples, const guint group[3])
{
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        if (memcmp(one->group, group, sizeof one->group) == 0)
            return one;
    }
    return NULL;
}

/* Executes a group for all purposes of the plan. */
gboolean ps_samples_execute(PsSamples *samples, const guint group[3], PsPlanned *plan,
                            GError **error)
{
    const guint64 begun = ps_samples_executed(samples);
    PsPatternGroup what = plan ? plan->what : (PsPatternGroup){0};
    what.strewn = !ps_samples_are_whole(samples->options) && (!plan || what.strewn);
    ps_roll_next(samples->roll, what);
    const gboolean good = record_group(samples, group, error);
    if (plan) {
        plan->done = TRUE;
        plan->took = ps_samples_executed(samples) - begun;
    }
    return good;
}

/* ---- what groups have ----------------------------------------------------------------------- */

guint64 ps_samples_local_memory(const PsBuildOptions *options, const PsPtxCode *code)
{
    const guint64 dynamic = options->launch.dynamic_shared;
    const guint64 bytes = dynamic > 0 ? code->dynamic_at + dynamic : code->shared_bytes;
    /* without the system's own bytes, which the GPU's description counts, as for PTX */
    return bytes - MIN(bytes, options->machine ? options->machine->system : 0);
}

guint ps_samples_resident(const PsBuildOptions *options, const PsPtxCode *code)
{
    const guint64 local = ps_samples_local_memory(options, code);
    return options->resident ? options->resident(options->resident_data, local) : 0;
}

guint64 ps_samples_l1(const PsBuildOptions *options, const PsPtxCode *code)
{
    const guint64 local = ps_samples_local_memory(options, code);
    return options->l1_beside ? options->l1_beside(options->resident_data, local) : options->l1;
}
