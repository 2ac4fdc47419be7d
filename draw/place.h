/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds room for texts in a plot area. Everything is in its dots, from its lower left corner. */
#ifndef PIPESIM_DRAW_PLACE_H
#define PIPESIM_DRAW_PLACE_H

#include "draw/draw.h"

/* Lower left corner and size. */
typedef struct {
    double x, y, width, height;
} PsBox;

typedef struct {
    PsXY from, to;
} PsSegment;

typedef enum { PS_ROOM_MARK, PS_ROOM_TEXT } PsRoomThing;

typedef struct {
    double width, height; /* size of the plot area */
    GArray *things[2];    /* PsBox of each PsRoomThing; nothing may cover them */
    GArray *segments;     /* PsSegment: lines; better not covered */
} PsRoom;

void ps_room_init(PsRoom *room);
void ps_room_clear(PsRoom *room);

void ps_room_take(PsRoom *room, PsRoomThing thing, const PsBox *box);

/* Cuts the segment to the box; FALSE if no part of it is inside. */
gboolean ps_segment_cut(PsSegment *segment, const PsBox *box);

/* How bad a place is; 0: nothing is in the way. */
double ps_room_cost(const PsRoom *room, const PsBox *box);

/* The best place near a point for a text of that size. *cost: how bad it is. */
PsBox ps_room_near(const PsRoom *room, PsXY point, double width, double height, double *cost);

#endif
