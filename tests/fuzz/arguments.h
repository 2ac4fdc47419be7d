/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of fuzzed modules are given. */
#ifndef PIPESIM_TESTS_FUZZ_ARGUMENTS_H
#define PIPESIM_TESTS_FUZZ_ARGUMENTS_H

#include "ptx/run/run.h"

#define BUFFER 1024
#define MOST_ARGUMENTS 32

/* Eight bytes are a buffer, what is shorter a small number. */
static inline guint fill(const PsPtxFunction *kernel, PsPtxArgument *arguments, guint8 *bytes)
{
    const guint n = kernel->params->len;
    for (guint i = 0; i < n && i < MOST_ARGUMENTS; i++) {
        const PsPtxVariable *param = kernel->params->pdata[i];
        arguments[i] = (PsPtxArgument){.name = param->name, .bits = 17};
        if (param->size == 8)
            arguments[i].data = bytes + (gsize)BUFFER * i;
        if (param->size == 8)
            arguments[i].size = BUFFER;
        if (param->size <= 8 || param->size > BUFFER)
            continue;
        arguments[i].bytes = bytes;
        arguments[i].size = param->size;
    }
    return n;
}

#endif
