/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the engine by the rules of the model: what the engine tells of an instance is when it was
 * ready and when it issued; which dependence, holder or arrival that was, is found here. */
#define _DEFAULT_SOURCE /* madvise */
#include "sim/path-private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK PS_PATH_CHUNK

/* Memory comes in pages of that size where the system has them. */
#define LARGE_PAGE (2UL << 20)

/* ---- groups -------------------------------------------------------------------------------- */

static void free_group(void *data)
{
    PsPathGroup *group = data;
    g_free(group->warps);
    g_free(group);
}

static void free_warps(const PsPath *path, PsPathGroup *group)
{
    const PsKernel *kernel = path->machine->kernel;
    for (gint64 w = 0; w < path->machine->launch.warps_per_group; w++) {
        PsPathWarp *warp = &group->warps[w];
        const int program = ps_kernel_program_of(kernel, w);
        for (guint n = 0; program >= 0 && n < kernel->programs[program].n_nodes; n++)
            g_clear_pointer(&warp->nodes[n].ends, g_array_unref);
        g_free(warp->nodes);
        g_free(warp->cursors);
    }
}

static void index_groups(PsPath *path)
{
    memset(path->index, 0, ((gsize)path->mask + 1) * sizeof *path->index);
    for (guint i = 0; i < path->groups->len; i++) {
        PsPathGroup *group = path->groups->pdata[i];
        guint at = (guint)group->group & path->mask;
        while (path->index[at])
            at = (at + 1) & path->mask;
        path->index[at] = group;
    }
}

static PsPathGroup *find_group(const PsPath *path, gint64 number)
{
    guint at = (guint)number & path->mask;
    while (path->index[at] && path->index[at]->group != number)
        at = (at + 1) & path->mask;
    return path->index[at];
}

/* ---- the tape ------------------------------------------------------------------------------ */

static void free_stand(void *data)
{
    PsPathStand *stand = data;
    g_free(stand->last);
    g_free(stand->count);
    g_free(stand);
}

static void free_snapshot(PsPathSnapshot *snapshot)
{
    if (!snapshot || !g_atomic_ref_count_dec(&snapshot->references))
        return;
    g_ptr_array_unref(snapshot->stands);
    g_free(snapshot->holders);
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
    tape->skips = g_ptr_array_new_with_free_func(free_skip);
    return tape;
}

static void free_tape(PsPathTape *tape)
{
    if (!tape)
        return;
    g_ptr_array_unref(tape->chunks);
    g_ptr_array_unref(tape->skips);
    g_free(tape);
}

/* Memory for a chunk. Long runs take hundreds of MB, of which a page after the other would be asked
 * for; short ones would pay for more than they use. */
