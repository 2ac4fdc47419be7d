/* SPDX-License-Identifier: BSD-3-Clause */
/* See phase.h. */
#include "ptx/run/phase.h"

#include <string.h>

typedef struct {
    GArray *ends; /* PsPtxEnder: copies and arrivals */
    guint32 arrived, tried, waited,
        again;     /* sets of warps; again: warps that waited more than once */
    guint32 apart; /* subset of waited: warps that accessed memory between arrival and wait */
    guint64 arrived_at[PS_PTX_MAX_WARPS]; /* the warp's count of accesses when it arrived */
    guint64 tried_at[PS_PTX_MAX_WARPS];
    guint point;      /* point of the first wait */
    gboolean several; /* there were waits at other points */
    gboolean remote;  /* other groups of the cluster arrived */
    gboolean first;   /* the phase before any arrival, which is complete from the start */
} Phase;

typedef struct {
    Phase now, last; /* the present phase, and the one before it, which waits are for */
} Word;

struct PsPtxPhases {
    PsPtxMachine *machine;
    GHashTable *words; /* address in memory -> Word */
    GHashTable *count; /* rank, warp and point -> how often the warp executed it, as guint64 * */
    GArray **open;     /* by rank and warp */
    GArray **came;     /* by rank and barrier: PsPtxEnder of all that came since the barrier was
                          complete */
    GHashTable *waits; /* the set of different PsPtxWait */
    guint8 *kinds;     /* per point: PsPtxWaitKind */
};

/* ---- waits, each once ----------------------------------------------------------------------- */

static guint wait_hash(gconstpointer data)
{
    const PsPtxWait *wait = data;
    guint hash = wait->n;
    for (guint i = 0; i < wait->n; i++)
        hash = (hash * 31 + wait->list[i].point) * 31 + wait->list[i].back;
    for (guint i = 0; i < wait->n_enders; i++)
        hash = hash * 31 + (guint)(wait->enders[i] ^ wait->enders[i] >> 32);
    return hash;
}

static gboolean wait_equal(gconstpointer a, gconstpointer b)
{
    const PsPtxWait *x = a, *y = b;
    return x->n == y->n && x->n_enders == y->n_enders &&
           (x->n == 0 || memcmp(x->list, y->list, x->n * sizeof(PsPtxAwaited)) == 0) &&
           (x->n_enders == 0 || memcmp(x->enders, y->enders, x->n_enders * sizeof(guint64)) == 0);
}

static void wait_free(gpointer data)
{
    PsPtxWait *wait = data;
    g_free(wait->list);
    g_free(wait->enders);
    g_free(wait);
}

static int by_number(gconstpointer a, gconstpointer b)
{
    const guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return x < y ? -1 : x > y;
}

/* Warps and points that ended a wait, in ascending order, each once. */
static GArray *places_of(const GArray *enders)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(guint64));
    guint n = 0;
    for (guint i = 0; i < enders->len; i++) {
        const PsPtxEnder *ender = &g_array_index(enders, PsPtxEnder, i);
        const guint64 place =
            ((guint64)ender->rank << 8 | ender->warp) << 32 | (guint64)ender->point;
        g_array_append_val(places, place);
    }
    g_array_sort(places, by_number);
    for (guint i = 0; i < places->len; i++)
        if (i == 0 || g_array_index(places, guint64, i) != g_array_index(places, guint64, i - 1))
            g_array_index(places, guint64, n++) = g_array_index(places, guint64, i);
    g_array_set_size(places, n);
    return places;
}

static const PsPtxWait *intern(PsPtxPhases *phases, const GArray *list, const GArray *enders)
{
    g_autoptr(GArray) places = places_of(enders);
    PsPtxWait key = {list->len, (PsPtxAwaited *)(gpointer)list->data, places->len,
                     (guint64 *)(gpointer)places->data};
    PsPtxWait *found = g_hash_table_lookup(phases->waits, &key);
    if (found)
        return found;
    found = g_new(PsPtxWait, 1);
    *found = (PsPtxWait){key.n, g_memdup2(key.list, key.n * sizeof(PsPtxAwaited)), key.n_enders,
                         g_memdup2(key.enders, key.n_enders * sizeof(guint64))};
    g_hash_table_add(phases->waits, found);
    return found;
}

