/* SPDX-License-Identifier: BSD-3-Clause */
/* The atomic operations that programs use most, without a call for each lane. */
#ifndef PIPESIM_PTX_RUN_ATOMIC_USUAL_H
#define PIPESIM_PTX_RUN_ATOMIC_USUAL_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

typedef struct {
    guint8 *const *memory; /* by lane */
    const guint64 *b;      /* by lane: what the operation takes */
    guint64 *to;           /* by lane: gets what was there; NULL: nobody wants it */
    guint32 mask;          /* lanes that execute it, the lowest first */
    gboolean beside;       /* other threads may change the same memory */
    gboolean reads;        /* set where a lane changes nothing, as who only wants to read does */
    guint64 changes;       /* gets how many words were changed, where nobody else does */
} PsPtxAtomicLanes;

typedef void (*PsPtxAtomicUsual)(PsPtxAtomicLanes *lanes);

/* NULL: it is another one. */
PsPtxAtomicUsual ps_ptx_atomic_usual(const char *operation, PsPtxType type);

G_END_DECLS
#endif
