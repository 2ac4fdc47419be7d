/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are compiled at once, so that what tests know of the executor is asked of them. */
#ifndef PIPESIM_TESTS_HELP_COMPILED_H
#define PIPESIM_TESTS_HELP_COMPILED_H

#include "ptx/run/compiled.h"

/* PIPESIM_TEST_COMPILED is set. */
gboolean compiled_wanted(void);

/* NULL, unless they are wanted. Free with ps_ptx_compiled_free. */
PsPtxCompiled *compiled_new(void);

#endif
