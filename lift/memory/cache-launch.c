/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes, from the sectors that some groups touched, the bytes that the whole launch moves
 * between L2 and device memory.
 *
 * Groups before: a group fetches for the launch what no group before it has. Of the sectors that it
 * touches, a share is touched by the next in direction d, too, a share of the others by the next
 * but one, and so on: found by comparing groups that were executed, on both sides, from near to
 * far. Where not all distances were, one stands for those of its power of two. So a group with i
 * before it in its row fetches the share S(i) that is left, and a row of g groups the mean of S(0)
 * to S(g - 1) of what each touches; the same for rows in a plane, and planes. It holds as far as L2
 * keeps what is touched between a group and the other, and for groups that run at the same time,
 * which ask for the same at about the same time. An L2 of unknown size keeps all. Directions are
 * taken as independent. Where groups that run at the same time share more (cache-wave.c), that
 * counts.
 *
 * All groups: a launch does not fetch more of a buffer than there is, as long as L2 keeps it. Where
 * the above says more, groups far apart read the same (lists, trees, graphs). What is read again is
 * found if L2 has kept it since: a window of the launch, as long as L2 takes to be filled anew, is
 * the same for all buffers, and a sector that is touched k times in a launch, at random, is touched
 * in a window of the share T with the probability 1 - exp(-k T). So a small table that all groups
 * read stays, whatever streams past it. (H. Che, Y. Tung, Z. Wang: Hierarchical Web caching
 * systems: modeling, design and experimental results, 2002; least recently used goes first.)
 *
 * Where groups go through a buffer in order, again and again (cache-sweep.c), what is touched on
 * the way round is known.
 *
 * A buffer that groups touch at random (cache-chance.c) has sectors that the launch touches again
 * and others that it never does, however often it touches one in the mean.
 *
 * Sectors that leave L2 with words that nobody wrote, and that nobody read before, are read first,
 * since device memory takes whole ones. Groups whose sectors meet at their borders complete these.
 * What L2 has room for does not leave it during the launch.
 *
 * L2 has room for so many lines, each with all its sectors, also where one of them alone is ever
 * asked for: a line has one tag. What comes and goes is a sector.
 *
 * What is written reaches device memory, each sector once, also where L2 could keep it: counters of
 * launches that fit in L2 (V100, Nsight Compute) have these bytes. What is written again goes there
 * again where L2 has lost it meanwhile.
 */
#include "lift/memory/cache-private.h"

#include <math.h>
#include <string.h>

#define MOST_BASES 512 /* groups that are compared with others, at most */
#define MOST_OTHERS 16

/* ---- groups before ------------------------------------------------------------------------- */

static guint distance_class(guint distance)
{
    guint class = 0;
    while (distance >>= 1)
        class ++;
    return class;
}

/* Compares a line of a group with the same line of another group at some distance. Among the
 * sectors that no nearer group touched, it counts all and those that the other group touched, and
 * takes these out. */
typedef struct {
    const guint32 *firsts; /* patterns */
    guint *left;           /* bits */
    guint theirs;
    gboolean written;
    guint direction, class;
} Counting;

static void count_one(PsShared *shared, guint direction, guint class, gboolean found)
{
    shared->left[direction][class]++;
    shared->found[direction][class] += found;
}

static void count(const PsGroups *groups, const Counting *counting)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++) {
        if (!(*counting->left >> i & 1))
            continue;
        PsFootprint *footprint = ps_footprint_of(groups, groups->heads[counting->firsts[i]]);
        PsShared *shared = counting->written ? &footprint->written : &footprint->read;
        count_one(shared, counting->direction, counting->class, (counting->theirs >> i & 1) != 0);
    }
    *counting->left &= ~counting->theirs;
}

static guint named(const guint32 first[PS_LINE_SECTORS])
{
    guint sectors = 0;
    for (guint i = 0; i < PS_LINE_SECTORS; i++)
        sectors |= (guint)(first[i] != PS_NOBODY) << i;
    return sectors;
}

/* The other groups of a group's row on one side, from near to far, as long as each power of two of
 * the distance has one. Beyond a gap it is unknown what nearer groups would have left. */
