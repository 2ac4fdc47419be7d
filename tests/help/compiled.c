/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/compiled.h"

gboolean compiled_wanted(void)
{
    return g_getenv("PIPESIM_TEST_COMPILED") != NULL;
}

PsPtxCompiled *compiled_new(void)
{
    return compiled_wanted() ? ps_ptx_compiled_new(0) : NULL;
}
