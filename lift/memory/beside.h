/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places of a point's accesses to global memory relative to others of the same threads: beside
 * those of another point, going on where the last one of the same point ended, or staying there;
 * and where in a sector they begin. A statement holds for all lanes of every access that was heard
 * of.
 */
#ifndef PIPESIM_LIFT_MEMORY_BESIDE_H
#define PIPESIM_LIFT_MEMORY_BESIDE_H

#include "lift/memory/pattern.h"

G_BEGIN_DECLS

/* Most bytes that a thread loads or stores at once. */
#define PS_WIDEST 16

/* The part of an access that does not depend on its first lane's address. */
typedef struct {
    guint64 shape;   /* a hash of the lanes, and of their distances from the first */
    guint unit;      /* largest power of two, up to PS_WIDEST, that divides all distances */
    gboolean dense;  /* each lane's bytes follow those of the lane before */
    gboolean single; /* there is only one */
    guint meet;      /* most lanes that are at one address */
} PsLanes;

/* distance: of each lane from the first one in the mask. */
PsLanes ps_lanes(guint32 mask, guint bytes, const guint64 distance[PS_PTX_LANES]);

typedef struct {
    guint bytes; /* per lane, of the last access */
    guint other; /* point whose latest access is beside each of this one's; PS_PTX_NOWHERE: there is
                    none */
    gint64 distance;     /* bytes from there to here, less than PS_WIDEST */
    guint unit, low;     /* all lanes' addresses are low, modulo unit, a power of two */
    gint64 stays, walks; /* of all runs of accesses that are at the same address; that follow each
                            other upwards, the first of a run at a multiple of PS_WIDEST: so many at
                            once, or a multiple; 1: none are */
    gboolean dense;      /* every access of more than one lane is dense, and there is one */
    gboolean regular;    /* most accesses are like the last one of the point, at another place */
    guint begins; /* dense: bytes from a multiple of PS_SECTOR to where lane 0's are; PS_SECTOR:
                     that differs from access to access */
    guint extent; /* of the rules', that it lies in; n_extents: several, or none */
} PsBeside;

/* All points. */
typedef struct PsBesides PsBesides;
PsBesides *ps_besides_new(const PsPatternRules *rules, guint n_points);
void ps_besides_free(PsBesides *besides);

/* Between the two a group's accesses. Of one that failed runs that had not ended do not count. */
void ps_besides_begin(PsBesides *besides);
void ps_besides_end(PsBesides *besides);
/* A load, a store or an atomic of global memory. */
void ps_besides_access(PsBesides *besides, const PsPtxEvent *event, gboolean store,
                       const PsLanes *lanes);

/* ---- of a pattern's point (pattern-settle.c) ------------------------------------------------- */

/* NULL: nothing was found. Borrowed. */
const PsBeside *ps_pattern_beside(const PsPattern *pattern);
/* As ps_besides_begin_of. */
guint ps_pattern_begin(const PsPattern *pattern);
/* TRUE if the access's group has loaded at least half of its bytes before. Asked about atomics, and
 * about loads whose addresses could be known beforehand. */
gboolean ps_pattern_is_reused(const PsPattern *pattern);

/* ---- of any point ---------------------------------------------------------------------------- */

/* The findings about a point; NULL: none. Borrowed. */
const PsBeside *ps_besides_of(const PsBesides *besides, guint point);

/* The offset in a sector at which its accesses begin, if another place for the buffer would let all
 * accesses to it begin with a sector: PsBeside.begins, of all dense accesses of this buffer. Else
 * 0. */
guint ps_besides_begin_of(const PsBesides *besides, guint point);

G_END_DECLS
#endif
