/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls through a pointer. Calls are expanded in place, so such a call becomes one of each function
 * that it may reach, by those lanes whose pointer leads to it.
 */
#ifndef PIPESIM_PTX_CODE_POINTERS_H
#define PIPESIM_PTX_CODE_POINTERS_H

#include "ptx/instruction.h"

G_BEGIN_DECLS

/* Whether it calls what a register leads to. */
gboolean ps_ptx_pointers_calls(const PsPtxInstruction *instruction);

/* Whether it stands for a call through a pointer to one function. */
gboolean ps_ptx_pointers_made(const PsPtxInstruction *instruction);

/* The functions (PsPtxFunction, with bodies; g_ptr_array_unref) that a call through a pointer may
 * reach: those whose address the module takes, in code or in a variable, and that take and give
 * values of the same sizes. */
GPtrArray *ps_ptx_pointers_callees(const PsPtxModule *module, const PsPtxInstruction *call);

/* A copy of the function in which the call through the pointer is left, to test it, and calls of
 * its callees follow, each guarded by a comparison; NULL: there is none. As for loops (swaps.h),
 * `storage` must live as long. Free with ps_ptx_rewrite_free. */
PsPtxFunction *ps_ptx_pointers_expand(const PsPtxModule *module, const PsPtxFunction *function,
                                      GPtrArray *storage);

G_END_DECLS
#endif
