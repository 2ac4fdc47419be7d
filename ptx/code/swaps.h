/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations for which no GPU has an instruction. ptxas makes loops of them, which read the
 * word, compute, and try a compare-and-swap until no other thread came between. Threads that meet
 * at one word go round once more each, so that how often these loops run decides the time.
 */
#ifndef PIPESIM_PTX_CODE_SWAPS_H
#define PIPESIM_PTX_CODE_SWAPS_H

#include "ptx/instruction.h"

G_BEGIN_DECLS

/* TRUE if assemblers make a loop of such an instruction. In shared memory these are all that
 * compute on floating-point numbers or 64 bits; elsewhere single halves; in shared memory of other
 * groups of a cluster singles and doubles, too. If an address may lead to several of these spaces,
 * the code tests which. */
gboolean ps_ptx_swaps(const PsPtxMnemonic *mnemonic);

/* A copy of the function with such loops written out, which shares all else with it; NULL: it has
 * none of these instructions. The texts of the loops join `storage`, a list of PsPtxModule, which
 * must live as long. Free with ps_ptx_rewrite_free. */
PsPtxFunction *ps_ptx_swaps_expand(const PsPtxModule *module, const PsPtxFunction *function,
                                   GPtrArray *storage);
G_END_DECLS
#endif