/* ---- phases --------------------------------------------------------------------------------- */

static void phase_begin(Phase *phase)
{
    GArray *ends = phase->ends;
    *phase = (Phase){.ends = ends, .point = PS_PTX_NOWHERE};
    g_array_set_size(ends, 0);
}

static void word_free(gpointer data)
{
    Word *word = data;
    g_array_unref(word->now.ends);
    g_array_unref(word->last.ends);
    g_free(word);
}

static Word *word_of(PsPtxPhases *phases, const guint8 *memory)
{
    Word *word = g_hash_table_lookup(phases->words, memory);
    if (word)
        return word;
    word = g_new0(Word, 1);
    word->now.ends = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
    word->last.ends = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
    phase_begin(&word->now);
    phase_begin(&word->last);
    word->last.first = TRUE;
    g_hash_table_insert(phases->words, (gpointer)memory, word);
    return word;
}

/* Called when no warp will wait for the phase any more: notes at the points of the waits whether
 * all warps arrived. */
static void phase_ends(PsPtxPhases *phases, const Phase *phase)
{
    const guint n = phases->machine->n_warps;
    const guint32 all = n >= 32 ? G_MAXUINT32 : ((guint32)1 << n) - 1;
    if (phase->point == PS_PTX_NOWHERE)
        return;
    if (phase->several || phase->remote || phase->first || phase->arrived != all ||
        phase->waited != all || phase->again != 0 || phase->apart != 0)
        phases->kinds[phase->point] |= PS_PTX_WAIT_APART;
}

static void word_completes(PsPtxPhases *phases, Word *word)
{
    const Phase last = word->last;
    phase_ends(phases, &word->last);
    word->last = word->now;
    word->now = last;
    phase_begin(&word->now);
}

void ps_ptx_phase_change(PsPtxRunner *runner, const guint8 *memory, PsPtxPhaseChange change,
                         gboolean completes)
{
    PsPtxPhases *phases = runner->machine->phases;
    Word *word = word_of(phases, memory);
    const guint warp = runner->open.number;
    if (change == PS_PTX_PHASE_BEGINS) {
        phase_ends(phases, &word->last);
        phase_begin(&word->now);
        phase_begin(&word->last);
        word->last.first = TRUE;
        return;
    }
    if (change == PS_PTX_PHASE_ARRIVES &&
        ps_ptx_cluster_holds(runner->machine, memory) != runner->machine) {
        word->now.remote = TRUE;
    } else if (change == PS_PTX_PHASE_ARRIVES) {
        word->now.arrived |= (guint32)1 << warp;
        word->now.arrived_at[warp] = runner->accesses;
    }
    if (completes)
        word_completes(phases, word);
}

/* ---- what ends phases ----------------------------------------------------------------------- */

/* A warp's number among those of its cluster. */
static guint number_of(const PsPtxRunner *runner)
{
    return runner->machine->rank * PS_PTX_MAX_WARPS + runner->open.number;
}

static guint64 *count_of(const PsPtxRunner *runner, guint point)
{
    PsPtxPhases *phases = runner->machine->phases;
    const gint64 key = (gint64)point << 16 | number_of(runner);
    guint64 *count = g_hash_table_lookup(phases->count, &key);
    if (!count) {
        count = g_new0(guint64, 1);
        g_hash_table_insert(phases->count, g_memdup2(&key, sizeof key), count);
    }
    return count;
}

/* Adds an execution of a copy. Executions of one copy end in their order, so the latest one stands
 * for all. */
static void add_end(GArray *ends, PsPtxEnder end)
{
    for (guint i = 0; i < ends->len; i++) {
        PsPtxEnder *other = &g_array_index(ends, PsPtxEnder, i);
        if (other->warp != end.warp || other->point != end.point || other->rank != end.rank)
            continue;
        other->index = MAX(other->index, end.index);
        return;
    }
    g_array_append_val(ends, end);
}

