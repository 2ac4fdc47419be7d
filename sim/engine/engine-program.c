/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the refinements, in program order. */
#include "sim/engine/stage-sets.h"
#include "sim/engine/order-program.h"
#include "sim/engine/engine-core.h"

gboolean ps_engine_run_program(PsEngine *engine, gboolean fast_forward)
{
    return run(engine, fast_forward);
}
