/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables of a module, __constant__ and __device__ in CUDA: what a program copies there before it
 * launches a kernel (cudaMemcpyToSymbol) is given like an argument.
 */
#ifndef PIPESIM_CLI_BUILD_VARIABLES_H
#define PIPESIM_CLI_BUILD_VARIABLES_H

#include "cli/build/options.h"

/* The module's variable in constant or global memory that is called so, or NULL. */
PsPtxVariable *variables_find(const PsPtxModule *module, const char *name);

/* Gives it a value: a number, or a buffer of at most as many bytes (zeros follow). FALSE and *error
 * where it is neither. */
gboolean variables_set(PsPtxModule *module, PsPtxVariable *variable, const char *text,
                       const PsScope *scope, GError **error);

/* Warns of constants that the kernel reads, and that are zeros because nobody gave their values. */
void variables_warn(const BuildOptions *options, const PsPtxModule *module,
                    const PsPtxFunction *kernel);

#endif
