/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the events of the engine. Their causes are found later, as far as they are needed. */
#define _GNU_SOURCE /* madvise */
#include "sim/listen/path-private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK PS_PATH_CHUNK

/* Size of pages of memory, where the system has them. */
#define LARGE_PAGE (2UL << 20)

/* ---- the tape ------------------------------------------------------------------------------ */

static void free_snapshot(PsPathSnapshot *snapshot)
{
    if (!snapshot || !g_atomic_ref_count_dec(&snapshot->references))
        return;
    g_array_unref(snapshot->groups);
    g_free(snapshot);
}

static void free_skip(void *data)
{
    PsPathSkip *skip = data;
    free_snapshot(skip->mark);
    free_snapshot(skip->end);
    g_free(skip);
}

static PsPathTape *new_tape(void)
{
    PsPathTape *tape = g_new0(PsPathTape, 1);
    tape->chunks = g_ptr_array_new_with_free_func(free);
    tape->launches = g_array_new(FALSE, FALSE, sizeof(PsPathLaunch));
    tape->ends = g_array_new(FALSE, FALSE, sizeof(guint32));
    tape->skips = g_ptr_array_new_with_free_func(free_skip);
    tape->end = PS_NO_RECORD;
    return tape;
}

static void free_tape(PsPathTape *tape)
{
    if (!tape)
        return;
    g_ptr_array_unref(tape->chunks);
    g_array_unref(tape->launches);
    g_array_unref(tape->ends);
    g_ptr_array_unref(tape->skips);
    g_free(tape);
}

/* Memory for a chunk. Long runs take hundreds of MB, which one page at a time would be slow; short
 * runs would pay for more than they use. */
