/* SPDX-License-Identifier: BSD-3-Clause */
/* The atomic operations that programs use most, without a call for each lane. */
#ifndef PIPESIM_PTX_RUN_ATOMIC_USUAL_H
#define PIPESIM_PTX_RUN_ATOMIC_USUAL_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

typedef struct {
    guint8 *const *memory; /* by lane */
    const guint64 *b;      /* by lane: what the operation takes */
    guint64 *to;           /* by lane: gets the old value; NULL: nobody wants it */
    guint32 mask;          /* lanes that execute it, the lowest first */
    gboolean beside;       /* other threads may change the same memory */
    gboolean reads;  /* is set if a lane changes nothing, as a lane does that only wants to read */
    guint64 changes; /* gets the number of changed words, if no other thread may change them */
} PsPtxAtomicLanes;

typedef void (*PsPtxAtomicUsual)(PsPtxAtomicLanes *lanes);

/* The function of an atomic operation; NULL: it is not one of the usual ones. */
PsPtxAtomicUsual ps_ptx_atomic_usual(const char *operation, PsPtxType type);

G_END_DECLS
#endif
