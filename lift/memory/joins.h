/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads of global memory that a warp issues one behind the other, none waiting for another's data.
 * A sector that one of them misses is on its way when the others need it. So L1 fetches it once,
 * whatever other warps load meanwhile.
 */
#ifndef PIPESIM_LIFT_MEMORY_JOINS_H
#define PIPESIM_LIFT_MEMORY_JOINS_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* By point: TRUE for a load that is issued without waiting for the loads before it in its basic
 * block, up to the last one that waits. Machine code is in order, so whatever reads a result waits;
 * in PTX an assembler still has loads before what reads them, unless their address follows from it,
 * or something writes to memory between. Free with g_free. */
guint8 *ps_joins_new(const PsPtxCode *code);

/* Whether the instruction is a load of global memory; whether it orders all memory, as barriers and
 * fences do; and whether it writes to global memory. */
gboolean ps_joins_is_load(const PsPtxMnemonic *mnemonic);
gboolean ps_joins_orders(const PsPtxMnemonic *mnemonic);
gboolean ps_joins_writes(const PsPtxMnemonic *mnemonic);

G_END_DECLS
#endif
