/* SPDX-License-Identifier: BSD-3-Clause */
/* See some.h. The groups are executed on copies of memory. Their results go to memory only when all
 * have ended without waiting, so that all groups can be executed instead. */
#include "card/some.h"

#include "card/signature.h"

#define PIECE(run, i) ((PsCardPiece *)ps_card_memory_pieces((run)->card->memory)->pdata[i])

typedef struct {
    PsCardRun *run;
    gboolean whole; /* all groups were executed ... */
    GError *error;  /* ... and failed */
} Some;

static guint64 groups_of(const PsCardRun *run)
{
    const guint *grid = run->launch->grid;
    return (guint64)grid[0] * grid[1] * grid[2];
}

gboolean ps_card_some_wanted(const PsCardRun *run)
{
    return run->card->some && !run->workspace && groups_of(run) > PS_CARD_SAMPLES;
}

void ps_card_some(PsCard *card)
{
    card->some = TRUE;
    ps_card_log_note(card->log,
                     "--groups some: of a launch only those groups are executed that its time "
                     "needs, so what the program computes is not right, and it may fail by that; "
                     "times are those of a program that does the same whatever it computes");
}

/* ---- what is untrue ------------------------------------------------------------------------- */

static void note_read(PsCard *card, const char *kernel)
{
    if (!card->untrue_read)
        card->untrue_read = g_hash_table_new(NULL, NULL);
    if (!g_hash_table_add(card->untrue_read, (gpointer)kernel))
        return;
    ps_card_log_note_kernel(card->log, kernel,
                            "the host reads what it writes, which is not right: not all of it was "
                            "computed (--groups some)");
}

static void mark_written(const PsCardRun *run)
{
    const char *kernel = g_intern_string(run->launch->function->name);
    for (guint i = 0; i < ps_card_memory_pieces(run->card->memory)->len; i++) {
        PsCardPiece *piece = PIECE(run, i);
        if (!ps_card_snapshot_wrote(run->snapshot, i))
            continue;
        piece->untrue = kernel;
        if (piece->kind == PS_CARD_MANAGED || piece->kind == PS_CARD_HOST)
            note_read(run->card, kernel);
    }
}

void ps_card_some_end(const PsCardRun *run)
{
    if (run->card->some && run->read_untrue)
        mark_written(run);
}

void ps_card_copied(PsCard *card, gconstpointer to, gconstpointer from, gsize bytes)
{
    PsCardPiece *there = (PsCardPiece *)ps_card_memory_find(card->memory, to);
    ps_card_memory_changed(card->memory, to, bytes);
    const PsCardPiece *here = from ? ps_card_memory_find(card->memory, from) : NULL;
    if (here && here->untrue && (!there || there->kind == PS_CARD_HOST))
        note_read(card, here->untrue);
    if (there && here && here->untrue)
        there->untrue = here->untrue;
    else if (there && bytes == there->size)
        there->untrue = NULL;
}

/* ---- execution ------------------------------------------------------------------------------ */

/* A group waits for others: all groups are executed, on memory rather than copies. */
static gboolean bring(gpointer data, guint64 address, guint bytes)
{
    Some *some = data;
    if (!some->whole) {
        some->whole = TRUE;
        ps_card_run(some->run, &some->error);
    }
    return !some->error && ps_card_snapshot_bring(some->run->snapshot, address, bytes);
}

static void group_at(const guint grid[3], guint64 number, guint group[3])
{
    group[0] = (guint)(number % grid[0]);
    group[1] = (guint)(number / grid[0] % grid[1]);
    group[2] = (guint)(number / grid[0] / grid[1]);
}

/* Finds the first group of the cluster that contains that group, or the last one before it. */
static void find_leader(const PsPtxMachine *machine, const guint grid[3], guint64 number,
                        guint group[3])
{
    group_at(grid, number, group);
    while (number > 0 && !ps_ptx_group_leads(machine, group))
        group_at(grid, --number, group);
}

static gboolean execute_samples(const Some *some, PsPtxMachine *machine, GError **error)
{
    PsCardRun *run = some->run;
    const guint64 all = groups_of(run);
    PsCardSignature signatures[PS_CARD_SAMPLES];
    for (guint i = 0; i < PS_CARD_SAMPLES; i++) {
        const PsPtxListener listener =
            ps_card_signature_listener(&signatures[i], run->card->memory);
        guint group[3];
        find_leader(machine, run->launch->grid, ps_card_signature_group(i, all), group);
        if (!ps_ptx_run_group(machine, group, &listener, error))
            return FALSE;
        if (some->whole)
            return TRUE;
    }
    guint64 warps, threads;
    ps_ptx_machine_counts(machine, &warps, &threads);
    const double times =
        (double)all / ((double)PS_CARD_SAMPLES * (double)ps_ptx_machine_cluster(machine));
    run->work = (PsCardWork){.warps = (guint64)((double)warps * times),
                             .threads = (guint64)((double)threads * times),
                             .memory = ps_card_signature_of(signatures)};
    return TRUE;
}

/* FALSE and *error: a group failed, or cannot be executed. */
static gboolean execute(Some *some, const PsPtxModule *code, GError **error)
{
    PsCardRun *run = some->run;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    const PsPtxOthers others = {points, bring, some};
    const PsSassCode *machine_code = run->launch->function->run;
    GArray *placed = ps_card_place(run, code, machine_code, FALSE);
    PsPtxLaunch launch = ps_card_launch_of(run, code, placed);
    launch.clocks = TRUE;
    launch.others = &others;
    PsPtxMachine *machine = ps_ptx_machine_new(code, &launch, error);
    const gboolean good = machine && execute_samples(some, machine, error);
    ps_ptx_machine_free(machine);
    ps_card_place_free(placed, machine_code);
    return good;
}

static void touched(gpointer data, const PsCardPiece *piece, gsize block)
{
    PsCardRun *run = data;
    (void)block;
    run->read_untrue |= piece->untrue != NULL;
}

gboolean ps_card_some_run(PsCardRun *run, GError **error)
{
    Some some = {.run = run};
    GError *why = NULL;
    const PsPtxModule *code = ps_card_function_code(run->launch->function, error);
    run->snapshot = ps_card_snapshot_new(run->card->memory, TRUE, touched, run);
    if (!code)
        return FALSE;
    const gboolean good = execute(&some, code, &why);
    if (!good && !some.whole && !run->read_untrue) {
        some.whole = TRUE;
        ps_card_run(run, &some.error);
    }
    g_clear_error(&why);
    if (some.error) {
        g_propagate_error(error, some.error);
        return FALSE;
    }
    if (good && !some.whole)
        ps_card_snapshot_take(run->snapshot);
    if (!some.whole)
        mark_written(run);
    else
        ps_card_some_end(run);
    return TRUE;
}
