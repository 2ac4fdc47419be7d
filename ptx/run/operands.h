/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoding of steps: decode.c goes through the points of the code, operands.c makes slots of their
 * operands.
 */
#ifndef PIPESIM_PTX_RUN_OPERANDS_H
#define PIPESIM_PTX_RUN_OPERANDS_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

struct PsPtxDecoder {
    PsPtxMachine *machine;
    guint *slot_of;                    /* register of the code -> slot + 1 */
    GHashTable *constants;             /* value (gint64 *) -> slot + 1 */
    guint specials[PS_PTX_N_SPECIALS]; /* slot + 1 */
    guint sink;                        /* slot + 1 */
    GArray *before;                    /* PsPtxBefore of the present step */
    GHashTable *families;              /* PsPtxMnemonic -> number of its family */
};

guint ps_ptx_register_slot(struct PsPtxDecoder *decoder, guint reg);

G_END_DECLS
#endif
