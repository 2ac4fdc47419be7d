/* SPDX-License-Identifier: BSD-3-Clause */
/* Going back. Records are told apart by their numbers, which grow with time as the engine tells it,
 * so that a mark or a skip lies between two records if its number of records does. */
#include "sim/path-private.h"

#include <string.h>

/* A period that the walk is in, and how often it has yet to go through it. To see that it goes
 * round, it remembers where it came in once, at ever longer intervals (Brent's way). */
typedef struct {
    const PsPathSkip *skip;
    gint64 left;
    PsLink seen; /* where it came in then; PS_LINK_NONE: nothing is remembered */
    gint64 seen_left;
    gint64 rounds, power; /* since then, and when to remember anew */
    gint64 *seen_sums;
} Round;

typedef struct {
    const PsPath *path;
    const PsPathTape *tape;
    PsPathSums *sums;
    PsPathTold told;
    gpointer data;
    PsLink at;      /* where the walk stands */
    gint64 clock;   /* the engine's, there */
    gint64 time;    /* the run's, there */
    GArray *rounds; /* Round, the innermost last */
} Walk;

static const PsPathRecord *record_at(const Walk *walk, guint32 number)
{
    return ps_path_record(walk->tape, number);
}

/* ---- sums ---------------------------------------------------------------------------------- */

guint ps_path_sum_ticks(const PsPathSums *sums, PsPathKind kind, guint node)
{
    return 2 * (kind * sums->n_nodes + MIN(node, sums->n_nodes - 1));
}

guint ps_path_sum_times(const PsPathSums *sums, PsPathKind kind, guint node)
{
    return ps_path_sum_ticks(sums, kind, node) + 1;
}

guint ps_path_sum_late(const PsPathSums *sums, guint node, guint warp)
{
    return 2 * PS_PATH_N_KINDS * sums->n_nodes + sums->barrier[node] * sums->n_warps + warp;
}

