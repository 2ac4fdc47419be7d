/* SPDX-License-Identifier: BSD-3-Clause */
/* LLVM's disassembler, for AMD's code objects. Internal to the library. */
#ifndef PIPESIM_LATENCY_BENCH_OBJDUMP_H
#define PIPESIM_LATENCY_BENCH_OBJDUMP_H

#include "latency-bench/code.h"

/* Reads a function as ps_code_read does. */
PsCode *ps_code_disassemble(GBytes *image, const char *function, const char *disassembler,
                            GError **error);

#endif
