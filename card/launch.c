/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A launch: all of its groups are executed (run.c), and then its time is found (time.c).
 */
#include "card/recorder.h"
#include "card/repeat.h"
#include "card/some.h"

#include <math.h>
#include <string.h>

static gboolean refuse(const PsCardLaunch *launch, const char *why, GError **error)
{
    g_autofree char *name = ps_card_kernel_name(launch->function->name);
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE, "kernel \"%s\": %s", name, why);
    return FALSE;
}

/* Checks the code's own limits: those that it states, and those of its registers. */
static gboolean check_code(const PsCard *card, const PsCardLaunch *launch, guint threads,
                           GError **error)
{
    const PsCardNeeds code = ps_card_function_needs(launch->function);
    const PsGroupNeeds group = {.group_size = threads, .registers = code.registers};
    PsOccupancy occupancy;
    g_autoptr(GError) why = NULL;
    if (threads <= code.most && ps_gpu_occupancy(card->gpu, &group, &occupancy, &why))
        return TRUE;
    g_autofree char *allowed = g_strdup_printf("its code allows groups of %u threads", code.most);
    g_autofree char *name = ps_card_kernel_name(launch->function->name);
    g_set_error(error, PS_ERROR, PS_ERROR_RESOURCES, "kernel \"%s\": %s, and this one has %u", name,
                why ? why->message : allowed, threads);
    return FALSE;
}

/* Checks limits of every device, and shared memory beyond that of this GPU. */
gboolean ps_card_launch_check(const PsCard *card, const PsCardLaunch *launch, GError **error)
{
    static const guint most_grid[] = {G_MAXINT32, 65535, 65535}, most_block[] = {1024, 1024, 64};
    const PsLimits *limits = &card->gpu->limits;
    const guint64 most = limits->group_size ? (guint64)limits->group_size : 1024;
    guint64 threads = 1;
    for (guint i = 0; i < 3; i++) {
        if (!launch->grid[i] || launch->grid[i] > most_grid[i])
            return refuse(launch, "no grid has so many groups", error);
        if (!launch->block[i] || launch->block[i] > most_block[i])
            return refuse(launch, "no group has so many threads", error);
        threads *= launch->block[i];
    }
    if (threads > most)
        return refuse(launch, "no group has so many threads", error);
    if (!check_code(card, launch, (guint)threads, error))
        return FALSE;
    if (launch->shared > ps_card_function_allowed(launch->function))
        return refuse(
            launch, "a group takes more shared memory than the program allowed the kernel", error);
    return !limits->local_memory_per_group ||
           launch->shared <= (guint64)limits->local_memory_per_group ||
           refuse(launch, "no group of this GPU has so much shared memory", error);
}

static void touched(gpointer data, const PsCardPiece *piece, gsize block)
{
    PsCardRun *run = data;
    run->read_untrue |= piece->untrue != NULL;
    if (run->record)
        ps_card_record_touched(run->record, piece, block);
    if (run->recorded)
        ps_card_recorded_touched(run->recorded, piece, block);
}

/* Executes the launch; memory and the run's work are then as the groups leave them. */
static gboolean execute(PsCardRun *run, GError **error)
{
    PsCard *card = run->card;
    if (ps_card_some_wanted(run))
        return ps_card_some_run(run, error);
    g_autoptr(GBytes) call = card->some ? NULL : ps_card_call(run);
    GError *unread = NULL;
    if (ps_card_repeat(run, call, &unread)) {
        run->snapshot = ps_card_snapshot_new(card->memory, FALSE, NULL, NULL);
        if (unread) {
            g_propagate_error(error, unread);
            return FALSE;
        }
        ps_card_recorder_same(run);
        return TRUE;
    }
    run->record = ps_card_record_new(run, call);
    run->recorded = ps_card_recorded_new(run);
    run->snapshot = ps_card_snapshot_new(
        card->memory, card->some || ps_card_time_may_ask(run->launch->function),
        card->some || run->record || run->recorded ? touched : NULL, run);
    const gsize printed = card->printed->len;
    const gboolean good = ps_card_run(run, error);
    ps_card_snapshot_changed(run->snapshot);
    ps_card_record_end(run->record, run, good && card->printed->len == printed);
    run->record = NULL;
    ps_card_some_end(run);
    return good;
}

gboolean ps_card_launch(PsCard *card, const PsCardLaunch *launch, double *seconds, GError **error)
{
    PsCardRun run = {.card = card, .launch = launch};
    PsCardLaunched told = {
        .kernel = launch->function->name,
        .stream = launch->stream,
        .shared = launch->shared,
        .begin = launch->begin,
        .stand_in = launch->stand_in.of,
        .bound = launch->stand_in.of ? ps_card_bound(card->gpu, &launch->stand_in) : NAN,
        .seconds = NAN,
        .how = PS_CARD_UNKNOWN};
    memcpy(told.grid, launch->grid, sizeof told.grid);
    memcpy(told.block, launch->block, sizeof told.block);
    if (!ps_card_launch_check(card, launch, error) || !ps_card_run_arguments(&run, error) ||
        !ps_card_run_heap(&run, error) || !ps_card_run_workspace(&run, error)) {
        g_free(run.arguments);
        return FALSE;
    }
    const gboolean good = execute(&run, error);
    told.instructions = run.work.threads;
    if (good)
        ps_card_time(&run, &told);
    ps_card_recorded_end(run.recorded, good);
    ps_card_log_launch(card->log, &told);
    if (seconds)
        *seconds = told.seconds;
    ps_card_snapshot_free(run.snapshot);
    if (run.workspace)
        ps_card_memory_remove(card->memory, (gpointer)(gsize)run.workspace);
    g_free(run.arguments);
    return good;
}
