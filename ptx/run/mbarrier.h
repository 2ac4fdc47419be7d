/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of asynchronous copies on an mbarrier, and how its instructions are decoded.
 */
#ifndef PIPESIM_PTX_RUN_MBARRIER_H
#define PIPESIM_PTX_RUN_MBARRIER_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

gboolean ps_ptx_mbarrier(PsPtxDecode *decode, PsPtxStep *step);

/* TRUE for steps that test a phase and need not wait for it. */
gboolean ps_ptx_mbarrier_tests(const PsPtxStep *step);

/* A description of the wait of a lane at such a step: the mbarrier, what is still missing there,
 * and the warps that have not arrived. g_free. */
char *ps_ptx_mbarrier_pending(const PsPtxRunner *runner, const PsPtxStep *step, guint lane);

/* A new mbarrier, whose phases so many arrivals complete. */
guint64 ps_ptx_mbarrier_new(guint64 n);

/* Reports so many copied bytes to the mbarrier. */
void ps_ptx_mbarrier_pay(PsPtxWarp *warp, guint8 *memory, guint64 bytes);

/* The same of each lane of mask, whose mbarrier is at that source and offset; counts the bytes as a
 * copy of the warp. FALSE: an access failed. */
typedef struct {
    guint source;
    gint64 offset;
    guint bytes;
} PsPtxPaid;
gboolean ps_ptx_mbarrier_pay_lanes(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                                   const PsPtxPaid *paid);

/* Counts one arrival; FALSE: no arrival is missing. */
gboolean ps_ptx_mbarrier_arrive(PsPtxWarp *warp, guint8 *memory);

G_END_DECLS
#endif
