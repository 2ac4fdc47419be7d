/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/compiled.h"

PsPtxCompiled *compiled_new(void)
{
    return g_getenv("PIPESIM_TEST_COMPILED") ? ps_ptx_compiled_new(0) : NULL;
}