/* The warp's latest execution of the point. */
static PsPtxEnder latest(PsPtxRunner *runner, guint point, gboolean copy)
{
    const guint64 count = *count_of(runner, point);
    return (PsPtxEnder){runner->machine->rank, runner->open.number, point, count - 1, copy};
}

void ps_ptx_phase_executes(PsPtxRunner *runner, guint point, gboolean open)
{
    PsPtxPhases *phases = runner->machine->phases;
    (*count_of(runner, point))++;
    if (open)
        add_end(phases->open[number_of(runner)], latest(runner, point, TRUE));
}

PsPtxEnder ps_ptx_phase_latest(PsPtxRunner *runner, guint point)
{
    return latest(runner, point, FALSE);
}

void ps_ptx_phase_counts(PsPtxRunner *runner, const guint8 *memory, guint point, gboolean copy)
{
    add_end(word_of(runner->machine->phases, memory)->now.ends, latest(runner, point, copy));
}

void ps_ptx_phase_counts_open(PsPtxRunner *runner, const guint8 *memory)
{
    PsPtxPhases *phases = runner->machine->phases;
    const GArray *open = phases->open[number_of(runner)];
    Word *word = word_of(phases, memory);
    for (guint i = 0; i < open->len; i++)
        add_end(word->now.ends, g_array_index(open, PsPtxEnder, i));
}

void ps_ptx_phase_comes(PsPtxRunner *runner, guint point, guint barrier)
{
    ps_ptx_phase_executes(runner, point, FALSE);
    add_end(ps_ptx_phase_came(runner->machine, barrier), latest(runner, point, FALSE));
}

GArray *ps_ptx_phase_came(const PsPtxMachine *machine, guint barrier)
{
    return machine->phases->came[machine->rank * PS_PTX_BARRIERS + barrier];
}

void ps_ptx_phase_close(PsPtxRunner *runner)
{
    g_array_set_size(runner->machine->phases->open[number_of(runner)], 0);
}

/* ---- waiting -------------------------------------------------------------------------------- */

void ps_ptx_phase_tries(PsPtxRunner *runner, const guint8 *memory)
{
    Word *word = word_of(runner->machine->phases, memory);
    const guint warp = runner->open.number;
    if ((word->now.tried >> warp & 1) != 0)
        return;
    word->now.tried |= (guint32)1 << warp;
    word->now.tried_at[warp] = runner->accesses;
}

static void note_wait(PsPtxRunner *runner, Phase *phase, guint point)
{
    const guint warp = runner->open.number;
    const guint32 bit = (guint32)1 << warp;
    const guint64 came = (phase->tried & bit) != 0 ? phase->tried_at[warp] : runner->accesses;
    if ((phase->waited & bit) != 0)
        phase->again |= bit;
    phase->waited |= bit;
    /* the arrival was counted as an access after it was noted */
    if ((phase->arrived & bit) == 0 || came > phase->arrived_at[warp] + 1)
        phase->apart |= bit;
    if (phase->point == PS_PTX_NOWHERE)
        phase->point = point;
    if (phase->point != point) {
        phase->several = TRUE;
        runner->machine->phases->kinds[point] |= PS_PTX_WAIT_APART;
    }
}

static gint by_point(gconstpointer a, gconstpointer b)
{
    const PsPtxAwaited *x = a, *y = b;
    return x->point < y->point ? -1 : x->point > y->point;
}

/* Adds the phase's copies by the warp itself; TRUE if other warps have a part in the phase. */
static gboolean gather(PsPtxRunner *runner, const Phase *phase, GArray *list)
{
    const guint warp = runner->open.number, rank = runner->machine->rank;
    gboolean others = phase->remote || (phase->arrived & ~((guint32)1 << warp)) != 0;
    g_array_append_vals(runner->enders, phase->ends->data, phase->ends->len);
    for (guint i = 0; i < phase->ends->len; i++) {
        const PsPtxEnder *copy = &g_array_index(phase->ends, PsPtxEnder, i);
        if (copy->warp != warp || copy->rank != rank) {
            others = TRUE;
            continue;
        }
        if (!copy->copy)
            continue;
        const guint64 back = *count_of(runner, copy->point) - copy->index;
        const PsPtxAwaited own = {copy->point, (guint)MIN(back, G_MAXINT)};
        g_array_append_val(list, own);
    }
    return others;
}

