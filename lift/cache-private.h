/* SPDX-License-Identifier: BSD-3-Clause */
/* What cache-group.c and cache-launch.c share: what groups touched. */
#ifndef PIPESIM_LIFT_CACHE_PRIVATE_H
#define PIPESIM_LIFT_CACHE_PRIVATE_H

#include "lift/cache.h"

G_BEGIN_DECLS

#define PS_NOBODY G_MAXUINT32

/* What a group did to a line: sectors that it fetched, and that it wrote. */
typedef struct {
    guint8 read, written;
    guint32 readers[PS_LINE_SECTORS]; /* pattern that read it first */
    guint32 writers[PS_LINE_SECTORS];
} PsLineUse;

/* Sectors of one pattern that a group did something to first for itself. */
typedef struct {
    gint64 read;   /* fetched */
    gint64 missed; /* of these, those that were asked for */
    gint64 written;
    gint64 only;  /* of these, those not read before */
    gint64 again; /* fetched once more, since L2 lost them */
} PsSums;

/* How many of these sectors groups at a distance touched: sectors that none of the nearer groups
 * asked had touched, and of these, those that the group did. By powers of two of the distance. */
#define PS_DISTANCES 7
typedef struct {
    gint64 left[3][PS_DISTANCES];
    gint64 found[3][PS_DISTANCES];
} PsShared;

/* Of one pattern, all groups together; number is its own among all. */
typedef struct {
    PsSums sums;
    /* set by ps_groups_settle */
    PsShared read, written;       /* of the first of its family, for all of it */
    guint extent;                 /* the buffer that it is in; n_extents: none, or several */
    double own_read, own_written; /* shares that no group before has read, or written */
} PsFootprint;

typedef struct {
    guint group[3];
    PsLines lines;
    GArray *what;    /* PsLineUse, by number */
    GArray *sums;    /* PsSums, by pattern */
    gint64 key;      /* ps_group_key(group) */
    gboolean strewn; /* not among by_key */
} PsLineGroup;

/* Of the launch, in bytes. */
typedef struct {
    double read, written;           /* as the groups' means say */
    double only;                    /* of written: not read before */
    double part_read, part_written; /* of these, what is left where the buffer is smaller */
} PsExtentSum;

struct PsGroups {
    PsPatternRules rules;
    PsLineGroup *now;
    PsCache *l1, *l2;   /* of the group that runs; NULL: none, or without limit */
    GQueue kept;        /* PsLineGroup: those that are over, newest first */
    GHashTable *by_key; /* of kept, less those strewn: ps_group_key -> PsLineGroup */
    guint64 kept_lines; /* of them */
    gint64 n_ended;
    GArray *footprints; /* PsFootprint, by pattern */
    const guint *heads; /* while it settles: the first of each pattern's family */
    /* set by ps_groups_settle */
    gint64 wave[3];       /* how many groups run at the same time, in each direction */
    gint64 reach[3];      /* how many groups on L2 keeps what a group touched, in each direction */
    PsExtentSum *extents; /* by buffer */
    double lost;          /* share of what is read again that L2 does not keep */
};

/* One number for a group's three: as long as y and z are below 2^16, which they are. */
static inline gint64 ps_group_key(const guint group[3])
{
    return (gint64)(((guint64)group[2] << 48) ^ ((guint64)group[1] << 32) ^ group[0]);
}

PsFootprint *ps_footprint_of(const PsGroups *groups, guint number);

G_END_DECLS
#endif
