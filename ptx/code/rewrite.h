/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A copy of a function in which some instructions are written as several others.
 */
#ifndef PIPESIM_PTX_CODE_REWRITE_H
#define PIPESIM_PTX_CODE_REWRITE_H

#include "ptx/instruction.h"

G_BEGIN_DECLS

typedef struct PsPtxRewrite PsPtxRewrite;
struct PsPtxRewrite {
    const PsPtxModule *module;
    GPtrArray *storage; /* PsPtxModule, which own what new instructions are made of */
    gboolean (*replaces)(const PsPtxRewrite *rewrite, const PsPtxInstruction *instruction);
    /* Appends to the function what stands for the instruction, and new registers; what it needs
     * joins `storage`, which must have a module then. */
    void (*put)(const PsPtxRewrite *rewrite, PsPtxFunction *to,
                const PsPtxInstruction *instruction);
};

/* The copy, which shares all else with the function and needs `storage` as long as it lives; NULL:
 * nothing is replaced. */
PsPtxFunction *ps_ptx_rewrite(const PsPtxRewrite *rewrite, const PsPtxFunction *function);
/* Frees what the copy does not share. */
void ps_ptx_rewrite_free(gpointer function);

G_END_DECLS
#endif
