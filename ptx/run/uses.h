/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The uses of a kernel's parameters, as far as its code tells: addresses, whether the data there
 * decide branches, and numbers that are compared with a thread's place.
 */
#ifndef PIPESIM_PTX_RUN_USES_H
#define PIPESIM_PTX_RUN_USES_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* The use of a number; later ones tell more. */
typedef enum {
    PS_PTX_USE_NONE,
    PS_PTX_USE_ADDRESS, /* it is part of an address */
    PS_PTX_USE_LOOP,    /* it is compared with something that follows from no place */
    PS_PTX_USE_MEMBERS, /* it is compared with a thread's place in its group alone */
    PS_PTX_USE_STRIDE,  /* a row, column or plane is multiplied by it */
    PS_PTX_USE_GROUPS,  /* it is compared with a group's place */
    PS_PTX_USE_THREADS  /* it is compared with a thread's place */
} PsPtxUseKind;

/* One parameter. */
typedef struct {
    gboolean fraction; /* arithmetic of fractions reads it */
    /* of a number */
    PsPtxUseKind kind;
    guint directions; /* bit d: of the place in direction d */
    gboolean loops;   /* a loop that knows no place goes by it, whatever the kind */
    gint64 step;      /* the place counts so many from a thread to the next one, at least 1 */
    gint64 apart; /* of a thread's place in one direction: so many from a group to the next one, or
                     0: as many as the group has threads */
    double times; /* the place is held against the number times this, above 0 */
    /* of an address */
    gboolean pointer, loaded, stored;
    PsPtxType type;    /* of the first load there, NO_TYPE: there is none */
    gboolean indexes;  /* a loaded value becomes part of an address */
    gboolean branches; /* a loaded value decides a branch */
    guint loop;        /* the point of the code where it ends a loop, or PS_PTX_NOWHERE */
    guint chased;      /* the point where it is an address by itself, or PS_PTX_NOWHERE */
} PsPtxUse;

typedef struct {
    guint n;          /* parameters of the kernel */
    PsPtxUse *params; /* g_free */
    guint block[3];   /* threads of a group that the code has as a number, or 0 */
    guint room[3]; /* threads of a group that its shared memory has places for, or 0: not known */
    gboolean place[3]; /* the kernel reads the thread's place in this direction */
} PsPtxUses;

/* Most parameters that a kernel may have to be looked at. */
#define PS_PTX_MOST_USES 64

/* Follows the values of parameters through the code, which has so many bytes of dynamic shared
 * memory. FALSE and *error (PS_ERROR_LIMIT) if the code is too large. Takes time in proportion to
 * points times registers. */
gboolean ps_ptx_uses(const PsPtxCode *code, guint64 dynamic, PsPtxUses *uses, GError **error);

G_END_DECLS

#endif
