/* SPDX-License-Identifier: BSD-3-Clause */
/* Going back. Records are told apart by their numbers, which grow with time as the engine tells it,
 * so that a mark or a skip lies between two records if its number of records does. */
#include "sim/listen/path-private.h"

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
    PsPathBack back;
    PsPathSums *sums;
    PsPathTold told;
    gpointer data;
    PsLink at;      /* where the walk stands */
    gint64 clock;   /* the engine's, there */
    gint64 time;    /* the run's, there */
    GArray *rounds; /* Round, the innermost last */
} Walk;

static inline PsPathEvent record_at(const Walk *walk, guint32 number)
{
    return ps_path_event(&walk->back, number);
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
static void charge(Walk *walk, PsPathKind kind, guint32 charged, gint64 to)
{
    const PsPathEvent record = record_at(walk, charged);
    const gint64 length = walk->clock - to;
    const guint ticks = ps_path_sum_ticks(walk->sums, kind, record.node);
    gint64 *sums = walk->sums->at;
    sums[ticks] += length;
    sums[ticks + 1]++;
    if (kind == PS_PATH_BARRIER)
        sums[ps_path_sum_late(walk->sums, record.node, record.slot % walk->sums->n_warps)]++;
    if (walk->told && length > 0)
        walk->told(walk->data, kind, charged, walk->time - length, walk->time);
    walk->clock = to;
    walk->time -= length;
}

/* ---- parts --------------------------------------------------------------------------------- */

static const PsPathGroup *group_at(const PsPathSnapshot *snapshot, guint age)
{
    return &g_array_index(snapshot->groups, PsPathGroup, age);
}

/* The number by age of the group of that launch; G_MAXUINT where it was not there. */
static guint age_of(const PsPathSnapshot *snapshot, guint32 launch)
{
    for (guint i = 0; i < snapshot->groups->len; i++)
        if (group_at(snapshot, i)->launch == launch)
            return i;
    return G_MAXUINT;
}

/* The group that has the same part at the skip as the group of that launch at the mark; NULL where
 * there is none. */
static const PsPathGroup *same_group(const PsPathSkip *skip, guint32 launch)
{
    const guint age = age_of(skip->mark, launch);
    return age < skip->end->groups->len ? group_at(skip->end, age) : NULL;
}

/* The warp's slot in the group that has the same part at the skip as a warp's at the mark. */
static gboolean same_warp(const Walk *walk, const PsPathSkip *skip, guint32 number, guint *slot)
{
    const guint here = record_at(walk, number).slot;
    const PsPathGroup *group =
        same_group(skip, ps_path_launch_of(&walk->back, here, number).record);
    if (group)
        *slot = group->place * walk->sums->n_warps + here % walk->sums->n_warps;
    return group != NULL;
}

static guint32 same_launch(const PsPathSkip *skip, guint32 number)
{
    const PsPathGroup *group = same_group(skip, number);
    return group ? group->launch : PS_NO_RECORD;
}

/* What has the same part at the skip as an end of a group has at the mark, whose place is not free
 * yet: as many ends back. */
static guint32 same_end(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathTape *tape = walk->back.tape;
    const guint back =
        ps_path_ends_before(tape, skip->mark->at.records) - ps_path_ends_before(tape, number);
    const guint ends = ps_path_ends_before(tape, skip->end->at.records);
    return back <= ends ? g_array_index(tape->ends, guint32, ends - back) : PS_NO_RECORD;
}

/* What has the same part at the skip as that instance has at the mark: as many instances back of
 * the same node of the same warp of the group of the same age. */
static guint32 same_instance(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const PsPathEvent record = record_at(walk, number);
    guint slot;
    gint64 later = 0;
    for (guint32 n = number + 1; n < skip->mark->at.records; n++)
        later += record_at(walk, n).slot == record.slot && record_at(walk, n).node == record.node;
    if (!same_warp(walk, skip, number, &slot))
        return PS_NO_RECORD;
    return ps_path_nth_last(&walk->back, record.node, slot, skip->end->at.records, later);
}

/* An instance of the period as it is when the period comes again. FALSE where its group was not
 * there at the mark. */
static gboolean ask_again(const Walk *walk, const PsPathSkip *skip, guint32 number, PsPathAsk *ask)
{
    const PsPathBack *back = &walk->back;
    const PsPathEvent record = record_at(walk, number);
    if (record.node >= ps_path_launch(back->path))
        return FALSE;
    *ask = ps_path_ask(back, number);
    if (!same_warp(walk, skip, number, &ask->slot))
        return FALSE;
    ask->at = skip->end->at;
    ask->time += skip->recorded;
    ask->k += ps_path_count(back, ask->node, ask->slot, skip->end->at) -
              ps_path_count(back, ask->node, record.slot, skip->mark->at);
    return TRUE;
}

/* What has the same part at the skip as the holder of something at the mark. */
static guint32 same_holder(const Walk *walk, const PsPathSkip *skip, PsLink link)
{
    const PsPathBack *back = &walk->back;
    if (ps_path_holder(back, link.record, link.how, skip->mark->at.records) != link.record)
        return PS_NO_RECORD;
    return ps_path_holder(back, link.record, link.how, skip->end->at.records);
}

static guint32 same_record(const Walk *walk, const PsPathSkip *skip, guint32 number)
{
    const guint node = record_at(walk, number).node;
    if (node == ps_path_end(walk->back.path))
        return same_end(walk, skip, number);
    return node == ps_path_launch(walk->back.path) ? same_launch(skip, number)
                                                   : same_instance(walk, skip, number);
}

/* What has the same part at the skip as what `from` leads to at the mark. Only from the period
 * itself, not where the link has come in before, does it matter what `from` is: of equal times
 * another dependence may count than did the first time, when it stood at the beginning. */
static PsLink same_part(const Walk *walk, const PsPathSkip *skip, guint32 from, PsLink link)
{
    const gboolean held = link.how == PS_LINK_PIPELINE || link.how == PS_LINK_PORT;
    PsPathAsk ask;
    if (from != PS_NO_RECORD && held) {
        const PsPathEvent record = record_at(walk, from);
        return ps_path_held(&walk->back, &record, record.time + skip->recorded,
                            skip->end->at.records);
    }
    if (from != PS_NO_RECORD && ask_again(walk, skip, from, &ask)) {
        const PsLink again = ps_path_ready(&walk->back, &ask);
        if (again.how != PS_LINK_NONE)
            return again;
    }
    guint32 part = same_record(walk, skip, link.record);
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

/* Where a link from one record leads, across marks and skips. */
static PsLink lead(Walk *walk, guint32 from, PsLink link)
{
    const PsPathTape *tape = walk->back.tape;
    if (tape->skips->len == 0)
        return link;
    guint edge = ps_path_point(tape, from).skips;
    if (from == tape->n_records)
        from = PS_NO_RECORD;
    while (TRUE) {
        Round *round = innermost(walk);
        const PsPathSnapshot *mark = round ? round->skip->mark : NULL;
        const PsPathSkip *skip = edge > 0 ? tape->skips->pdata[edge - 1] : NULL;
        if (skip && link.record < skip->end->at.records && (!mark || edge > mark->at.skips)) {
            const Round next = {.skip = skip, .left = skip->times};
            g_array_append_val(walk->rounds, next);
            edge--;
        } else if (mark && link.record < mark->at.records && round->left > 0) {
            edge = round->skip->end->at.skips;
            come_in(walk, round, from, &link);
            from = PS_NO_RECORD;
        } else if (mark && link.record < mark->at.records) {
            edge = mark->at.skips;
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
    case PS_LINK_PLACE:
        return PS_PATH_PLACE;
    default:
        return PS_PATH_COMPLETION;
    }
}

/* Follows a link from a record to a completion, or to an issue, which it takes time to. (R2's turns
 * take none.) */
static void follow(Walk *walk, guint32 from, PsLink link)
{
    walk->at = lead(walk, from, link);
    const guint32 number = walk->at.record;
    if (walk->at.how != PS_LINK_DONE && walk->at.how != PS_LINK_ISSUE)
        charge(walk, kind_of(walk->at.how), number, record_at(walk, number).time);
}

/* From an instance's completion to its issue. */
static void charge_instance(Walk *walk, guint32 number)
{
    const gint64 delay = ps_path_delay(&walk->back, number);
    if (delay > 0)
        charge(walk, PS_PATH_MEMORY, number, walk->clock - delay);
    charge(walk, PS_PATH_COMPLETION, number, record_at(walk, number).time);
}

/* The record before that one of who held that pipeline until that time. */
static guint32 find_holder(const PsPathBack *back, guint32 number, guint pipeline, gint64 time)
{
    const PsNodes *nodes = &back->path->bound;
    while (TRUE) {
        const PsPathEvent record = ps_path_event(back, --number);
        const PsBoundNode *node = &nodes->all[record.node];
        if (record.node < nodes->n_nodes && node->pipeline == pipeline &&
            record.time + node->issue == time)
            return number;
    }
}

/* Goes back along the holders of a pipeline, as go_back does step by step: where it is saturated,
 * most of the path does, so that it is worth a short way. Where nothing was skipped, there are no
 * ports, the CU has one such pipeline and nobody wants to hear of stretches. */
static void go_along(Walk *walk)
{
    const PsPathBack *back = &walk->back;
    guint32 number = walk->at.record;
    PsPathEvent record = record_at(walk, number);
    const guint pipeline = back->path->bound.all[record.node].pipeline;
    while (record.held) {
        number = find_holder(back, number, pipeline, record.time);
        record = record_at(walk, number);
        charge(walk, PS_PATH_PIPELINE, number, record.time);
    }
    walk->at = (PsLink){number, PS_LINK_PIPELINE};
}

static gboolean can_go_along(const Walk *walk)
{
    const PsMachine *machine = walk->back.path->machine;
    return !walk->told && walk->back.tape->skips->len == 0 && machine->refinements.schedulers == 0;
}

/* What a record waited for. */
static PsLink cause_of(const Walk *walk, guint32 number)
{
    const PsPathEvent record = record_at(walk, number);
    if (record.node == ps_path_launch(walk->back.path))
        return ps_path_launched(&walk->back, number);
    if (record.node == ps_path_end(walk->back.path))
        return ps_path_ended(&walk->back, number);
    if (record.held)
        return ps_path_held(&walk->back, &record, record.time, number);
    const PsPathAsk ask = ps_path_ask(&walk->back, number);
    const PsLink link = ps_path_ready(&walk->back, &ask);
    if (link.how != PS_LINK_NONE)
        return link;
    return (PsLink){ps_path_launch_of(&walk->back, ask.slot, number).record, PS_LINK_LAUNCH};
}

/* From the issue of an instance, a launch or an end. FALSE where the path begins. */
static gboolean go_back(Walk *walk)
{
    const guint32 number = walk->at.record;
    const PsLink link = cause_of(walk, number);
    if (link.how == PS_LINK_NONE)
        return FALSE;
    follow(walk, number, link);
    return TRUE;
}

void ps_path_walk(const PsPathBack *back, PsPathSums *sums, PsPathTold told, gpointer data)
{
    const PsPathTape *tape = back->tape;
    Walk walk = {.back = *back,
                 .sums = sums,
                 .told = told,
                 .data = data,
                 .clock = tape->ended,
                 .time = tape->ended + tape->skipped,
                 .rounds = g_array_new(FALSE, FALSE, sizeof(Round))};
    g_array_set_clear_func(walk.rounds, clear_round);
    const gboolean along = can_go_along(&walk);
    gboolean on = tape->end != PS_NO_RECORD;
    if (on)
        follow(&walk, tape->n_records, ps_path_ended(back, tape->end));
    while (on) {
        const guint32 number = walk.at.record;
        if (walk.at.how == PS_LINK_DONE)
            charge_instance(&walk, number);
        if (along && record_at(&walk, number).held)
            go_along(&walk);
        on = go_back(&walk);
    }
    g_array_unref(walk.rounds);
}
