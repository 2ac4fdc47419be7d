/* SPDX-License-Identifier: BSD-3-Clause */
/* What pattern-table.c and pattern-settle.c share: the patterns of each point. */
#ifndef PIPESIM_LIFT_MEMORY_PATTERN_PRIVATE_H
#define PIPESIM_LIFT_MEMORY_PATTERN_PRIVATE_H

#include "lift/memory/beside.h"
#include "lift/memory/cache.h"

G_BEGIN_DECLS

typedef struct Node Node;
typedef struct Slot Slot;

/* The requests of the present group. */
typedef struct {
    gint64 requests, lanes, wavefronts;
    PsPassed passed;
} Requests;

struct Node {
    PsPattern pattern; /* first, so that its address is the node's address */
    Node *mean;        /* of a mean: itself */
    guint number;      /* number among all patterns; a mean has none */
    const Slot *slot;  /* of its point */
    gint64 strange;    /* accesses whose spread differs from the first one's */
    Requests now;
    gint64 wavefronts; /* of all requests */
    gint64 found;      /* sectors of stores that L1 had, if each group were alone */
    gint64 partial;    /* sectors that requests write in part */
    PsTraffic traffic; /* set by ps_patterns_settle */
};

/* An access whose pattern and sectors are known. */
typedef struct {
    Node *node; /* NULL: none so far */
    PsPtxSpace space;
    guint bytes;
    const PsPtxWait *wait;
    guint32 mask;
    guint wavefronts;
    guint64 offset;                   /* of the first lane's address in its line or word */
    guint64 distance[PS_PTX_LANES];   /* of each lane from the first one */
    guint64 takes_part[PS_PTX_LANES]; /* all bits if the lane takes part, else none */
    GArray *touches;                  /* PsTouch, with lines counted from the first lane's */
    PsLanes lanes;                    /* of global memory */
    PsDemand demand;
} Memory;

#define PS_NO_EXTENT G_MAXUINT

/* The state of one point. */
struct Slot {
    PsAccess access;          /* of a copy: its access to the destination */
    const PsBesides *besides; /* of all points; borrowed */
    gboolean copies;          /* it copies from another space to the mnemonic's */
    PsPtxSpace to;
    gboolean counts;  /* an atomic in shared memory that only counts lanes */
    gboolean keep;    /* L1 keeps what its loads read */
    gboolean no_more; /* nobody needs any more what its loads read of threads' own memory */
    gboolean plain;   /* L1 could keep that, but for the GPU's way to do plain loads */
    guint extent; /* of the rules', in which all that a plain one touched lies; n_extents: several,
                     or none; PS_NO_EXTENT: it touched nothing so far */
    GPtrArray *nodes;
    GPtrArray *means;
    Node *last;
    Memory memory;
    gint64 met, lanes; /* of atomics: sums of PsLanes.meet, and of the lanes that take part */
    gint64 atomics;
    guint64 at; /* the place of the first atomic; elsewhere: another was at another place */
    gboolean elsewhere;
    PsMeetings *meetings; /* of stores and atomics; NULL: none yet */
    PsMeeting meeting;    /* set by ps_patterns_settle; a share of 0: they do not meet */
};

struct PsPatterns {
    const PsPtxCode *code;
    PsPatternRules rules;
    Slot **slots;   /* by point */
    guint8 *joins;  /* by point: ps_joins_new */
    PsCopy *copies; /* by point: ps_copies_new; NULL: no iterations are at once */
    GPtrArray *all;
    GPtrArray *means;
    PsGroups *groups;
    PsUnit *unit;
    PsBesides *besides;
    PsMeetings *meetings; /* of all points */
    guint8 *written;      /* by extent, and of no extent: somebody writes there */
    PsPatternGroup what;  /* what the present group is run for */
    guint n_groups;       /* that began */
    GArray *passed;       /* PsPassed, by pattern: the groups of the compute unit */
    PsWave *wave;         /* NULL: no group only began */
    PsHitRates rates;
    PsDemand demand; /* of the present group */
    PsTouches scratch;
};

/* TRUE if most accesses of the pattern have another spread than the first one. */
static inline gboolean ps_node_mixed(const Node *node)
{
    return 2 * node->strange > node->pattern.requests;
}

/* TRUE if two patterns of a point are of one family (pattern-settle.c). */
static inline gboolean ps_nodes_related(const Node *a, const Node *b)
{
    const gboolean mixed = ps_node_mixed(a);
    return a->pattern.space == b->pattern.space && a->pattern.bytes == b->pattern.bytes &&
           mixed == ps_node_mixed(b) && (mixed || a->pattern.spread == b->pattern.spread);
}

/* What the slot's instruction does in the memory: a copy writes one and loads from the other. */
PsAccess ps_slot_access(const Slot *slot, PsPtxSpace space);

/* ---- additions of one (counting.c) ----------------------------------------------------------- */

/* Whether that atomic adds one and nobody reads its result. */
gboolean ps_point_counts(const PsPtxCode *code, guint point);

/* ---- the read-only path (pattern-read-only.c) ------------------------------------------------ */

/* Notes the destination of a request whose sectors are in `scratch`. */
void ps_patterns_note_extents(PsPatterns *patterns, Slot *slot, PsAccess access);
/* Sets what loads would ask of L2 if L1 kept all of them that are read-only. */
void ps_patterns_find_read_only(PsPatterns *patterns);

G_END_DECLS
#endif
