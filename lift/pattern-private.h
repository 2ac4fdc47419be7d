/* SPDX-License-Identifier: BSD-3-Clause */
/* What pattern-table.c and pattern-settle.c share: the patterns of each point. */
#ifndef PIPESIM_LIFT_PATTERN_PRIVATE_H
#define PIPESIM_LIFT_PATTERN_PRIVATE_H

#include "lift/cache.h"

G_BEGIN_DECLS

typedef struct Node Node;
typedef struct Slot Slot;

/* What the group that runs has asked for. */
typedef struct {
    gint64 requests, lanes;
    PsPassed passed;
} Requests;

struct Node {
    PsPattern pattern; /* first, so that its address is that of the node */
    Node *mean;        /* itself: a mean */
    guint number;      /* among all; of no use in a mean */
    const Slot *slot;  /* of its point */
    gint64 strange;    /* accesses of another spread than the first one */
    Requests now;
    gint64 found;      /* sectors of stores that L1 had, as if each group were alone */
    PsTraffic traffic; /* set by ps_patterns_settle */
};

/* An access whose pattern and sectors are known. */
typedef struct {
    Node *node; /* NULL: nothing yet */
    PsPtxSpace space;
    guint bytes;
    const PsPtxWait *wait;
    guint32 mask;
    guint64 offset;                   /* of the first lane in its line */
    guint64 distance[PS_PTX_LANES];   /* of each lane from it */
    guint64 takes_part[PS_PTX_LANES]; /* all bits or none */
    GArray *touches;                  /* PsTouch, lines counted from that one */
} Memory;

/* What is known of one point. */
struct Slot {
    PsAccess access; /* of what it writes to, if it copies */
    gboolean copies; /* from another space to the mnemonic's */
    PsPtxSpace to;
    gboolean keep; /* loads are kept in L1 */
    GPtrArray *nodes;
    GPtrArray *means;
    Node *last;
    Memory memory;
    PsMeetings *meetings; /* of stores and atomics; NULL: none yet */
    PsMeeting meeting;    /* set by ps_patterns_settle; share 0: nowhere */
};

struct PsPatterns {
    const PsPtxCode *code;
    PsPatternRules rules;
    Slot **slots; /* by point */
    GPtrArray *all;
    GPtrArray *means;
    PsGroups *groups;
    PsUnit *unit;
    PsPatternGroup what; /* the group that runs */
    guint n_groups;      /* that began */
    GArray *passed;      /* PsPassed, by pattern: what the unit's groups did */
    PsHitRates rates;
    PsTouches scratch;
};

G_END_DECLS
#endif
