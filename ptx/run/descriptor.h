/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices in shared memory that descriptors of 64 bits name, as wgmma reads them.
 *
 * A matrix consists of core matrices: eight rows of 16 bytes. The descriptor states, in multiples
 * of 16 bytes, the distances between core matrices in both directions. With a swizzle, some bits of
 * an address are the exclusive or of them and the three bits above.
 */
#ifndef PIPESIM_PTX_RUN_DESCRIPTOR_H
#define PIPESIM_PTX_RUN_DESCRIPTOR_H

#include "ptx/alu/matrix.h"
#include "ptx/run/run.h"

G_BEGIN_DECLS

/* Bytes of shared memory that repeat a pattern of a swizzle: of 32, 64 or 128 bytes. */
#define PS_PTX_SWIZZLE_ATOM 16

/* The place of a byte that lies at `place` without the swizzle; width: 32, 64, 128, or 0 for none.
 */
static inline guint64 ps_ptx_swizzled(guint64 place, guint width)
{
    return width < 32 ? place : place ^ (place >> 3 & (width - PS_PTX_SWIZZLE_ATOM));
}

/* A factor of a product: `n` rows of A, or columns of B, each a sum over k. */
typedef struct {
    PsPtxElement element;
    guint n, k;
    gboolean across; /* elements of neighbouring n lie together, not those of neighbouring k */
    guint bits; /* of an element, if 16 bytes have 16 of them, the first ones full; 0: they are full
                 */
    const PsPtxMachine *group; /* the machine whose shared memory it is; NULL: the warp's */
} PsPtxFactor;

/* Reads the factor; to[i * n_step + j * k_step] is element j of row i. FALSE, with the warp's error
 * set, where it leaves shared memory. what: "multiplies a matrix A". to NULL: only its place is
 * checked. */
typedef struct {
    double *to;
    gsize n_step, k_step;
} PsPtxFactorTo;
gboolean ps_ptx_descriptor_read(PsPtxWarp *warp, const PsPtxStep *step, guint64 descriptor,
                                const PsPtxFactor *factor, const char *what, PsPtxFactorTo to);

/* descriptor: the descriptor of wgmma with the same meaning as that of tcgen05. Returns what is
 * wrong with it, or NULL. */
const char *ps_ptx_descriptor_of_tensor(guint64 word, guint64 *descriptor);

G_END_DECLS
#endif