/* Charges the time back to `to`, on the engine's clock. */
static void charge(Walk *walk, PsPathKind kind, const PsPathRecord *charged, gint64 to)
{
    const gint64 length = walk->clock - to;
    gint64 *sums = walk->sums->at;
    sums[ps_path_sum_ticks(walk->sums, kind, charged->node)] += length;
    sums[ps_path_sum_times(walk->sums, kind, charged->node)]++;
    if (kind == PS_PATH_BARRIER)
        sums[ps_path_sum_late(walk->sums, charged->node, charged->warp)]++;
    if (walk->told && length > 0)
        walk->told(walk->data, kind, charged, walk->time - length, walk->time);
    walk->clock = to;
    walk->time -= length;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* The group's number by age; G_MAXUINT where it was not there. */
static guint age_of(const PsPathSnapshot *snapshot, guint32 launch)
{
    for (guint i = 0; i < snapshot->stands->len; i++)
        if (((const PsPathStand *)snapshot->stands->pdata[i])->launch == launch)
            return i;
    return G_MAXUINT;
}

/* So many instances back; PS_NO_RECORD where there are not so many. */
static guint32 back(const Walk *walk, guint32 number, gint64 steps)
{
    while (steps-- > 0 && number != PS_NO_RECORD)
        number = record_at(walk, number)->before;
    return number;
}

/* Where a warp's nodes stood, of the group of that record; -1 where it was not there. */
typedef struct {
    const PsPathStand *mark, *end;
    guint program;
    gsize first; /* of the warp's nodes in the stands */
} Stands;

static gboolean find_stands(const Walk *walk, const PsPathSkip *skip, const PsPathRecord *record,
                            Stands *stands)
{
    const guint age = age_of(skip->mark, record->launch);
    if (age >= skip->mark->stands->len || age >= skip->end->stands->len)
        return FALSE;
    stands->mark = skip->mark->stands->pdata[age];
    stands->end = skip->end->stands->pdata[age];
    stands->program = ps_path_program(walk->path, record->node);
    stands->first = (gsize)record->warp * walk->path->most_nodes;
    return TRUE;
}

/* What has the same part at the skip as that instance has at the mark: as many instances back of
 * the same node of the same warp of the group of the same age. */
static guint32 same_instance(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathRecord *record = record_at(walk, number);
    Stands stands;
    if (!find_stands(walk, skip, record, &stands))
        return PS_NO_RECORD;
    const gsize at = stands.first + record->node - walk->path->first_node[stands.program];
    guint32 here = stands.mark->last[at], there = stands.end->last[at];
    while (here != number && here != PS_NO_RECORD && there != PS_NO_RECORD) {
        here = back(walk, here, 1);
        there = back(walk, there, 1);
    }
    return here == number ? there : PS_NO_RECORD;
}

/* Who came last at the barrier that was complete at that time, in the stand's group. */
static guint32 last_arrival(const Walk *walk, const PsPathStand *stand, gint64 time)
{
    const PsPath *path = walk->path;
    for (guint at = 0; at < walk->sums->n_warps * path->most_nodes; at++)
        for (guint steps = 0; steps < 2; steps++) {
            const guint32 number = back(walk, stand->last[at], steps);
            const PsPathRecord *record = number != PS_NO_RECORD ? record_at(walk, number) : NULL;
            if (record && record->last &&
                record->issue + path->plan[record->node].completion == time)
                return number;
        }
    return PS_NO_RECORD;
}

/* The warp's latest record, if it issued at that time (R2). */
static PsLink issue_before(const Walk *walk, const Stands *stands, gint64 time)
{
    guint32 latest = PS_NO_RECORD;
    for (guint n = 0; n < walk->path->most_nodes; n++) {
        const guint32 last = stands->end->last[stands->first + n];
        if (last != PS_NO_RECORD && (latest == PS_NO_RECORD || last > latest))
            latest = last;
    }
    if (walk->path->machine->refinements.order == PS_ORDER_PROGRAM && latest != PS_NO_RECORD &&
        record_at(walk, latest)->issue == time)
        return (PsLink){latest, PS_LINK_ISSUE};
    return (PsLink){PS_NO_RECORD, PS_LINK_NONE};
}

/* What makes the like of an instance of the period ready when the period comes again: of equal
 * times another dependence may count than did the first time, when it stood at the beginning. Of
 * several the latest record, as in path-record.c. */
static PsLink ready_again(const Walk *walk, const PsPathSkip *skip, guint32 from)
{
    const PsPath *path = walk->path;
    const PsPathRecord *record = record_at(walk, from);
    const gint64 time = record->issue + skip->recorded;
    PsLink best = {PS_NO_RECORD, PS_LINK_NONE};
    Stands stands;
    if (record->node == PS_NODE_LAUNCH || !find_stands(walk, skip, record, &stands))
        return best;
    const PsProgram *program = &path->machine->kernel->programs[stands.program];
    const guint node = record->node - path->first_node[stands.program];
    gint64 k = stands.end->count[stands.first + node];
    for (guint32 n = record->before;
         n != PS_NO_RECORD && n != stands.mark->last[stands.first + node]; n = back(walk, n, 1))
        k++;
    for (guint d = 0; d < program->nodes[node].n_deps; d++) {
        const PsProgramDep *dep = &program->nodes[node].deps[d];
        const gsize at = stands.first + dep->on;
        const gint64 needed = ps_path_needed(dep, k);
        if (needed < 1 || needed > stands.end->count[at])
            continue;
        PsLink link = {back(walk, stands.end->last[at], stands.end->count[at] - needed),
                       PS_LINK_DONE};
        if (program->nodes[dep->on].barrier)
            link = (PsLink){last_arrival(walk, stands.end, time), PS_LINK_BARRIER};
        else if (link.record != PS_NO_RECORD &&
                 record_at(walk, link.record)->issue +
                         path->plan[record_at(walk, link.record)->node].completion !=
                     time)
            link.record = PS_NO_RECORD;
        if (link.record != PS_NO_RECORD && (best.how == PS_LINK_NONE || link.record > best.record))
            best = link;
    }
    return best.how != PS_LINK_NONE ? best : issue_before(walk, &stands, time);
}

/* What has the same part at the skip as the holder of something at the mark. */
static guint32 same_holder(const Walk *walk, const PsPathSkip *skip, PsLink link)
{
    const gboolean port = link.how == PS_LINK_PORT;
    for (guint i = 0; i < walk->path->n_holders; i++)
        if (skip->mark->holders[i] == link.record && (i >= walk->path->first_port) == port)
            return skip->end->holders[i];
    return PS_NO_RECORD;
}

static guint32 same_launch(const PsPathSkip *skip, guint32 number)
{
    const guint age = age_of(skip->mark, number);
    return age < skip->end->stands->len
               ? ((const PsPathStand *)skip->end->stands->pdata[age])->launch
               : PS_NO_RECORD;
}

/* What has the same part at the skip as what `from` leads to at the mark. Only from the period
 * itself, not where the link has come in before, does it matter what `from` is. */
static PsLink same_part(const Walk *walk, const PsPathSkip *skip, guint32 from, PsLink link)
{
    const gboolean held = link.how == PS_LINK_PIPELINE || link.how == PS_LINK_PORT;
    const PsPathRecord *by = from != PS_NO_RECORD ? record_at(walk, from) : NULL;
    if (by && held)
        return ps_path_held(walk->path, walk->tape, skip->end->holders, by,
                            by->issue + skip->recorded);
    const PsLink again = by ? ready_again(walk, skip, from) : (PsLink){PS_NO_RECORD, PS_LINK_NONE};
    if (again.how != PS_LINK_NONE)
        return again;
    const gboolean launch = record_at(walk, link.record)->node == PS_NODE_LAUNCH;
    guint32 part = launch ? same_launch(skip, link.record) : same_instance(walk, skip, link.record);
    if (part == PS_NO_RECORD && held)
        part = same_holder(walk, skip, link);
    return (PsLink){part, link.how};
}

/* ---- rounds -------------------------------------------------------------------------------- */

static void clear_round(void *data)
{
    g_free(((Round *)data)->seen_sums);
}

static Round *innermost(const Walk *walk)
{
    return walk->rounds->len ? &g_array_index(walk->rounds, Round, walk->rounds->len - 1) : NULL;
}

static void remember(const Walk *walk, Round *round, PsLink link)
{
    const gsize size = walk->sums->n * sizeof *walk->sums->at;
    if (!round->seen_sums)
        round->seen_sums = g_malloc(size);
    memcpy(round->seen_sums, walk->sums->at, size);
    round->seen = link;
    round->seen_left = round->left;
    round->power = 2 * MAX(round->rounds, 1);
    round->rounds = 0;
}

/* The walk came in where it did before: what it did since then, it will do again and again. */
static void go_round(Walk *walk, Round *round)
{
    const gint64 periods = round->seen_left - round->left;
    const gint64 times = round->left / periods;
    for (guint i = 0; i < walk->sums->n; i++)
        walk->sums->at[i] += times * (walk->sums->at[i] - round->seen_sums[i]);
    round->left -= times * periods;
    walk->time -= times * periods * round->skip->period;
    round->seen.how = PS_LINK_NONE;
}

/* Comes in again at the end of the period. What has no like there is charged with the rest. */
static void come_in(Walk *walk, Round *round, guint32 from, PsLink *link)
{
    const PsLink part = same_part(walk, round->skip, from, *link);
    if (part.record == PS_NO_RECORD) {
        walk->clock += round->left * round->skip->recorded;
        round->left = 0;
        return;
    }
    *link = part;
    round->left--;
    walk->clock += round->skip->recorded;
    round->rounds++;
    if (round->seen.how == part.how && round->seen.record == part.record)
        go_round(walk, round);
    else if (round->seen.how == PS_LINK_NONE || round->rounds >= round->power)
        remember(walk, round, part);
}

/* Skips that lie before a record. */
static guint skips_before(const Walk *walk, guint32 number)
{
    guint n = walk->tape->skips->len;
    while (n > 0 && ((const PsPathSkip *)walk->tape->skips->pdata[n - 1])->end->n_records > number)
        n--;
    return n;
}

/* Where a link from one record leads, across marks and skips. */
static PsLink lead(Walk *walk, guint32 from, PsLink link)
{
    guint edge = skips_before(walk, from);
    if (from == walk->tape->n_records)
        from = PS_NO_RECORD;
    while (TRUE) {
        Round *round = innermost(walk);
        const PsPathSnapshot *mark = round ? round->skip->mark : NULL;
        const PsPathSkip *skip = edge > 0 ? walk->tape->skips->pdata[edge - 1] : NULL;
        if (skip && link.record < skip->end->n_records && (!mark || edge > mark->n_skips)) {
            const Round next = {.skip = skip, .left = skip->times};
            g_array_append_val(walk->rounds, next);
            edge--;
        } else if (mark && link.record < mark->n_records && round->left > 0) {
            edge = round->skip->end->n_skips;
            come_in(walk, round, from, &link);
            from = PS_NO_RECORD;
        } else if (mark && link.record < mark->n_records) {
            edge = mark->n_skips;
            g_array_set_size(walk->rounds, walk->rounds->len - 1);
        } else {
            return link;
        }
    }
}

/* ---- the walk ------------------------------------------------------------------------------ */

/* What the time is charged to that a link to an issue or a launch takes. */
static PsPathKind kind_of(PsLinkHow how)
{
    switch (how) {
    case PS_LINK_BARRIER:
        return PS_PATH_BARRIER;
    case PS_LINK_LAUNCH:
        return PS_PATH_LAUNCH;
    case PS_LINK_PIPELINE:
        return PS_PATH_PIPELINE;
    case PS_LINK_PORT:
        return PS_PATH_PORT;
    default:
        return PS_PATH_COMPLETION;
    }
}

/* Follows a link from a record to a completion, or to an issue, which it takes time to. (R2's turns
 * take none.) */
static void follow(Walk *walk, guint32 from, PsLink link)
{
    walk->at = lead(walk, from, link);
    const PsPathRecord *record = record_at(walk, walk->at.record);
    if (walk->at.how != PS_LINK_DONE && walk->at.how != PS_LINK_ISSUE)
        charge(walk, kind_of(walk->at.how), record, record->issue);
}

/* From a completion to the issue. */
static void complete(Walk *walk)
{
    const PsPathRecord *record = record_at(walk, walk->at.record);
    charge(walk, PS_PATH_COMPLETION, record, record->issue);
}

/* From the issue of an instance, or a launch. FALSE where the path begins. */
static gboolean go_back(Walk *walk)
{
    const guint32 number = walk->at.record;
    const PsPathRecord *record = record_at(walk, number);
    if (record->holder != PS_NO_RECORD) {
        follow(walk, number,
               (PsLink){record->holder, record->port ? PS_LINK_PORT : PS_LINK_PIPELINE});
        return TRUE;
    }
    if (record->how == PS_LINK_NONE)
        return FALSE;
    if (record->node == PS_NODE_LAUNCH && record->how != PS_LINK_LAUNCH)
        charge(walk, PS_PATH_PLACE, record, walk->clock);
    follow(walk, number, (PsLink){record->ready, record->how});
    return TRUE;
}

void ps_path_walk(const PsPath *path, const PsPathTape *tape, PsPathSums *sums, PsPathTold told,
                  gpointer data)
{
    Walk walk = {.path = path,
                 .tape = tape,
                 .sums = sums,
                 .told = told,
                 .data = data,
                 .clock = tape->ended,
                 .time = tape->ended + tape->skipped,
                 .rounds = g_array_new(FALSE, FALSE, sizeof(Round))};
    g_array_set_clear_func(walk.rounds, clear_round);
    gboolean on = tape->end.how != PS_LINK_NONE;
    if (on)
        follow(&walk, tape->n_records, tape->end);
    while (on) {
        if (walk.at.how == PS_LINK_DONE)
            complete(&walk);
        on = go_back(&walk);
    }
    g_array_unref(walk.rounds);
}
