/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets the groups of a wave, those round the middle of the launch, begin: as far as their loops'
 * first loads, or as all loads where no loop has any, which is enough to see which of them read the
 * same (cache-wave.c). That is not done where a group's work may depend on what others did before
 * (atomics), nor where it would take much beside what was executed anyway. None gets to the
 * first store of those that were executed; what another one stores earlier is taken back, since
 * groups that are executed later may read it.
 */
#include "lift/build-private.h"
#include "lift/memory/cache.h"

#define LEAST_GROUPS 16
#define MOST_WAVES 4 /* waves that begin */
#define PART 4       /* one part in so many of the executed instructions, at most, */
/* unless one wave takes more: all of it, or so many instructions, a third of a second */
#define ENOUGH (1 << 23)

static gboolean loads_at(const PsPtxCode *code, guint point, gboolean in_loops)
{
    const PsPtxMnemonic *mnemonic = code->points[point].instruction->mnemonic;
    const gboolean copies = !g_strcmp0(mnemonic->opcode, "cp");
    return (!in_loops || code->points[point].loop != PS_PTX_NOWHERE) &&
           (copies || (ps_access_of(mnemonic) == PS_ACCESS_LOAD &&
                       (mnemonic->space == PS_PTX_GLOBAL || mnemonic->space == PS_PTX_GENERIC)));
}

/* TRUE if loads in loops were executed. If none were, groups share what their other loads read. */
static gboolean has_loops(const PsSamples *samples, const PsPtxCode *code)
{
    for (guint p = 0; p < code->n_points; p++)
        if (samples->first_at[p] > 0 && loads_at(code, p, TRUE))
            return TRUE;
    return FALSE;
}

/* Warp instructions until all warps of a group have executed all loads in loops that come within
 * `most`, but at most twice those until one warp has; 0: there are none. */
static guint64 length(const PsSamples *samples, const PsPtxCode *code, guint64 most)
{
    const gboolean in_loops = has_loops(samples, code);
    guint64 last = 0, all = 0;
    for (guint p = 0; p < code->n_points; p++) {
        if (samples->first_at[p] == 0 || samples->first_at[p] > most ||
            !loads_at(code, p, in_loops))
            continue;
        last = MAX(last, samples->first_at[p]);
        all = MAX(all, samples->all_at[p]);
    }
    return MIN(all, 2 * last);
}

/* The same within a part of what was executed; or, if no load comes within that, within what the
 * least number of groups may take: a product of four warps is one instruction, so loops of products
 * have few instructions beside the addresses before them. */
static guint64 length_of_one(const PsSamples *samples, const PsPtxCode *code, guint64 executed)
{
    const guint64 one = length(samples, code, executed / PART / LEAST_GROUPS / 2);
    return one > 0 ? one : length(samples, code, MAX(executed, ENOUGH) / LEAST_GROUPS);
}

static gboolean has_atomics(const PsSamples *samples, const PsPtxCode *code)
{
    for (guint p = 0; p < code->n_points; p++)
        if (samples->first_at[p] > 0 &&
            ps_access_of(code->points[p].instruction->mnemonic) == PS_ACCESS_ATOMIC)
            return TRUE;
    return FALSE;
}

static void hear(gpointer data, const PsPtxEvent *event)
{
    ps_roll_wave_access(data, event);
}

static void hear_straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    (void)data;
    (void)event;
    (void)n;
    (void)masks;
}

/* Lets the groups begin, from number `first` of the launch on. A fault of one does not count for
 * the samples: the groups after it are left out. */
static void begin_groups(const PsSamples *samples, guint64 first, guint64 n)
{
    const guint *grid = samples->options->launch.grid;
    const PsPtxListener listener = {
        .data = samples->roll, .executed = hear, .straight = hear_straight};
    for (guint64 number = first; number < first + n; number++) {
        const guint group[3] = {(guint)(number % grid[0]), (guint)(number / grid[0] % grid[1]),
                                (guint)(number / grid[0] / grid[1])};
        g_autoptr(GError) why = NULL;
        ps_roll_wave_begins(samples->roll, first);
        if (!ps_ptx_run_group(samples->machine, group, &listener, &why) &&
            (!g_error_matches(why, PS_ERROR, PS_ERROR_LIMIT) ||
             ps_ptx_machine_full(samples->machine)))
            return;
    }
}

/* Sharing is counted over fewer groups than run at once, if only so many began. */
static void note_short(PsSamples *samples, guint64 n, guint64 held)
{
    if (n >= held || !ps_roll_wave_shares(samples->roll))
        return;
    samples->few = g_strdup_printf(
        "of the %" G_GUINT64_FORMAT " groups that run at once, only %" G_GUINT64_FORMAT
        " were executed up to their loops' first loads, since that takes long; more of what they "
        "read may be the same, so the time may be too long",
        held, n);
}

void ps_samples_wave(PsSamples *samples, guint resident)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    const guint *grid = samples->options->launch.grid;
    const guint64 all = (guint64)grid[0] * grid[1] * grid[2];
    const guint64 held = (guint64)samples->options->compute_units * MAX(resident, 1);
    guint64 executed = 0;
    ps_ptx_machine_counts(samples->machine, &executed, NULL);
    const guint64 one =
        MIN(length_of_one(samples, code, executed), ps_samples_before_store(samples));
    const guint64 waves = one > 0 ? MIN(MIN(all, MOST_WAVES * held), executed / PART / one) : 0;
    const guint64 n = one > 0 ? MAX(waves, MIN(MIN(all, held), MAX(executed, ENOUGH) / one)) : 0;
    if (n < LEAST_GROUPS || has_atomics(samples, code))
        return;
    const guint64 middle = (grid[0] - 1) / 2 + grid[0] * ((guint64)((grid[1] - 1) / 2) +
                                                          (guint64)grid[1] * ((grid[2] - 1) / 2));
    ps_ptx_machine_limit(samples->machine, one);
    ps_ptx_machine_try(samples->machine);
    begin_groups(samples, MIN(middle - MIN(middle, n / 2), all - n), n);
    ps_ptx_machine_tried(samples->machine, TRUE);
    ps_ptx_machine_limit(samples->machine, 0);
    note_short(samples, n, MIN(all, held));
}
