/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the refinements, in program order, for more warps than a set holds. */
#include "sim/engine/stage-choose.h"
#include "sim/engine/order-program.h"
#include "sim/engine/engine-core.h"

gboolean ps_engine_run_crowd(PsEngine *engine, gboolean fast_forward)
{
    return run(engine, fast_forward);
}
