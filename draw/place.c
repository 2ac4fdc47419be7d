/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds room for a text: of many places around its point the one that covers least and is nearest.
 * Where all of these cover something, a place in the whole plot area is taken; it covers a mark or
 * a text only where nothing else is free. Texts are placed one after another, and none is moved
 * again. That is good enough for some dozens of texts, and gives the same picture every time.
 */
#include "draw/place.h"

#include <math.h>

/* Costs of a place: to cover a mark; to cover a text; to cross a line; to leave the plot area; to
 * have a leader that crosses a text or a mark, or a line; to stand nearer to another mark than to
 * one's own; and to stand one dot further away. */
#define COST_MARK 100
#define COST_TEXT 600
#define COST_SEGMENT 90
#define COST_OUTSIDE 1000
#define COST_LEADER 80
#define COST_LEADER_LINE 4
#define COST_OTHERS 40
#define COST_DOT 0.25

/* A text this near to its point needs no line to it: dots. */
#define GAP 6

/* Distance between the places that are tried where nothing nearer is free: dots. */
#define STEP 6

/* A line to a text may cross marks this near to its own: dots. */
#define CROWD 8

/* A text this near to another mark seems to belong to that one. */
#define NEXT_TO 14

void ps_room_init(PsRoom *room)
{
    for (guint i = 0; i < G_N_ELEMENTS(room->things); i++)
        room->things[i] = g_array_new(FALSE, FALSE, sizeof(PsBox));
    room->segments = g_array_new(FALSE, FALSE, sizeof(PsSegment));
}

void ps_room_clear(PsRoom *room)
{
    for (guint i = 0; i < G_N_ELEMENTS(room->things); i++)
        g_array_unref(room->things[i]);
    g_array_unref(room->segments);
}

void ps_room_take(PsRoom *room, PsRoomThing thing, const PsBox *box)
{
    g_array_append_vals(room->things[thing], box, 1);
}

/* Narrows the range of t, *enter to *leave, to those for which place + t * step lies between 0 and
 * size. */
static gboolean narrow(double place, double step, double size, double *enter, double *leave)
{
    if (fabs(step) < 1e-12)
        return place > 0 && place < size;
    const double a = -place / step, b = (size - place) / step;
    *enter = MAX(*enter, MIN(a, b));
    *leave = MIN(*leave, MAX(a, b));
    return *enter < *leave;
}

/* Finds which part of the segment is in the box, as shares of its length. FALSE: none is. */
static gboolean inside(const PsSegment *segment, const PsBox *box, double *enter, double *leave)
{
    const PsXY a = segment->from, b = segment->to;
    *enter = 0;
    *leave = 1;
    return narrow(a.x - box->x, b.x - a.x, box->width, enter, leave) &&
           narrow(a.y - box->y, b.y - a.y, box->height, enter, leave);
}

static gboolean meets(const PsSegment *segment, const PsBox *box)
{
    double enter, leave;
    return inside(segment, box, &enter, &leave);
}

gboolean ps_segment_cut(PsSegment *segment, const PsBox *box)
{
    const PsXY a = segment->from, b = segment->to;
    double enter, leave;
    if (!inside(segment, box, &enter, &leave))
        return FALSE;
    if (enter > 0)
        segment->from = (PsXY){a.x + (b.x - a.x) * enter, a.y + (b.y - a.y) * enter};
    if (leave < 1)
        segment->to = (PsXY){a.x + (b.x - a.x) * leave, a.y + (b.y - a.y) * leave};
    return TRUE;
}