typedef struct {
    const PsLineGroup *groups[MOST_OTHERS];
    guint classes[MOST_OTHERS];
    guint n;
} Others;

static void find_others(const PsGroups *groups, const PsLineGroup *base, guint direction, int step,
                        Others *others)
{
    guint at[3];
    memcpy(at, base->group, sizeof(at));
    others->n = 0;
    for (guint distance = 1; distance < 1U << PS_DISTANCES && others->n < MOST_OTHERS; distance++) {
        at[direction] +=
            (guint)step; /* before group 0 the number wraps around, and no group has it */
        const gint64 key = ps_group_key(at);
        const PsLineGroup *other = g_hash_table_lookup(groups->by_key, &key);
        if (!other)
            continue;
        const guint class = distance_class(distance);
        if (class > (others->n > 0 ? others->classes[others->n - 1] + 1 : 0))
            break;
        others->classes[others->n] = class;
        others->groups[others->n++] = other;
    }
}

static void compare(const PsGroups *groups, const PsLineGroup *base, guint direction,
                    const Others *others)
{
    static const PsLineUse none = {0};
    for (guint i = 0; i < base->what->len; i++) {
        const PsLineUse *use = &g_array_index(base->what, PsLineUse, i);
        PsShared *line = &ps_footprint_of(groups, groups->heads[use->first])->lines;
        guint read = named(use->readers), written = named(use->writers);
        gboolean alone = TRUE;
        for (guint k = 0; k < others->n && (read | written); k++) {
            const PsLineGroup *other = others->groups[k];
            const guint number = ps_lines_find(&other->lines, base->lines.lines[i]);
            const PsLineUse *there =
                number == PS_NO_LINE ? &none : &g_array_index(other->what, PsLineUse, number);
            const guint class = others->classes[k];
            if (alone)
                count_one(line, direction, class, number != PS_NO_LINE);
            alone &= number == PS_NO_LINE;
            count(groups, &(Counting){use->readers, &read, there->read, FALSE, direction, class});
            count(groups,
                  &(Counting){use->writers, &written, there->written, TRUE, direction, class});
        }
    }
}

static void compare_all(const PsGroups *groups)
{
    const guint every = (groups->kept.length + MOST_BASES - 1) / MOST_BASES;
    guint at = 0;
    for (const GList *link = groups->kept.head; link; link = link->next, at++) {
        const PsLineGroup *base = link->data;
        if (at % every != 0 || base->strewn)
            continue;
        for (guint d = 0; d < 3; d++)
            for (int step = -1; step <= 1; step += 2) {
                Others others;
                find_others(groups, base, d, step, &others);
                compare(groups, base, d, &others);
            }
    }
}

/* The mean of S(0) to S(n - 1) if L2 keeps nothing for more than `reach` groups. */
static double mean_left(const PsShared *shared, guint d, gint64 n, gint64 reach)
{
    double left = 1, sum = 1;
    gint64 i = 1;
    for (; i < n && i <= reach && i < 1 << PS_DISTANCES; i++) {
        const guint class = distance_class((guint)i);
        const gint64 of = shared->left[d][class];
        left *= of > 0 ? 1 - (double)shared->found[d][class] / (double)of : 1;
        sum += left;
    }
    return (sum + left * (double)(n - i)) / (double)n;
}

/* The share that is fetched of what a row's groups touch, if L2 keeps it for `reach` groups. A row
 * runs in waves of groups that run at the same time. */
static double part_of(const PsGroups *groups, const PsShared *shared, guint d, gint64 reach)
{
    const gint64 n = groups->rules.grid[d], wave = CLAMP(groups->wave[d], 1, n);
    return MIN(mean_left(shared, d, n, reach), mean_left(shared, d, wave, G_MAXINT64));
}

/* Adds the bytes of the lines that a group, a row of groups, and a plane of rows touch. */
static void add_extents_of(const PsGroups *groups, const PsShared *shared, gint64 lines,
                           double bytes[3])
{
    double touched = (double)lines * PS_LINE / (double)MAX(groups->n_ended, 1);
    for (guint d = 0; d < 3; d++) {
        bytes[d] += touched;
        touched *= part_of(groups, shared, d, G_MAXINT64) * groups->rules.grid[d];
    }
}

