/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables of a module: __constant__ and __device__ in CUDA. A program fills them before it
 * launches a kernel (cudaMemcpyToSymbol); a user gives their content like an argument.
 */
#ifndef PIPESIM_LAUNCH_VARIABLES_H
#define PIPESIM_LAUNCH_VARIABLES_H

#include "idg/expr.h"
#include "ptx/ptx.h"

/* The module's variable of that name in constant or global memory, or NULL. */
PsPtxVariable *ps_variables_find(const PsPtxModule *module, const char *name);

/* Gives the variable a value: a number, or a buffer of at most as many bytes (zeros follow). FALSE
 * and *error, which begins with `what`, if it is neither. */
gboolean ps_variables_set(PsPtxModule *module, PsPtxVariable *variable, const char *what,
                          const char *text, const PsScope *scope, GError **error);

/* Warns of constants that the kernel reads, and of variables that it only reads, which are zeros
 * because nobody gave their values; `word` is what the user calls an argument. */
void ps_variables_warn(const PsPtxModule *module, const PsPtxFunction *kernel, const char *word,
                       GPtrArray *warnings);

/* Warns of these (PsPtxVariable), which are zeros because nobody gave their values; `which` names
 * them, "constants that the host sets". Warns of nothing if there are none. */
void ps_variables_warn_of(const GPtrArray *variables, const char *which, const char *word,
                          GPtrArray *warnings);

#endif