static PsPathRecord *new_chunk(const PsPathTape *tape)
{
    const gsize size = sizeof(PsPathRecord) << CHUNK;
    void *chunk;
    if (tape->chunks->len == 0 || posix_memalign(&chunk, LARGE_PAGE, size) != 0)
        return g_malloc(size);
    (void)madvise(chunk, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    return chunk;
}

/* Makes room for a record; PS_NO_RECORD where there may be no more. */
static guint32 add_record(PsPath *path)
{
    PsPathTape *tape = path->tape;
    if (G_UNLIKELY(tape->n_records == PS_PATH_MAX)) {
        path->full = TRUE;
        return PS_NO_RECORD;
    }
    if (G_UNLIKELY((tape->n_records >> CHUNK) == tape->chunks->len))
        g_ptr_array_add(tape->chunks, new_chunk(tape));
    return tape->n_records++;
}

const PsPathTape *ps_path_tape(const PsPath *path)
{
    if (path->best &&
        path->best->ended + path->best->skipped >= path->tape->ended + path->tape->skipped)
        return path->best;
    return path->tape;
}

/* Other CUs, from the start again: only the tape of those that are done last is kept. */
static void turn_to(PsPath *path, guint cu)
{
    PsPathTape *tape = (PsPathTape *)ps_path_tape(path);
    free_tape(tape == path->tape ? path->best : path->tape);
    path->best = tape;
    path->tape = new_tape();
    path->cu = cu;
    path->base = 0;
    path->finished = (PsPathEnd){-1, {PS_NO_RECORD, PS_LINK_NONE}};
    path->launched = PS_NO_RECORD;
    memset(path->holders, 0xff, path->n_holders * sizeof *path->holders);
    for (guint i = 0; i < PS_SIM_MARKS; i++)
        g_clear_pointer(&path->marks[i], free_snapshot);
}

/* ---- launches ------------------------------------------------------------------------------ */

static void start_warp(const PsPath *path, PsPathWarp *warp, int p)
{
    const PsProgram *program = p >= 0 ? &path->machine->kernel->programs[p] : NULL;
    *warp = (PsPathWarp){.latest = PS_NO_RECORD, .end = {-1, {PS_NO_RECORD, PS_LINK_NONE}}};
    if (!program)
        return;
    warp->nodes = g_new0(PsPathNode, MAX(program->n_nodes, 1));
    warp->cursors = g_new0(PsPathCursor, MAX(path->n_deps[p], 1));
    warp->left = program->length;
    for (guint n = 0; n < program->n_nodes; n++) {
        warp->nodes[n].last = PS_NO_RECORD;
        if (program->nodes[n].barrier)
            warp->nodes[n].ends = g_array_new(FALSE, FALSE, sizeof(PsPathEnd));
    }
}

static guint take_place(PsPath *path)
{
    guint place = 0;
    while (path->taken[place])
        place++;
    path->taken[place] = TRUE;
    return place;
}

/* What a launch waited for: the end of a group in that instant, else the launch before it. */
static PsLink launch_link(const PsPath *path, gint64 time)
{
    if (path->launched == PS_NO_RECORD || time == 0)
        return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
    if (path->finished.done == time)
        return path->finished.by;
    return (PsLink){path->launched, PS_LINK_LAUNCH};
}

static void on_launched(void *self, gint64 time, const PsGroups *of)
{
    PsPath *path = self;
    if (path->cu != of->cu)
        turn_to(path, of->cu);
    const gint64 warps = path->machine->launch.warps_per_group;
    const gint64 now = time - path->base;
    const PsLink link = launch_link(path, now);
    const PsPathRecord record = {.issue = now,
                                 .before = (guint32)((guint64)of->group >> 32),
                                 .next = (guint32)of->group,
                                 .ready = link.record,
                                 .holder = PS_NO_RECORD,
                                 .launch = PS_NO_RECORD,
                                 .node = PS_NODE_LAUNCH,
                                 .how = link.how};
    PsPathGroup *group = g_new0(PsPathGroup, 1);
    group->group = of->group;
    group->place = take_place(path);
    group->launch = path->launched = add_record(path);
    if (group->launch != PS_NO_RECORD)
        *ps_path_record(path->tape, group->launch) = record;
    group->last_arrival = -1;
    group->gone = (PsPathEnd){-1, {PS_NO_RECORD, PS_LINK_NONE}};
    group->warps = g_new0(PsPathWarp, warps);
    for (gint64 w = 0; w < warps; w++) {
        start_warp(path, &group->warps[w], ps_kernel_program_of(path->machine->kernel, w));
        group->warps[w].scheduler =
            (guint)((group->place * warps + w) % MAX(path->machine->refinements.schedulers, 1));
        group->live += group->warps[w].left > 0;
    }
    g_ptr_array_add(path->groups, group);
    index_groups(path);
}

static void on_finished(void *self, gint64 time, const PsGroups *of)
{
    PsPath *path = self;
    PsPathGroup *group = find_group(path, of->group);
    if (!group)
        return;
    const gint64 now = time - path->base;
    if (now > path->finished.done)
        path->finished = (PsPathEnd){now, group->gone.by};
    if (now > path->tape->ended) {
        path->tape->ended = now;
        path->tape->end = group->gone.by;
    }
    path->taken[group->place] = FALSE;
    free_warps(path, group);
    g_ptr_array_remove(path->groups, group);
    index_groups(path);
}

/* ---- completions --------------------------------------------------------------------------- */

static void complete_barrier(PsPath *path, PsPathGroup *group);

/* An instance of a warp is complete at that time. */
static void know(PsPath *path, PsPathGroup *group, PsPathWarp *warp, PsPathEnd end)
{
    if (end.done > warp->end.done)
        warp->end = end;
    if (--warp->left > 0)
        return;
    if (warp->end.done > group->gone.done)
        group->gone = warp->end;
    if (--group->live > 0 && group->arrived > 0 && group->arrived == group->live)
        complete_barrier(path, group);
}

/* T6: Lambda after the last one came, but not before a warp that never came has ended. */
static void complete_barrier(PsPath *path, PsPathGroup *group)
{
    PsPathEnd end = {group->last_arrival + group->last_completion, {group->last, PS_LINK_BARRIER}};
    if (group->gone.done > end.done)
        end = group->gone;
    else
        ps_path_record(path->tape, group->last)->last = TRUE;
    group->arrived = 0;
    group->last_arrival = -1;
    for (gint64 w = 0; w < path->machine->launch.warps_per_group; w++) {
        PsPathWarp *warp = &group->warps[w];
        if (!warp->arrived)
            continue;
        warp->arrived = FALSE;
        g_array_append_val(warp->nodes[warp->barrier].ends, end);
        know(path, group, warp, end);
    }
}

static void arrive(PsPath *path, PsPathGroup *group, PsPathWarp *warp, guint32 number, guint node)
{
    const PsPathRecord *record = ps_path_record(path->tape, number);
    warp->arrived = TRUE;
    warp->barrier = node;
    group->arrived++;
    if (record->issue > group->last_arrival)
        group->last_completion = -1;
    if (record->issue >= group->last_arrival) {
        group->last_arrival = record->issue;
        const gint64 completion = path->plan[record->node].completion;
        if (completion > group->last_completion ||
            (completion == group->last_completion &&
             record->warp < ps_path_record(path->tape, group->last)->warp)) {
            group->last_completion = path->plan[record->node].completion;
            group->last = number;
        }
    }
    if (group->arrived == group->live)
        complete_barrier(path, group);
}

/* ---- issues -------------------------------------------------------------------------------- */

/* Moves the cursor to the instance of that number, from where it stands or from the latest one,
 * whichever is nearer; FALSE where it was not recorded. A cursor of number 0 stands nowhere. */
static gboolean seek(const PsPath *path, PsPathCursor *cursor, const PsPathNode *on, gint64 number)
{
    if (cursor->number == 0 || on->count - number < number - cursor->number)
        *cursor = (PsPathCursor){on->last, on->count};
    while (cursor->number < number && cursor->record != PS_NO_RECORD) {
        cursor->record = ps_path_record(path->tape, cursor->record)->next;
        cursor->number++;
    }
    while (cursor->number > number && cursor->record != PS_NO_RECORD) {
        cursor->record = ps_path_record(path->tape, cursor->record)->before;
        cursor->number--;
    }
    if (cursor->record == PS_NO_RECORD)
        cursor->number = 0;
    return cursor->number > 0;
}

/* When the instance of that number was complete; never, where that is not known. */
static PsPathEnd end_of(const PsPath *path, PsPathCursor *cursor, const PsPathNode *on,
                        gint64 number)
{
    const PsPathEnd never = {-1, {PS_NO_RECORD, PS_LINK_NONE}};
    if (G_UNLIKELY(on->ends != NULL)) {
        const gint64 at = number - 1 - on->dropped;
        return at >= 0 && at < on->ends->len ? g_array_index(on->ends, PsPathEnd, at) : never;
    }
    if (G_LIKELY(number == on->count))
        return (PsPathEnd){on->done, {on->last, PS_LINK_DONE}};
    if (!seek(path, cursor, on, number))
        return never;
    const PsPathRecord *record = ps_path_record(path->tape, cursor->record);
    return (PsPathEnd){record->issue + path->plan[record->node].completion,
                       {cursor->record, PS_LINK_DONE}};
}

/* What made the next instance of a node of a warp ready at that time. */
static inline G_ALWAYS_INLINE PsLink find_ready(const PsPath *path, const PsPathGroup *group,
                                                PsPathWarp *warp, const PsPathPlan *plan, gint64 k,
                                                gint64 ready)
{
    PsLink link = {PS_NO_RECORD, PS_LINK_NONE};
    for (guint d = 0; d < plan->n_deps; d++) {
        const PsPathNode *on = &warp->nodes[plan->deps[d].on];
        const gint64 number = ps_path_needed(&plan->deps[d], k);
        if (number < 1)
            continue;
        const PsPathEnd end = end_of(path, &warp->cursors[plan->first_dep + d], on, number);
        if (end.done == ready && (link.how == PS_LINK_NONE || end.by.record > link.record))
            link = end.by;
    }
    if (link.how != PS_LINK_NONE)
        return link;
    if (path->machine->refinements.order == PS_ORDER_PROGRAM && warp->latest != PS_NO_RECORD &&
        ps_path_record(path->tape, warp->latest)->issue == ready)
        return (PsLink){warp->latest, PS_LINK_ISSUE};
    return (PsLink){group->launch, PS_LINK_LAUNCH};
}

/* Where the copy of the node's pipeline that serves a scheduler is among holders. */
static guint holder_of(const PsPathPlan *plan, guint scheduler)
{
    return plan->holder + (plan->per_scheduler ? scheduler : 0);
}

PsLink ps_path_held(const PsPath *path, const PsPathTape *tape, const guint32 *holders,
                    const PsPathRecord *record, gint64 time)
{
    const guint32 pipeline = holders[holder_of(&path->plan[record->node], record->scheduler)];
    const guint32 port = holders[path->first_port + record->scheduler];
    if (path->machine->port_busy == 0 || port == PS_NO_RECORD)
        return (PsLink){pipeline, PS_LINK_PIPELINE};
    if (pipeline != PS_NO_RECORD) {
        const PsPathRecord *held = ps_path_record(tape, pipeline);
        if (held->issue + path->plan[held->node].issue == time)
            return (PsLink){pipeline, PS_LINK_PIPELINE};
    }
    return (PsLink){port, PS_LINK_PORT};
}

/* Adds the record to its node, its warp and what it holds. */
static void enter(PsPath *path, PsPathWarp *warp, PsPathNode *node, const PsPathPlan *plan,
                  gint64 issue, guint32 number)
{
    if (node->last != PS_NO_RECORD)
        ps_path_record(path->tape, node->last)->next = number;
    node->last = number;
    node->done = issue + plan->completion;
    node->count++;
    warp->latest = number;
    path->holders[holder_of(plan, warp->scheduler)] = number;
    path->holders[path->first_port + warp->scheduler] = number;
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsPath *path = self;
    PsPathGroup *group = path->full ? NULL : find_group(path, instance->of.group);
    const guint32 number = group ? add_record(path) : PS_NO_RECORD;
    if (number == PS_NO_RECORD)
        return;
    const guint flat = path->first_node[instance->program] + instance->node;
    const PsPathPlan *plan = &path->plan[flat];
    PsPathWarp *warp = &group->warps[instance->warp];
    PsPathNode *node = &warp->nodes[instance->node];
    PsPathRecord *record = ps_path_record(path->tape, number);
    const PsLink link = find_ready(path, group, warp, plan, node->count, ready - path->base);
    *record = (PsPathRecord){.issue = time - path->base,
                             .before = node->last,
                             .next = PS_NO_RECORD,
                             .ready = link.record,
                             .holder = PS_NO_RECORD,
                             .launch = group->launch,
                             .node = flat,
                             .how = link.how,
                             .warp = instance->warp,
                             .scheduler = warp->scheduler};
    if (time > ready && path->machine->port_busy == 0) {
        record->holder = path->holders[holder_of(plan, warp->scheduler)];
    } else if (time > ready) {
        const PsLink held = ps_path_held(path, path->tape, path->holders, record, record->issue);
        record->holder = held.record;
        record->port = held.how == PS_LINK_PORT;
    }
    enter(path, warp, node, plan, time - path->base, number);
    if (G_UNLIKELY(plan->barrier))
        arrive(path, group, warp, number, instance->node);
    else
        know(path, group, warp, (PsPathEnd){node->done, {number, PS_LINK_DONE}});
}

/* ---- skipped time -------------------------------------------------------------------------- */

static PsPathStand *stand_of(const PsPath *path, const PsPathGroup *group)
{
    const gint64 warps = path->machine->launch.warps_per_group;
    PsPathStand *stand = g_new(PsPathStand, 1);
    stand->launch = group->launch;
    stand->last = g_new(guint32, (gsize)warps * path->most_nodes);
    stand->count = g_new0(gint64, (gsize)warps * path->most_nodes);
    memset(stand->last, 0xff, (gsize)warps * path->most_nodes * sizeof *stand->last);
    for (gint64 w = 0; w < warps; w++) {
        const int program = ps_kernel_program_of(path->machine->kernel, w);
        const guint n = program >= 0 ? path->machine->kernel->programs[program].n_nodes : 0;
        for (guint i = 0; i < n; i++) {
            stand->last[(gsize)w * path->most_nodes + i] = group->warps[w].nodes[i].last;
            stand->count[(gsize)w * path->most_nodes + i] = group->warps[w].nodes[i].count;
        }
    }
    return stand;
}

static PsPathSnapshot *snapshot_new(const PsPath *path)
{
    PsPathSnapshot *snapshot = g_new0(PsPathSnapshot, 1);
    g_atomic_ref_count_init(&snapshot->references);
    snapshot->n_records = path->tape->n_records;
    snapshot->n_skips = path->tape->skips->len;
    snapshot->base = path->base;
    snapshot->stands = g_ptr_array_new_with_free_func(free_stand);
    for (guint i = 0; i < path->groups->len; i++)
        g_ptr_array_add(snapshot->stands, stand_of(path, path->groups->pdata[i]));
    snapshot->holders = g_memdup2(path->holders, path->n_holders * sizeof *path->holders);
    return snapshot;
}

static void on_marked(void *self, guint mark)
{
    PsPath *path = self;
    if (path->full)
        return;
    g_clear_pointer(&path->marks[mark], free_snapshot);
    path->marks[mark] = snapshot_new(path);
}

/* A warp goes on where it will be after so many periods: the numbers of its instances grow. */
static void advance_warp(const PsPath *path, PsPathWarp *warp, int p, const gint64 *before,
                         gint64 times)
{
    for (guint n = 0; n < path->machine->kernel->programs[p].n_nodes; n++) {
        const gint64 growth = times * (warp->nodes[n].count - before[n]);
        warp->nodes[n].dropped += growth;
        warp->nodes[n].count += growth;
        warp->left -= growth;
    }
    memset(warp->cursors, 0, path->n_deps[p] * sizeof *warp->cursors);
}

/* Loops went round and no group was launched. */
static void advance_groups(PsPath *path, const PsPathSnapshot *mark, gint64 times)
{
    for (guint i = 0; i < path->groups->len; i++) {
        PsPathGroup *group = path->groups->pdata[i];
        const PsPathStand *stand = mark->stands->pdata[i];
        for (gint64 w = 0; w < path->machine->launch.warps_per_group; w++) {
            const int program = ps_kernel_program_of(path->machine->kernel, w);
            if (program >= 0)
                advance_warp(path, &group->warps[w], program,
                             stand->count + (gsize)w * path->most_nodes, times);
        }
    }
}

static void on_skipped(void *self, const PsSkip *skipped)
{
    PsPath *path = self;
    PsPathSnapshot *mark = path->marks[skipped->mark];
    if (path->full || !mark)
        return;
    PsPathSkip *skip = g_new0(PsPathSkip, 1);
    g_atomic_ref_count_inc(&mark->references);
    skip->mark = mark;
    skip->end = snapshot_new(path);
    skip->times = skipped->times;
    skip->period = skipped->period;
    skip->recorded = skipped->period - (path->base - mark->base);
    g_ptr_array_add(path->tape->skips, skip);
    if (skipped->groups == 0)
        advance_groups(path, mark, skipped->times);
    /* Groups of all CUs are numbered together (sim/cus.h). */
    const gint64 renumbered = skipped->groups / skipped->n_cus * path->machine->n_cus;
    for (guint i = 0; i < path->groups->len; i++)
        ((PsPathGroup *)path->groups->pdata[i])->group += renumbered;
    index_groups(path);
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
    const PsLaunch *launch = &path->machine->launch;
    guint size = 16;
    while (size < 4 * launch->active_groups)
        size *= 2;
    path->mask = size - 1;
    path->index = g_new0(PsPathGroup *, size);
    path->groups = g_ptr_array_new_with_free_func(free_group);
    path->taken = g_new0(guint8, launch->active_groups + 1);
    path->holders = g_new(guint32, MAX(path->n_holders, 1));
    path->tape = new_tape();
    path->cu = G_MAXUINT;
}

void ps_path_record_clear(PsPath *path)
{
    for (guint i = 0; i < path->groups->len; i++)
        free_warps(path, path->groups->pdata[i]);
    g_ptr_array_unref(path->groups);
    g_free(path->index);
    g_free(path->taken);
    g_free(path->holders);
    for (guint i = 0; i < PS_SIM_MARKS; i++)
        g_clear_pointer(&path->marks[i], free_snapshot);
    free_tape(path->tape);
    free_tape(path->best);
}
