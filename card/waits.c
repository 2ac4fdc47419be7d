/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A group's depth is the length of the chain of waits that ended before its present place: a wait
 * for a word adds one to the depth at which the word was written. If one group writes a word
 * several times, the first write ends the wait: a scan that looks back publishes the group's own
 * sum before it waits, and the sum of all groups after that. A word that groups write in turn is a
 * counter, whose last writer ends the wait. See waits.h.
 */
#include "card/waits.h"

#include "ptx/run/run.h"

#include <string.h>

/* Limits for groups that are looked at, and words that they write: enough for groups that wait for
 * the row of groups above them. */
#define MOST_GROUPS 64
#define MOST_WORDS (1U << 20)

typedef struct {
    guint group, depth; /* group that wrote it, and its depth */
} Word;

typedef struct {
    const PsPtxCode *code;
    const GArray *points;
    GHashTable *words; /* address, in words -> Word */
    guint group, depth;
    guint deepest, where; /* the largest depth, and the point of that wait */
} Waits;

static void read_word(Waits *waits, guint point, guint64 word)
{
    const Word *written = g_hash_table_lookup(waits->words, &word);
    if (!written || written->group == waits->group)
        return;
    waits->depth = MAX(waits->depth, written->depth + 1);
    if (waits->depth > waits->deepest) {
        waits->deepest = waits->depth;
        waits->where = point;
    }
}

static void write_word(Waits *waits, guint64 word)
{
    Word *written = g_hash_table_lookup(waits->words, &word);
    if (!written) {
        written = g_new(Word, 1);
        g_hash_table_insert(waits->words, g_memdup2(&word, sizeof word), written);
    } else if (written->group == waits->group) {
        return;
    }
    *written = (Word){waits->group, waits->depth};
}

static gboolean waits_at(const Waits *waits, guint point)
{
    for (guint i = 0; i < waits->points->len; i++)
        if (g_array_index(waits->points, guint, i) == point)
            return TRUE;
    return FALSE;
}

static gboolean writes_at(const Waits *waits, guint point)
{
    static const char *const writers[] = {"st", "atom", "red", NULL};
    return g_strv_contains(writers, waits->code->points[point].instruction->mnemonic->opcode);
}

static void on_executed(gpointer data, const PsPtxEvent *event)
{
    Waits *waits = data;
    const gboolean memory = event->memory && event->space == PS_PTX_GLOBAL;
    const gboolean reads = memory && waits_at(waits, event->point);
    if (!reads && !(memory && writes_at(waits, event->point)))
        return;
    for (guint32 rest = event->mask & ~event->idle; rest != 0; rest &= rest - 1) {
        const guint64 address = event->address[__builtin_ctz(rest)];
        for (guint64 word = address / 4; word <= (address + event->bytes - 1) / 4; word++)
            if (reads)
                read_word(waits, event->point, word);
            else
                write_word(waits, word);
    }
}

static void on_straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    (void)data;
    (void)event;
    (void)n;
    (void)masks;
}

static gboolean execute(Waits *waits, PsPtxMachine *machine, const guint grid[3], GError **error)
{
    const PsPtxListener listener = {
        .data = waits, .executed = on_executed, .straight = on_straight};
    const guint64 groups = MIN((guint64)grid[0] * grid[1] * grid[2], MOST_GROUPS);
    waits->code = ps_ptx_machine_code(machine);
    for (; waits->group < groups && g_hash_table_size(waits->words) < MOST_WORDS; waits->group++) {
        const guint number = waits->group;
        const guint group[3] = {number % grid[0], number / grid[0] % grid[1],
                                number / grid[0] / grid[1]};
        waits->depth = 0;
        if (ps_ptx_group_leads(machine, group) &&
            !ps_ptx_run_group(machine, group, &listener, error))
            return FALSE;
    }
    if (waits->deepest <= 1)
        return TRUE;
    g_autofree char *where = ps_ptx_code_where(waits->code, waits->where);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: groups wait here for groups that waited before, so they come one after the "
                "other; how long each of these waits takes is not known, so there is no time",
                where);
    return FALSE;
}

gboolean ps_card_waits_check(const PsCardRun *run, const PsPtxModule *code,
                             const PsSassCode *machine, const GArray *points, GError **error)
{
    Waits waits = {.points = points,
                   .words = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free)};
    ps_card_snapshot_renew(run->snapshot);
    GArray *placed = ps_card_place(run, code, machine, FALSE);
    PsPtxLaunch launch = ps_card_launch_of(run, code, placed);
    launch.assembled = TRUE; /* the points are in the code of a graph */
    PsPtxMachine *executor = ps_ptx_machine_new(code, &launch, error);
    const gboolean good = executor && execute(&waits, executor, launch.grid, error);
    ps_ptx_machine_free(executor);
    ps_card_place_free(placed, machine);
    g_hash_table_unref(waits.words);
    return good;
}
