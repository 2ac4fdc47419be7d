/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rolled sequence laid out: its steps one after another, and where loops begin and end. Each step
 * is a spot, which becomes a node of the graph or vanishes. If a sequence occurs twice, each of its
 * steps makes two spots, since a node has one place in a program.
 */
#ifndef PIPESIM_LIFT_VALUES_SPOTS_H
#define PIPESIM_LIFT_VALUES_SPOTS_H

#include "lift/values/facts.h"

G_BEGIN_DECLS

#define PS_NO_SPOT G_MAXUINT

typedef enum { PS_SPOT_STEP, PS_SPOT_LOOP, PS_SPOT_END } PsSpotKind;

/* A dependence: on which spot, and at least how many instances back. */
typedef struct {
    guint on;
    gint64 distance;
    gboolean
        value; /* FALSE: of a barrier or of copies, which are waited for without reading a value */
} PsEdge;

typedef struct {
    PsSpotKind kind;
    PsRole role;
    gboolean partial; /* it writes only some lanes; the register keeps its value in others */
    guint side; /* of a branch that parted lanes: which it lies on, numbered from 1 as they begin;
                   0: on none */
    gboolean alive; /* its result is needed */
    guint point;
    const PsPattern *pattern;
    gboolean off;  /* machine code that issues, though its guard lets no lane execute it: an access,
                      or of a slow unit */
    guint into;    /* the spot that it became part of, or PS_NO_SPOT */
    guint partner; /* PS_SPOT_LOOP: its end; PS_SPOT_END: its loop */
    guint around;  /* spot of the loop that it lies in, or PS_NO_SPOT */
    guint loop;    /* PS_SPOT_LOOP: number of the loop in the code, or PS_PTX_NOWHERE */
    gint64 times;  /* PS_SPOT_LOOP */
    gint64 others; /* iterations of that loop in other runs */
    guint copies;  /* PS_SPOT_LOOP: iterations that its body is */
    gint64 all;    /* PS_SPOT_LOOP, if copies are many or rest is set: iterations of the run */
    gboolean rest; /* PS_SPOT_LOOP: iterations that an unrolled loop leaves, too few for another
                      round; maybe none, since their number may vary */
    gboolean goes_on; /* first step of an iteration to which no branch leads */
    gboolean again;   /* an addition that PsCount is about, in another iteration than the first */
    guint bytes;      /* bytes per lane of all merged accesses; 0: as in the pattern */
    guint degree;     /* degree of conflicts after merging */
    guint hold;       /* cycles that it keeps its warp (R9); 0: its own */
    guint moves;      /* moves of constants to registers before it */
    guint beside;     /* first of the spots that one wider access could replace, with this one; or
                         PS_NO_SPOT */
    guint vector, invariant; /* PsIdgItem */
    GArray *edges;           /* PsEdge, or NULL */
    GArray *reads; /* the same of machine code, in the same body: whose results it reads */
    char *name;
} PsSpot;

typedef struct {
    const PsFacts *facts; /* borrowed */
    GArray *spots;        /* PsSpot */
    guint *order; /* order of the spots in the graph; loops begin and end at the same spots */
} PsSpots;

static inline PsSpot *ps_spot(const PsSpots *spots, guint i)
{
    return &g_array_index(spots->spots, PsSpot, i);
}

static inline const PsFact *ps_spot_is(const PsFacts *facts, const PsSpot *spot)
{
    return spot->off ? &facts->off : &facts->facts[spot->point];
}

static inline const PsFact *ps_spot_fact(const PsSpots *spots, guint i)
{
    return ps_spot_is(spots->facts, ps_spot(spots, i));
}

/* TRUE if the spot becomes one or more nodes. */
static inline gboolean ps_spot_is_node(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    return spot->kind == PS_SPOT_STEP && spot->role == PS_ROLE_NODE && spot->alive;
}

/* TRUE for a step of a loop that makes one iteration of several. */
static inline gboolean ps_spot_is_unrolled(const PsSpots *spots, guint i)
{
    const guint loop = spots->facts->code->points[ps_spot(spots, i)->point].loop;
    return loop != PS_PTX_NOWHERE && spots->facts->unrolled[loop] > 0;
}

/* TRUE if another way leads to the step than from the one before it. */
static inline gboolean ps_spot_leads(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    return !spot->goes_on && spots->facts->code->points[spot->point].leader;
}

/* How often a spot is executed, by the loops around it. */
gint64 ps_spots_times(const PsSpots *spots, guint i);

/* The number of spots that a sequence would make; saturates at G_MAXUINT / 2. */
guint ps_spots_count(const PsRollSequence *sequence);

PsSpots *ps_spots_new(const PsFacts *facts, const PsRollSequence *sequence);
void ps_spots_free(PsSpots *spots);

/* Marks spots where lanes are apart, so that they write only some lanes of a register. */
void ps_spots_find_partial(PsSpots *spots);

/* Finds the dependences of each node. */
void ps_spots_walk(PsSpots *spots);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSpots, ps_spots_free)

G_END_DECLS
#endif
