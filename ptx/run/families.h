/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The families of instructions that touch memory, branch, or wait (PsPtxFamily), and their common
 * parts.
 */
#ifndef PIPESIM_PTX_RUN_FAMILIES_H
#define PIPESIM_PTX_RUN_FAMILIES_H

#include "ptx/step/step.h"

G_BEGIN_DECLS

gboolean ps_ptx_control(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_access(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_address(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_texture(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_atomic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_sync(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_copy(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_matrix(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
/* tensormap.replace and tensormap.cp_fenceproxy */
gboolean ps_ptx_tensor_map(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
/* clusterlaunchcontrol.try_cancel */
gboolean ps_ptx_cancel(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
/* mapa and barrier.cluster, which belong to the family of sync. */
gboolean ps_ptx_mapa(PsPtxDecode *decode, PsPtxStep *step);
gboolean ps_ptx_cluster_barrier(PsPtxDecode *decode, PsPtxStep *step);
/* setmaxnreg, which belongs to that of control. */
gboolean ps_ptx_registers(PsPtxDecode *decode, PsPtxStep *step);
/* Parts of the family of matrices; another, mma, computes. */
gboolean ps_ptx_wgmma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_wgmma_fence(PsPtxDecode *decode, PsPtxStep *step);
gboolean ps_ptx_tcgen05(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_wmma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_matrix_move(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

/* Ends the run with an error at the present point. The message is the place, the thread of that
 * lane and its group, and `format`, which says what is wrong. The first error counts. */
void ps_ptx_fail(PsPtxWarp *warp, const PsPtxStep *step, guint lane, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Checks the addresses of a step, one per lane of mask, of `bytes` each, in space (GENERIC is
 * resolved), tells the listener (of further calls in one step those with as many bytes), and gives
 * a pointer to each lane's bytes. FALSE, with the warp's error set, if one is wrong. */
gboolean ps_ptx_touch(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                      const guint64 address[PS_PTX_LANES], guint bytes,
                      guint8 *memory[PS_PTX_LANES]);

/* Each lane's address of the step's address operand: from[0] + offset. */
void ps_ptx_addresses(const PsPtxWarp *warp, const PsPtxStep *step, guint64 address[PS_PTX_LANES]);

G_END_DECLS
#endif