/* Finds how many groups run at the same time in each direction: as many as all compute units hold,
 * filled row by row. */
static void find_waves(PsGroups *groups)
{
    gint64 held = (gint64)groups->rules.units * groups->rules.resident;
    for (guint d = 0; d < 3; d++) {
        groups->wave[d] = held;
        held /= groups->rules.grid[d];
    }
}

static void find_reach(PsGroups *groups)
{
    double bytes[3] = {0};
    for (guint i = 0; i < groups->footprints->len; i++) {
        const PsFootprint *head = ps_footprint_of(groups, groups->heads[i]);
        add_extents_of(groups, &head->lines, ps_footprint_of(groups, i)->sums.lines, bytes);
    }
    for (guint d = 0; d < 3; d++)
        groups->reach[d] = groups->rules.l2 == 0 || bytes[d] <= 0
                               ? G_MAXINT64
                               : (gint64)((double)groups->rules.l2 / bytes[d]);
}

static double own_share(const PsGroups *groups, const PsShared *shared)
{
    double share = 1;
    for (guint d = 0; d < 3; d++)
        share *= part_of(groups, shared, d, groups->reach[d]);
    return share;
}

/* ---- buffers ------------------------------------------------------------------------------- */

static void note_extent(const PsGroups *groups, guint number, guint extent)
{
    if (number == PS_NOBODY)
        return;
    guint *of = &ps_footprint_of(groups, number)->extent;
    *of = *of == PS_NOBODY || *of == extent ? extent : groups->rules.n_extents;
}

static void find_extents(const PsGroups *groups)
{
    for (const GList *at = groups->kept.head; at; at = at->next) {
        const PsLineGroup *group = at->data;
        for (guint i = 0; i < group->what->len; i++) {
            const PsLineUse *use = &g_array_index(group->what, PsLineUse, i);
            const guint extent = ps_extent_at(&groups->rules, group->lines.lines[i]);
            for (guint k = 0; k < PS_LINE_SECTORS; k++) {
                note_extent(groups, use->readers[k], extent);
                note_extent(groups, use->writers[k], extent);
            }
        }
    }
}

static PsExtentSum *extent_sum(const PsGroups *groups, const PsFootprint *footprint)
{
    return &groups->extents[MIN(footprint->extent, groups->rules.n_extents)];
}

/* The share of a pattern's reads that no earlier group has made. Where a whole wave was seen to
 * share, that outweighs neighbours: a distance may stand for groups that share less. It does not if
 * groups share things later than their beginnings. */
static double in_launch(const PsGroups *groups, double sectors)
{
    const guint *grid = groups->rules.grid;
    return sectors * PS_SECTOR / (double)MAX(groups->n_ended, 1) * grid[0] * grid[1] * grid[2];
}

/* what groups share by chance counts once, in part_fresh */
static double read_share(const PsGroups *groups, const PsShared *shared, const PsWaveParts *wave,
                         guint pattern)
{
    const double part = wave->parts ? wave->parts[pattern] : 1;
    return wave->whole && part < 1 && wave->alike[pattern] ? part
                                                           : MIN(own_share(groups, shared), part);
}

static void add_to_extents(PsGroups *groups, const PsWaveParts *wave)
{
    for (guint i = 0; i < groups->footprints->len; i++) {
        PsFootprint *footprint = ps_footprint_of(groups, i);
        const PsSums *sums = &footprint->sums;
        PsExtentSum *sum = extent_sum(groups, footprint);
        const PsFootprint *head = ps_footprint_of(groups, groups->heads[i]);
        /* The share of random touches, `turns` for each place, that are the first of their
         * place. */
        const double own_lines = sum->alone ? 1 : own_share(groups, &head->lines);
        footprint->own_read = sum->alone ? 1 : read_share(groups, &head->read, wave, i);
        footprint->own_written = sum->alone ? 1 : own_share(groups, &head->written);
        sum->read += in_launch(groups, (double)sums->read * footprint->own_read);
        sum->written += in_launch(groups, (double)sums->written * footprint->own_written);
        sum->only += in_launch(groups, (double)sums->only * footprint->own_written);
        sum->lined += in_launch(groups, (double)sums->lines * PS_LINE_SECTORS * own_lines);
    }
}