const PsPtxWait *ps_ptx_phase_waits(PsPtxRunner *runner, guint point, guint32 mask,
                                    guint8 *const memory[PS_PTX_LANES])
{
    PsPtxPhases *phases = runner->machine->phases;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(PsPtxAwaited));
    const guint8 *before = NULL;
    g_array_set_size(runner->enders, 0);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint8 *here = memory[__builtin_ctz(rest)];
        if (here == before)
            continue;
        Phase *phase = &word_of(phases, here)->last;
        phases->kinds[point] |= PS_PTX_WAIT_OWN;
        if (before)
            phases->kinds[point] |=
                PS_PTX_WAIT_APART; /* lanes wait for several mbarriers at once */
        note_wait(runner, phase, point);
        if (gather(runner, phase, list))
            phases->kinds[point] |= PS_PTX_WAIT_OTHERS;
        before = here;
    }
    g_array_sort(list, by_point);
    return intern(phases, list, runner->enders);
}

guint32 ps_ptx_phase_arrived(const PsPtxRunner *runner, const guint8 *memory)
{
    return word_of(runner->machine->phases, memory)->now.arrived;
}

guint ps_ptx_phases_kind(const PsPtxPhases *phases, guint point)
{
    return phases->kinds[point];
}

/* ---- groups --------------------------------------------------------------------------------- */

static guint warps_of(const PsPtxPhases *phases)
{
    return ps_ptx_cluster_size(phases->machine) * PS_PTX_MAX_WARPS;
}

static guint barriers_of(const PsPtxPhases *phases)
{
    return ps_ptx_cluster_size(phases->machine) * PS_PTX_BARRIERS;
}

PsPtxPhases *ps_ptx_phases_new(PsPtxMachine *machine)
{
    PsPtxPhases *phases = g_new0(PsPtxPhases, 1);
    phases->machine = machine;
    phases->words = g_hash_table_new_full(NULL, NULL, NULL, word_free);
    phases->count = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    phases->waits = g_hash_table_new_full(wait_hash, wait_equal, wait_free, NULL);
    phases->kinds = g_new0(guint8, (gsize)machine->code->n_points + 1);
    phases->open = g_new0(GArray *, warps_of(phases));
    for (guint w = 0; w < warps_of(phases); w++)
        phases->open[w] = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
    phases->came = g_new0(GArray *, barriers_of(phases));
    for (guint b = 0; b < barriers_of(phases); b++)
        phases->came[b] = g_array_new(FALSE, FALSE, sizeof(PsPtxEnder));
    return phases;
}

void ps_ptx_phases_free(PsPtxPhases *phases)
{
    if (!phases)
        return;
    g_hash_table_unref(phases->words);
    g_hash_table_unref(phases->count);
    g_hash_table_unref(phases->waits);
    g_free(phases->kinds);
    for (guint w = 0; w < warps_of(phases); w++)
        g_array_unref(phases->open[w]);
    for (guint b = 0; b < barriers_of(phases); b++)
        g_array_unref(phases->came[b]);
    g_free(phases->came);
    g_free(phases->open);
    g_free(phases);
}

void ps_ptx_phases_group_begins(PsPtxPhases *phases)
{
    g_hash_table_remove_all(phases->words);
    if (g_hash_table_size(phases->count) == 0)
        return; /* what is open, and who came, was counted when it was noted: nothing was */
    g_hash_table_remove_all(phases->count);
    for (guint w = 0; w < warps_of(phases); w++)
        g_array_set_size(phases->open[w], 0);
    for (guint b = 0; b < barriers_of(phases); b++)
        g_array_set_size(phases->came[b], 0);
}

void ps_ptx_phases_group_ends(PsPtxPhases *phases)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, phases->words);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Word *word = value;
        phase_ends(phases, &word->last);
        phase_ends(phases, &word->now);
    }
}
