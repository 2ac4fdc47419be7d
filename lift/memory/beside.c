/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See beside.h. The last access is kept for each point and warp. When a point first occurs, the
 * last few points of its warp are searched for one that it may be beside; later accesses only check
 * that.
 */
#include "lift/memory/beside.h"

#include "ptx/code/code.h"

#include <string.h>

#define RECENT 16 /* points of a warp that are searched */

/* A warp's last access at a point in this group. */
typedef struct {
    guint64 first; /* address of the first lane */
    guint64 shape;
    guint count, stays, walks; /* accesses: all, those in a row at one address, in a walk */
} Last;

typedef struct {
    PsBeside found;
    gboolean store;
    gboolean heard;         /* in an earlier group, or in this one */
    gboolean several;       /* accesses of several lanes */
    guint64 shape;          /* shape of the last access */
    gint64 accesses, alike; /* accesses, and those that equal the one before */
    GArray *last;           /* Last, by warp */
} Point;

typedef struct {
    guint points[RECENT];
    guint n;
} Recent;

struct PsBesides {
    PsPatternRules rules;
    guint n_points;
    Point **points;
    GArray *recent; /* Recent, by warp */
};

#define BUCKETS 64

static guint64 mix(guint64 a, guint64 b)
{
    const guint64 mixed = (a ^ b) * G_GUINT64_CONSTANT(0xff51afd7ed558ccd);
    return mixed ^ mixed >> 32;
}

/* The most lanes at one distance. Each distance has the first free bucket from its own on. */
static guint most_at_one(guint32 mask, const guint64 distance[PS_PTX_LANES])
{
    guint64 keys[BUCKETS];
    guint8 counts[BUCKETS] = {0};
    guint most = 0;
    for (guint32 rest = mask; rest; rest &= rest - 1) {
        const guint64 key = distance[__builtin_ctz(rest)];
        guint at = (guint)(mix(0, key) % BUCKETS);
        while (counts[at] && keys[at] != key)
            at = (at + 1) % BUCKETS;
        keys[at] = key;
        counts[at]++;
        most = MAX(most, counts[at]);
    }
    return most;
}

PsLanes ps_lanes(guint32 mask, guint bytes, const guint64 distance[PS_PTX_LANES])
{
    PsLanes lanes = {.shape = mask * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15),
                     .dense = TRUE,
                     .single = (mask & (mask - 1)) == 0};
    guint64 any = PS_WIDEST;
    const guint first = (guint)__builtin_ctz(mask);
    for (guint32 rest = mask; rest; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        any |= distance[lane];
        lanes.dense = lanes.dense && distance[lane] == (guint64)(lane - first) * bytes;
        lanes.shape = mix(lanes.shape, distance[lane]);
    }
    lanes.unit = (guint)(any & -any);
    lanes.meet = most_at_one(mask, distance);
    return lanes;
}

PsBesides *ps_besides_new(const PsPatternRules *rules, guint n_points)
{
    PsBesides *besides = g_new0(PsBesides, 1);
    besides->rules = *rules;
    besides->n_points = n_points;
    besides->points = g_new0(Point *, MAX(n_points, 1));
    besides->recent = g_array_new(FALSE, TRUE, sizeof(Recent));
    return besides;
}

void ps_besides_free(PsBesides *besides)
{
    if (!besides)
        return;
    for (guint i = 0; i < besides->n_points; i++) {
        if (besides->points[i])
            g_array_unref(besides->points[i]->last);
        g_free(besides->points[i]);
    }
    g_free(besides->points);
    g_array_unref(besides->recent);
    g_free(besides);
}

static Point *point_of(PsBesides *besides, const PsPtxEvent *event, gboolean store)
{
    Point *point = besides->points[event->point];
    if (point)
        return point;
    point = besides->points[event->point] = g_new0(Point, 1);
    point->store = store;
    point->found = (PsBeside){.other = PS_PTX_NOWHERE, .unit = PS_WIDEST, .extent = G_MAXUINT};
    point->last = g_array_new(FALSE, TRUE, sizeof(Last));
    return point;
}

static Last *last_of(const Point *point, guint warp)
{
    if (warp >= point->last->len)
        g_array_set_size(point->last, warp + 1);
    return &g_array_index(point->last, Last, warp);
}

static Recent *recent_of(const PsBesides *besides, guint warp)
{
    if (warp >= besides->recent->len)
        g_array_set_size(besides->recent, warp + 1);
    return &g_array_index(besides->recent, Recent, warp);
}

/* ---- beside another point ------------------------------------------------------------------ */

/* An access that is about to be noted. */
typedef struct {
    guint64 first, shape;
    guint warp, bytes;
    guint count; /* earlier accesses of its point and warp */
    gboolean store;
} Access;

/* Bytes from the other point's latest access, which occurred once since then, to this one; 0: they
 * are not adjacent. */
static gint64 distance_from(const Point *other, const Access *access)
{
    const Last *last = last_of(other, access->warp);
    const gint64 distance = (gint64)(access->first - last->first);
    const gboolean near = ABS(distance) < PS_WIDEST && distance % (gint64)access->bytes == 0;
    return near && last->shape == access->shape && last->count == access->count + 1 &&
                   other->store == access->store && other->found.bytes == access->bytes
               ? distance
               : 0;
}

static void look_for_other(PsBesides *besides, PsBeside *found, const Access *access)
{
    const Recent *recent = recent_of(besides, access->warp);
    for (guint i = recent->n; i > 0 && recent->n - i < RECENT && !found->distance; i--) {
        const guint other = recent->points[(i - 1) % RECENT];
        found->distance = distance_from(besides->points[other], access);
        found->other = found->distance ? other : PS_PTX_NOWHERE;
    }
}