static gboolean overlap(const PsBox *a, const PsBox *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static guint crossed(const GArray *segments, const PsBox *box)
{
    guint n = 0;
    for (guint i = 0; i < segments->len; i++)
        n += meets(&g_array_index(segments, PsSegment, i), box) ? 1 : 0;
    return n;
}

static guint covered(const GArray *boxes, const PsBox *box)
{
    guint n = 0;
    for (guint i = 0; i < boxes->len; i++)
        n += overlap(box, &g_array_index(boxes, PsBox, i)) ? 1 : 0;
    return n;
}

static gboolean is_outside(const PsRoom *room, const PsBox *box)
{
    return box->x < 1 || box->y < 1 || box->x + box->width > room->width - 1 ||
           box->y + box->height > room->height - 1;
}

/* TRUE for a place that covers no mark and no text. */
static gboolean is_free(const PsRoom *room, const PsBox *box)
{
    return !is_outside(room, box) && !covered(room->things[PS_ROOM_MARK], box) &&
           !covered(room->things[PS_ROOM_TEXT], box);
}

double ps_room_cost(const PsRoom *room, const PsBox *box)
{
    return COST_MARK * covered(room->things[PS_ROOM_MARK], box) +
           COST_TEXT * covered(room->things[PS_ROOM_TEXT], box) +
           COST_SEGMENT * crossed(room->segments, box) + (is_outside(room, box) ? COST_OUTSIDE : 0);
}

/* TRUE where the point is the middle of the box: then the box is the point's own mark. */
static gboolean is_own(const PsBox *box, PsXY point)
{
    return fabs(box->x + box->width / 2 - point.x) < box->width / 2 &&
           fabs(box->y + box->height / 2 - point.y) < box->height / 2;
}

static double distance(const PsBox *box, PsXY point)
{
    return hypot(point.x - CLAMP(point.x, box->x, box->x + box->width),
                 point.y - CLAMP(point.y, box->y, box->y + box->height));
}

/* TRUE where each of the segments has points on both sides of the other. */
static gboolean cross(const PsSegment *one, const PsSegment *other)
{
    const PsSegment *const both[] = {one, other};
    for (guint i = 0; i < 2; i++) {
        const PsXY a = both[i]->from, b = both[i]->to, c = both[1 - i]->from, d = both[1 - i]->to;
        const double of_c = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        const double of_d = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
        if (of_c * of_d >= 0)
            return FALSE;
    }
    return TRUE;
}

/* The cost of a line from the point to the text where it runs through a text, a mark or a line. */
static double leader_cost(const PsRoom *room, PsXY point, const PsBox *box)
{
    const PsSegment leader = {point, {box->x + box->width / 2, box->y + box->height / 2}};
    double cost = 0;
    for (guint i = 0; i < room->segments->len; i++)
        if (cross(&leader, &g_array_index(room->segments, PsSegment, i)))
            cost += COST_LEADER_LINE;
    for (guint t = 0; t < G_N_ELEMENTS(room->things); t++)
        for (guint i = 0; i < room->things[t]->len; i++) {
            const PsBox *other = &g_array_index(room->things[t], PsBox, i);
            if (meets(&leader, other) && (t == PS_ROOM_TEXT || distance(other, point) > CROWD))
                cost += COST_LEADER;
        }
    return cost;
}

/* The cost of standing beside another mark, for which readers would take the text. */
static double others_cost(const PsRoom *room, PsXY point, const PsBox *box)
{
    const GArray *marks = room->things[PS_ROOM_MARK];
    const double own = distance(box, point);
    double cost = 0;
    for (guint i = 0; i < marks->len; i++) {
        const PsBox *mark = &g_array_index(marks, PsBox, i);
        const PsXY middle = {mark->x + mark->width / 2, mark->y + mark->height / 2};
        if (!is_own(mark, point) && distance(box, middle) < MIN(own + 1, NEXT_TO))
            cost += COST_OTHERS;
    }
    return cost;
}

/* The box of that size in that direction from the point, at that distance. */
static PsBox beside(PsXY point, double width, double height, PsXY direction, double far)
{
    return (PsBox){point.x + direction.x * (far + width / 2) - width / 2,
                   point.y + direction.y * (far + height / 2) - height / 2, width, height};
}

static double cost_near(const PsRoom *room, PsXY point, const PsBox *box)
{
    return ps_room_cost(room, box) + leader_cost(room, point, box) + others_cost(room, point, box) +
           COST_DOT * distance(box, point);
}

/* Finds the best of all free places in the plot area, if there is one. It becomes *best if it is
 * better or *best is not free. */
static void find_free(const PsRoom *room, PsXY point, PsBox *best, double *least)
{
    PsBox box = *best;
    gboolean found = is_free(room, best);
    for (box.y = 1; box.y + box.height < room->height; box.y += STEP)
        for (box.x = 1; box.x + box.width < room->width; box.x += STEP) {
            const double cost = is_free(room, &box) ? cost_near(room, point, &box) : INFINITY;
            if (isinf(cost) || (found && cost >= *least))
                continue;
            found = TRUE;
            *least = cost;
            *best = box;
        }
}

PsBox ps_room_near(const PsRoom *room, PsXY point, double width, double height, double *least)
{
    /* The directions, the most usual place of a label first. */
    static const PsXY directions[] = {
        {1, 0},   {1, 1},    {0, 1},    {-1, 1},    {-1, 0},  {1, -1},   {0, -1},   {-1, -1},
        {0.5, 1}, {-0.5, 1}, {0.5, -1}, {-0.5, -1}, {1, 0.5}, {-1, 0.5}, {1, -0.5}, {-1, -0.5},
        {0.8, 1}, {-0.8, 1}, {0.8, -1}, {-0.8, -1}, {0.2, 1}, {-0.2, 1}, {0.2, -1}, {-0.2, -1}};
    static const double far[] = {GAP, 9,  12, 16, 20,  26,  32,  40,  48,
                                 57,  66, 77, 88, 101, 115, 150, 200, 260};
    PsBox best = {0};
    *least = INFINITY;
    for (guint i = 0; i < G_N_ELEMENTS(far); i++)
        for (guint j = 0; j < G_N_ELEMENTS(directions); j++) {
            const PsBox box = beside(point, width, height, directions[j], far[i]);
            const double cost = cost_near(room, point, &box) + 0.01 * j;
            if (cost < *least) {
                *least = cost;
                best = box;
            }
        }
    if (!is_free(room, &best) || crossed(room->segments, &best))
        find_free(room, point, &best, least);
    return best;
}