/* The number of touches of each of so many bytes. */
static double part_fresh(const PsExtentSum *sum, double turns)
{
    return turns > 0 ? MIN(ps_popular_seen(&sum->popular, turns) / turns, 1) : 1;
}

static double part_left(const PsExtentSum *sum, double bytes, double most)
{
    if (sum->chance)
        return part_fresh(sum, bytes / most);
    return bytes > most ? most / bytes : 1;
}

/* The bytes of the lines of these bytes, which a launch touches at random. */
static double turns_of(double touched, double bytes)
{
    return bytes > 0 ? touched / bytes : 0;
}

/* Sets the part of L2 that a buffer takes: lines, each of which may hold a single sector. */
static double room_of(const PsExtentSum *sum, double bytes)
{
    return sum->whole * (1 - pow(MAX(1 - bytes / sum->whole, 0), sum->places));
}

/* The bytes that L2 would need to keep everything that the launch touches; sets what remains of
 * each buffer's. */
static void find_room(PsExtentSum *sum)
{
    sum->lined = CLAMP(sum->lined, sum->touched, sum->touched * PS_LINE_SECTORS);
    sum->places = MAX(turns_of(sum->lined, sum->touched), 1);
    sum->room = MIN(sum->lined, sum->whole);
    if (sum->chance)
        sum->room = room_of(sum, sum->size);
    else if (sum->touched > 0)
        sum->places = MAX(turns_of(sum->lined, sum->room) / turns_of(sum->touched, sum->size), 1);
}

/* The bytes that L2 would need to keep all that the launch touches; sets what is left of each
 * buffer's. */
static double limit_extents(const PsGroups *groups)
{
    double all = 0;
    for (guint i = 0; i <= groups->rules.n_extents; i++) {
        PsExtentSum *sum = &groups->extents[i];
        double most = G_MAXDOUBLE;
        if (i < groups->rules.n_extents) {
            const guint64 lines = (groups->rules.extents[i].size + PS_LINE - 1) / PS_LINE;
            most = (double)lines * PS_LINE;
        }
        sum->whole = most;
        sum->part_read = part_left(sum, sum->read, most);
        sum->part_written = part_left(sum, sum->written, most);
        sum->touched = sum->read + sum->only;
        sum->size = sum->touched * part_left(sum, sum->touched, most);
        find_room(sum);
        all += sum->room;
    }
    return all;
}

/* The number of touches of each sector of the buffer. */
static double sector_turns(const PsExtentSum *sum)
{
    return turns_of(sum->touched, sum->chance ? sum->whole : sum->size);
}

/* Bytes of the lines that are touched within that share of the launch. */
static double touched_within(const PsExtentSum *sum, double window)
{
    if (sum->chance)
        return room_of(sum,
                       sum->whole * ps_popular_seen(&sum->popular, sector_turns(sum) * window));
    const double turns = turns_of(sum->lined, sum->room);
    if (sum->swept)
        return sum->room * MIN(turns * window, 1);
    return sum->room * (turns > 1 ? 1 - exp(-turns * window) : window);
}

static double all_touched_within(const PsGroups *groups, double window)
{
    double bytes = 0;
    for (guint i = 0; i <= groups->rules.n_extents; i++)
        bytes += touched_within(&groups->extents[i], window);
    return bytes;
}

/* The share of touches whose sector was not touched in the window before that L2 has lost: of the
 * line's other places, the share `unseen` was not touched in it. Touches of these keep a sector,
 * too. It is found if the touch of the line before was in the window, and of the sector, or of a
 * place and at a time at which the sector would have been found. */
static double lost_with_line(double unseen, double places)
{
    const double line = pow(unseen, places);
    return unseen > 0 ? line / unseen / (line + (1 - line) / places) : 0;
}

