/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions of a function, for any chip.
 */
#include "latency-bench/code/instruction.h"

PsCode *ps_code_new(void)
{
    enum { BYTES_OF_NAMES = 256 };
    PsCode *code = g_new0(PsCode, 1);
    code->instructions = g_array_new(FALSE, FALSE, sizeof(PsInstruction));
    code->names = g_string_chunk_new(BYTES_OF_NAMES);
    return code;
}

void ps_code_free(PsCode *code)
{
    if (!code)
        return;
    g_array_unref(code->instructions);
    g_string_chunk_free(code->names);
    g_free(code);
}