static void check_other(PsBesides *besides, Point *point, const Access *access)
{
    PsBeside *found = &point->found;
    if (!point->heard)
        look_for_other(besides, found, access);
    else if (found->other != PS_PTX_NOWHERE &&
             distance_from(besides->points[found->other], access) != found->distance)
        found->other = PS_PTX_NOWHERE;
}

/* ---- one after the other ------------------------------------------------------------------- */

static gint64 common(gint64 a, gint64 b)
{
    while (b) {
        const gint64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void end_runs(PsBeside *found, const Last *last)
{
    if (last->stays)
        found->stays = common(found->stays, last->stays);
    if (last->walks)
        found->walks = common(found->walks, last->walks);
}

/* A walk that starts elsewhere is one of single steps. */
static void count_runs(PsBeside *found, Last *last, const Access *access, guint unit)
{
    const gboolean same = last->count > 0 && last->shape == access->shape;
    if (same && access->first == last->first) {
        last->stays++;
    } else {
        if (last->stays)
            found->stays = common(found->stays, last->stays);
        last->stays = 1;
    }
    if (same && access->first == last->first + access->bytes) {
        last->walks++;
        return;
    }
    if (last->walks)
        found->walks = common(found->walks, last->walks);
    last->walks = 1;
    if (unit < PS_WIDEST || access->first % PS_WIDEST != 0)
        found->walks = 1;
}

/* ---- places -------------------------------------------------------------------------------- */

static void note_low(PsBeside *found, gboolean heard, guint64 first, guint unit)
{
    if (!heard)
        found->low = (guint)(first % PS_WIDEST);
    found->unit = MIN(found->unit, unit);
    while (found->unit > 1 && (first ^ found->low) % found->unit != 0)
        found->unit /= 2;
    found->low %= found->unit;
}

static void note_begin(PsBeside *found, gboolean heard, guint64 lane0)
{
    const guint begins = (guint)(lane0 % PS_SECTOR);
    found->begins = !heard || found->begins == begins ? begins : PS_SECTOR;
}

static void note_shape(Point *point, guint64 shape)
{
    point->alike += point->accesses++ > 0 && point->shape == shape;
    point->shape = shape;
    point->found.regular = 2 * point->alike >= point->accesses - 1;
}

static void note_dense(Point *point, const PsLanes *lanes)
{
    if (lanes->single)
        return;
    point->found.dense = lanes->dense && (point->found.dense || !point->several);
    point->several = TRUE;
}

static void note_extent(const PsPatternRules *rules, PsBeside *found, guint64 address)
{
    guint i = found->extent < rules->n_extents ? found->extent : 0;
    while (i < rules->n_extents && (address < rules->extents[i].address ||
                                    address - rules->extents[i].address >= rules->extents[i].size))
        i++;
    if (found->extent == G_MAXUINT || found->extent != i)
        found->extent = found->extent == G_MAXUINT ? i : rules->n_extents;
}

/* ---- accesses ------------------------------------------------------------------------------ */

void ps_besides_access(PsBesides *besides, const PsPtxEvent *event, gboolean store,
                       const PsLanes *lanes)
{
    Point *point = point_of(besides, event, store);
    PsBeside *found = &point->found;
    Last *last = last_of(point, event->warp);
    const guint lane = (guint)__builtin_ctz(event->mask);
    const Access access = {event->address[lane], lanes->shape, event->warp,
                           event->bytes,         last->count,  store};
    check_other(besides, point, &access);
    count_runs(found, last, &access, lanes->unit);
    note_low(found, point->heard, access.first, lanes->unit);
    note_begin(found, point->heard, access.first - (guint64)lane * event->bytes);
    if (!point->heard || found->extent < besides->rules.n_extents)
        note_extent(&besides->rules, found, access.first);
    note_dense(point, lanes);
    found->bytes = event->bytes;
    note_shape(point, lanes->shape);
    point->heard = TRUE;
    *last = (Last){access.first, access.shape, last->count + 1, last->stays, last->walks};
    Recent *recent = recent_of(besides, event->warp);
    recent->points[recent->n++ % RECENT] = event->point;
}

void ps_besides_begin(PsBesides *besides)
{
    for (guint i = 0; i < besides->n_points; i++)
        if (besides->points[i])
            g_array_set_size(besides->points[i]->last, 0);
    g_array_set_size(besides->recent, 0);
}

void ps_besides_end(PsBesides *besides)
{
    for (guint i = 0; i < besides->n_points; i++) {
        Point *point = besides->points[i];
        for (guint w = 0; point && w < point->last->len; w++)
            end_runs(&point->found, &g_array_index(point->last, Last, w));
    }
    ps_besides_begin(besides);
}

const PsBeside *ps_besides_of(const PsBesides *besides, guint point)
{
    return point < besides->n_points && besides->points[point] ? &besides->points[point]->found
                                                               : NULL;
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* TRUE if one alignment of their buffer makes both begin at a sector: if they begin at the same
 * byte, or, for rows that begin anywhere, if they are not bytes apart in the same row. */
static gboolean agree(const PsBeside *a, const PsBeside *b)
{
    return a->begins == b->begins &&
           (a->begins < PS_SECTOR || (a->other == PS_PTX_NOWHERE && b->other == PS_PTX_NOWHERE));
}

guint ps_besides_begin_of(const PsBesides *besides, guint point)
{
    const PsBeside *one = ps_besides_of(besides, point);
    if (!one || !one->dense || one->extent >= besides->rules.n_extents)
        return 0;
    for (guint i = 0; i < besides->n_points; i++) {
        const PsBeside *other = ps_besides_of(besides, i);
        if (!other || i == point || !other->dense || other->extent != one->extent)
            continue;
        if (!agree(one, other))
            return 0;
    }
    return one->begins;
}