/* The share that L2 has lost of random touches: it keeps a place that was touched in the window
 * before, or since the launch began. */
static double lost_by_chance(const PsExtentSum *sum, double turns, double window)
{
    const double fresh = part_fresh(sum, turns);
    const double unseen = 1 - ps_popular_seen(&sum->popular, turns * window);
    const double later =
        ps_popular_fresh(&sum->popular, turns * window) * lost_with_line(unseen, sum->places);
    const double missed = window * part_fresh(sum, turns * window) + (1 - window) * later;
    return fresh < 1 ? CLAMP((missed - fresh) / (1 - fresh), 0, 1) : 0;
}

/* Sets what L2 does not keep of buffers that together exceed it. */
static void find_lost(const PsGroups *groups, double l2)
{
    enum { STEPS = 50 };
    double least = 0, most = 1;
    for (guint step = 0; step < STEPS; step++) {
        const double window = (least + most) / 2;
        *(all_touched_within(groups, window) < l2 ? &least : &most) = window;
    }
    for (guint i = 0; i <= groups->rules.n_extents; i++) {
        PsExtentSum *sum = &groups->extents[i];
        const double turns = sector_turns(sum), fresh = exp(-turns * least);
        const double often = MAX(turns_of(sum->lined, sum->room), 1);
        sum->lost = sum->swept    ? ps_sweep_lost(all_touched_within(groups, 1 / often), l2)
                    : sum->chance ? lost_by_chance(sum, turns, least)
                                  : fresh * lost_with_line(fresh, sum->places);
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

static void begin_again(PsGroups *groups)
{
    for (guint i = 0; i < groups->footprints->len; i++) {
        PsFootprint *footprint = ps_footprint_of(groups, i);
        *footprint = (PsFootprint){.sums = footprint->sums, .extent = PS_NOBODY};
    }
    g_free(groups->extents);
    groups->extents = g_new0(PsExtentSum, groups->rules.n_extents + 1);
}

void ps_groups_settle(PsGroups *groups, const guint *heads, const guint *points,
                      const PsWaveParts *wave)
{
    const double l2 = (double)groups->rules.l2;
    groups->heads = heads;
    begin_again(groups);
    compare_all(groups);
    find_waves(groups);
    find_reach(groups);
    find_extents(groups);
    ps_chance_find(groups, points);
    if (groups->rules.rows)
        ps_rows_find(groups);
    add_to_extents(groups, wave);
    const double all = limit_extents(groups);
    groups->spilled = l2 > 0 && all > l2 ? 1 - l2 / all : 0;
    if (groups->spilled > 0)
        find_lost(groups, l2);
    groups->heads = NULL;
}

/* Sectors that no group writes as a whole. Groups that write a sector together complete it, so at
 * least every second one of these groups comes later. */
static double never_whole(const PsFootprint *footprint)
{
    const double later = (1 - footprint->own_written) * (double)footprint->sums.written;
    return MAX((double)footprint->sums.torn - 2 * later, 0);
}

PsReached ps_groups_reached(const PsGroups *groups, guint number)
{
    if (number >= groups->footprints->len)
        return (PsReached){0};
    const PsFootprint *footprint = ps_footprint_of(groups, number);
    const PsExtentSum *sum = extent_sum(groups, footprint);
    const double once = sum->part_read + (1 - sum->part_read) * sum->lost;
    const double read = footprint->own_read * once;
    const double leaves = sum->part_written + (1 - sum->part_written) * sum->lost;
    const double again = (double)footprint->sums.again;
    PsReached reached = {
        .missed = (double)footprint->sums.missed * read + again,
        .fetched = (double)footprint->sums.read * read + again,
        .written = (double)footprint->sums.written * footprint->own_written * leaves,
        .filled = groups->rules.masked ? 0 : never_whole(footprint) * leaves * groups->spilled,
        .first = (double)footprint->sums.first,
        .part = read,
    };
    reached.rows = reached.fetched * footprint->rows_read +
                   (reached.written + reached.filled) * footprint->rows_written;
    return reached;
}
