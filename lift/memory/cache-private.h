/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups touched, which cache-group.c and cache-launch.c share. */
#ifndef PIPESIM_LIFT_MEMORY_CACHE_PRIVATE_H
#define PIPESIM_LIFT_MEMORY_CACHE_PRIVATE_H

#include "lift/memory/cache-popular.h"
#include "lift/memory/cache.h"

G_BEGIN_DECLS

#define PS_NOBODY G_MAXUINT32

/* What a group did to a line: sectors that it fetched, and that it wrote. */
typedef struct {
    guint8 read, written;
    guint8 loaded; /* like read, without sectors that were only fetched along, and by the first loop
                      alone */
    guint32 words; /* written */
    guint32 first; /* pattern that touched the line first */
    guint32 readers[PS_LINE_SECTORS]; /* pattern that read it first */
    guint32 writers[PS_LINE_SECTORS];
} PsLineUse;

/* Sectors of one pattern that a group was the first to read or write for itself. */
typedef struct {
    gint64 read;   /* fetched */
    gint64 missed; /* the part of these that was asked for, not just fetched along */
    gint64 written;
    gint64 lines; /* that it touched first, in any of their sectors */
    gint64 only;  /* of these, those that the group had not read before */
    gint64 torn;  /* of written, those that it neither read nor wrote as a whole */
    gint64 again; /* fetched once more, since L2 lost them */
    gint64 first; /* that the group had not loaded in the same loop */
} PsSums;

/* The number of these sectors, or lines, that groups at a distance touched, too: those that the
 * group at this distance touched and none of the nearer ones; by powers of two of the distance. */
#define PS_DISTANCES 7
typedef struct {
    gint64 left[3][PS_DISTANCES];
    gint64 found[3][PS_DISTANCES];
} PsShared;

/* What one pattern touched in all groups together. */
typedef struct {
    PsSums sums;
    /* set by ps_groups_settle */
    PsShared read, written, lines;  /* of the first of its family, for all of it */
    guint extent;                   /* the buffer that it lies in; n_extents: in none, or several */
    double rows_read, rows_written; /* by sector: rows that are opened for a line alone */
    double own_read, own_written; /* shares of sectors that no earlier group has read, or written */
} PsFootprint;

typedef struct {
    guint group[3];
    PsLines lines;
    GArray *what;    /* PsLineUse, by number */
    GArray *sums;    /* PsSums, by pattern */
    gint64 key;      /* ps_group_key(group) */
    gboolean strewn; /* it is not in by_key */
} PsLineGroup;

/* What the launch moves, in bytes. */
typedef struct {
    double read, written;           /* by the means of the groups */
    double only;                    /* of written: sectors that were not read before */
    double part_read, part_written; /* of these, what is left if the buffer is smaller */
    double touched, size;           /* bytes that are touched, and the different ones among them */
    double lined, room;             /* the same of whole lines, which is what L2 has room for */
    double places;                  /* of a line that are touched at different times */
    gboolean swept;                 /* groups go through it in order (cache-sweep.c), or */
    gboolean chance;                /* they touch it at random (cache-chance.c), */
    gboolean alone;                 /* ... and those near each other share no more than that */
    PsPopular popular;              /* ... and how often each place */
    double whole;                   /* then, bytes of the buffer */
    double lost;                    /* the share of repeated touches that L2 has lost */
} PsExtentSum;

struct PsGroups {
    PsPatternRules rules;
    PsLineGroup *now;
    PsCache *l1, *l2;   /* of the present group; NULL: there is no such cache, or it has no limit */
    guint first_loop;   /* of the present group: the one that loaded first; PS_PTX_NOWHERE: none */
    GPtrArray *again;   /* of the present group: what other loops loaded (cache-again.c) */
    GQueue kept;        /* PsLineGroup: groups that have ended, the latest first */
    GHashTable *by_key; /* those of kept that are not strewn: ps_group_key -> PsLineGroup */
    guint64 kept_lines; /* of them */
    gint64 n_ended;
    GArray *footprints; /* PsFootprint, by pattern */
    const guint *heads; /* while it settles: the first of each pattern's family */
    /* set by ps_groups_settle */
    gint64 wave[3];       /* how many groups run at the same time, in each direction */
    gint64 reach[3];      /* for how many groups in each direction L2 keeps what a group touched */
    PsExtentSum *extents; /* by buffer */
    double spilled;       /* of what the launch touches, the share that L2 has no room for */
};

/* One number for a group's x, y and z: y and z are below 2^16 in every launch. */
static inline gint64 ps_group_key(const guint group[3])
{
    return (gint64)(((guint64)group[2] << 48) ^ ((guint64)group[1] << 32) ^ group[0]);
}

PsFootprint *ps_footprint_of(const PsGroups *groups, guint number);

/* Sets which buffers groups touch at random, by those that were executed. points: of each pattern.
 */
void ps_chance_find(PsGroups *groups, const guint *points);

/* Sets the rows of device memory that each pattern's sectors open for themselves. */
void ps_rows_find(PsGroups *groups);

/* TRUE if the groups that were executed go through a buffer in order, and begin anew at its end. */
gboolean ps_sweep_is(const PsGroups *groups, guint extent);
/* The share of such a buffer that an L2 of so many bytes has lost when a sweep comes back, of which
 * so many bytes of lines are touched on the way round. */
double ps_sweep_lost(double between, double l2);

/* Sectors that loops of one group have loaded; the caller frees it by g_ptr_array_unref. */
GPtrArray *ps_again_new(void);
/* Notes that the loop loads these sectors, and returns those of them that it had not loaded. */
guint ps_again_fresh(GPtrArray *again, guint loop, PsTouch touch);

G_END_DECLS
#endif
