/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What asynchronous copies do to an mbarrier, and how its instructions are decoded.
 */
#ifndef PIPESIM_PTX_RUN_MBARRIER_H
#define PIPESIM_PTX_RUN_MBARRIER_H

#include "ptx/step/step.h"

G_BEGIN_DECLS

gboolean ps_ptx_mbarrier(PsPtxDecode *decode, PsPtxStep *step);

/* TRUE for steps that test a phase without having to wait for it. */
gboolean ps_ptx_mbarrier_tests(const PsPtxStep *step);

/* Says that so many bytes have been copied. */
void ps_ptx_mbarrier_pay(PsPtxWarp *warp, guint8 *memory, guint64 bytes);

/* Counts one arrival; FALSE: no arrival is missing. */
gboolean ps_ptx_mbarrier_arrive(PsPtxWarp *warp, guint8 *memory);

G_END_DECLS
#endif
