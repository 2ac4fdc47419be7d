/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that decide which ways groups go, as far as they can be computed: shared by
 * samples-decide.c and samples-trips.c. */
#ifndef PIPESIM_LIFT_SAMPLES_DECIDE_H
#define PIPESIM_LIFT_SAMPLES_DECIDE_H

#include "lift/build-private.h"
#include "ptx/run/slice.h"

G_BEGIN_DECLS

/* Classes in parts by numbers of trips. */
#define PS_DECIDE_PARTED 96

typedef struct {
    int number; /* of the slice */
    guint point;
    guint8 what; /* of ps_groups_varying */
    gboolean known;
} PsAsked;

typedef struct {
    PsSamples *samples;
    PsPtxSlice *slice;
    GArray *asked; /* PsAsked */
    guint64 all;   /* groups */
    guint n_warps;
    guint64 spent, budget; /* instructions of 32 threads, */
    guint length;          /* and those of the present decision */
    guint8 *of;            /* the class of each group */
    guint n;               /* classes */
    guint8 *decided;       /* per point: its branch */
    guint32 *trips;        /* of each group, if parts of these make classes; or NULL, */
    guint8 *signs;         /* and whether its first number is less than another */
    double told;           /* their information about the work of the executed groups */
} PsDecide;

/* Parts classes by another number of each group. */
typedef struct {
    guint n, most;
    guint8 old[PS_DECIDE_PARTED];
    guint64 numbers[PS_DECIDE_PARTED];
    guint last;
    guint8 *of;
} PsParting;

/* Puts the group at that place into a part of its class, by that number. FALSE: there are too
 * many. */
gboolean ps_decide_put(PsParting *parting, const guint8 *old, guint64 place, guint64 number);

/* Takes the parts as classes if the cut helped, and frees them. */
gboolean ps_decide_take(PsDecide *decide, PsParting *parting, gboolean good);

/* TRUE if there is time to compute these numbers for at least so many times 32 threads; `spend`
 * repeats the answer after each of these times. */
gboolean ps_decide_has_time(PsDecide *decide, guint64 numbers, guint64 times);
gboolean ps_decide_spend(PsDecide *decide);

/* Parts classes by the part of each group. FALSE: there would be too many, and classes stay as they
 * were. */
gboolean ps_decide_part(PsDecide *decide, const guint8 *parts);

/* TRUE if all numbers are known that decide the branches in question. */
gboolean ps_decide_knows_all(const PsDecide *decide);

/* Cuts classes by numbers of trips, where groups go round loops as often as numbers of their own
 * say, which are too many to be classes. */
void ps_decide_by_trips(PsDecide *decide);

/* The mean trips of the groups of each class (g_free); NULL: classes are not by trips. */
double *ps_decide_mean_trips(const PsDecide *decide);

G_END_DECLS
#endif
