/* SPDX-License-Identifier: BSD-3-Clause */
/* Which points of a kernel are compiled, in which segments, and which rows are read after them. */
#ifndef PIPESIM_PTX_NATIVE_PLAN_H
#define PIPESIM_PTX_NATIVE_PLAN_H

#include "ptx/native/native.h"

G_BEGIN_DECLS

typedef enum {
    PS_NATIVE_STOPS,   /* the caller executes it */
    PS_NATIVE_NOTHING, /* it is only counted */
    PS_NATIVE_STEPS,   /* computed here, or by a step */
    PS_NATIVE_READS,   /* a load ... */
    PS_NATIVE_WRITES,  /* ... and a store */
    PS_NATIVE_ATOMIC,  /* by its step, which accesses memory */
    PS_NATIVE_BRANCHES
} PsNativeKind;

typedef struct {
    const PsPtxNativeSource *source;
    guint8 *kinds;   /* PsNativeKind, by point */
    guint *lengths;  /* by point: length of the segment that begins there, or 0 */
    guint8 *written; /* by slot: 1 if a compiled point writes it */
    gsize words;     /* of a set of slots */
    guint64 *live;   /* by point, a set: slots that are read from there on */
} PsNativePlan;

void ps_native_plan(PsNativePlan *plan, const PsPtxNativeSource *source);
void ps_native_plan_clear(PsNativePlan *plan);

static inline gboolean ps_native_lives(const PsNativePlan *plan, guint point, guint slot)
{
    return (plan->live[point * plan->words + slot / 64] >> slot % 64 & 1) != 0;
}

G_END_DECLS
#endif