static PsPathRecord *new_chunk(const PsPath *path, const PsPathTape *tape)
{
    const gsize delays = sizeof(gint64) * ((path->delays ? 1 : 0) + (path->queues ? 1 : 0));
    const gsize size = (sizeof(PsPathRecord) + delays) << CHUNK;
    void *chunk;
    if (tape->chunks->len == 0 || posix_memalign(&chunk, LARGE_PAGE, size) != 0)
        return g_malloc(size);
    (void)madvise(chunk, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    return chunk;
}

/* Begins a chunk. FALSE if the limit is reached: then earlier records are of no use. */
static gboolean add_chunk(PsPath *path)
{
    PsPathTape *tape = path->tape;
    path->full |= tape->n_records == PS_PATH_MAX;
    if (path->full) {
        g_ptr_array_set_size(tape->chunks, 0);
        return FALSE;
    }
    tape->chunk = new_chunk(path, tape);
    g_ptr_array_add(tape->chunks, tape->chunk);
    return TRUE;
}

/* Makes room for a record; NULL if the limit is reached. */
static inline PsPathRecord *add_record(PsPath *path)
{
    PsPathTape *tape = path->tape;
    const guint32 at = tape->n_records & ((1U << CHUNK) - 1);
    if (G_UNLIKELY(at == 0) && !add_chunk(path))
        return NULL;
    tape->n_records++;
    return &tape->chunk[at];
}

const PsPathTape *ps_path_tape(const PsPath *path)
{
    if (path->best &&
        path->best->ended + path->best->skipped >= path->tape->ended + path->tape->skipped)
        return path->best;
    return path->tape;
}

/* Starts the records of other CUs: only the tape of the CUs that end last is kept. */
static void turn_to(PsPath *path, guint cu)
{
    PsPathTape *tape = (PsPathTape *)ps_path_tape(path);
    free_tape(tape == path->tape ? path->best : path->tape);
    path->best = tape;
    path->tape = new_tape();
    path->cu = cu;
    path->base = 0;
    g_array_set_size(path->groups, 0);
    for (guint i = 0; i < PS_SIM_MARKS; i++)
        g_clear_pointer(&path->marks[i], free_snapshot);
}

/* ---- listening ----------------------------------------------------------------------------- */

/* Records a group's launch or end; FALSE if the limit of records is reached. */
static gboolean tell_group(PsPath *path, gint64 time, guint node, guint place)
{
    PsPathRecord *record = add_record(path);
    const PsPathEvent event = {
        .time = time - path->base, .node = node, .slot = place * path->n_warps};
    if (record)
        *record = ps_path_pack(path->bits, &event);
    return record != NULL;
}

static void on_launched(void *self, gint64 time, const PsGroups *of)
{
    PsPath *path = self;
    if (path->cu != of->cu)
        turn_to(path, of->cu);
    const PsPathGroup group = {of->place, path->tape->n_records};
    const PsPathLaunch launch = {group.launch, of->group};
    if (!tell_group(path, time, ps_path_launch(path), of->place))
        return;
    g_array_append_val(path->groups, group);
    g_array_append_val(path->tape->launches, launch);
}

/* Notes the delay of the latest record. */
static void note_delay(PsPath *path, guint node, const PsInstance *instance)
{
    const guint32 at = (path->tape->n_records - 1) & ((1U << CHUNK) - 1);
    gint64 *delays = ps_path_delays(path->tape->chunk);
    delays[at] = instance->delay;
    if (G_UNLIKELY(path->queues)) {
        delays[(1U << CHUNK) + at] = instance->queued;
        path->longest_queued = MAX(path->longest_queued, instance->queued);
    }
    path->longest[node] =
        MAX(path->longest[node], path->table.all[node].completion + instance->delay);
    path->longest_completion = MAX(path->longest_completion, path->longest[node]);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsPath *path = self;
    PsPathRecord *record = add_record(path);
    const PsPathEvent event = {.time = time - path->base,
                               .position = instance->position,
                               .node = path->table.first_node[instance->program] + instance->node,
                               .slot = instance->of.place * path->n_warps + instance->warp,
                               .held = time > ready};
    if (G_UNLIKELY(!record))
        return;
    *record = ps_path_pack(path->bits, &event);
    if (path->delays)
        note_delay(path, event.node, instance);
}

static void forget(GArray *groups, guint place)
{
    for (guint i = 0; i < groups->len; i++)
        if (g_array_index(groups, PsPathGroup, i).place == place) {
            g_array_remove_index(groups, i);
            return;
        }
}

static void on_finished(void *self, gint64 time, const PsGroups *of)
{
    PsPath *path = self;
    const guint32 number = path->tape->n_records;
    if (!tell_group(path, time, ps_path_end(path), of->place))
        return;
    g_array_append_val(path->tape->ends, number);
    if (time - path->base > path->tape->ended) {
        path->tape->ended = time - path->base;
        path->tape->end = number;
    }
    forget(path->groups, of->place);
}

/* ---- skipped time -------------------------------------------------------------------------- */

static PsPathSnapshot *snapshot_new(const PsPath *path)
{
    PsPathSnapshot *snapshot = g_new0(PsPathSnapshot, 1);
    g_atomic_ref_count_init(&snapshot->references);
    snapshot->at = (PsPathPoint){path->tape->n_records, path->tape->skips->len};
    snapshot->base = path->base;
    snapshot->groups = g_array_copy(path->groups);
    return snapshot;
}

static void on_marked(void *self, guint mark)
{
    PsPath *path = self;
    g_clear_pointer(&path->marks[mark], free_snapshot);
    path->marks[mark] = snapshot_new(path);
}

/* Groups that are resident at both. */
static guint count_stay(const PsPathSnapshot *mark, const PsPathSnapshot *end)
{
    guint n = 0;
    while (n < mark->groups->len && n < end->groups->len &&
           g_array_index(mark->groups, PsPathGroup, n).launch ==
               g_array_index(end->groups, PsPathGroup, n).launch)
        n++;
    return n;
}

static void on_skipped(void *self, const PsSkip *skipped)
{
    PsPath *path = self;
    PsPathSnapshot *mark = path->marks[skipped->mark];
    PsPathSkip *skip = g_new0(PsPathSkip, 1);
    g_atomic_ref_count_inc(&mark->references);
    skip->mark = mark;
    skip->end = snapshot_new(path);
    skip->times = skipped->times;
    skip->period = skipped->period;
    skip->length = skipped->to - skipped->from;
    skip->estimated = skipped->estimated;
    skip->recorded = skipped->period - (path->base - mark->base);
    skip->loops = skipped->groups == 0;
    skip->n_stay = count_stay(mark, skip->end);
    g_ptr_array_add(path->tape->skips, skip);
    path->base += skipped->to - skipped->from;
    path->tape->skipped = path->base;
}

PsListener ps_path_listener(PsPath *path)
{
    return (PsListener){.self = path,
                        .launched = on_launched,
                        .issued = on_issued,
                        .finished = on_finished,
                        .marked = on_marked,
                        .skipped = on_skipped};
}

/* ---- set-up -------------------------------------------------------------------------------- */

void ps_path_record_init(PsPath *path)
{
    path->groups = g_array_new(FALSE, FALSE, sizeof(PsPathGroup));
    path->tape = new_tape();
    path->cu = G_MAXUINT;
}

void ps_path_record_clear(PsPath *path)
{
    for (guint i = 0; i < PS_SIM_MARKS; i++)
        g_clear_pointer(&path->marks[i], free_snapshot);
    g_array_unref(path->groups);
    free_tape(path->tape);
    free_tape(path->best);
}
