/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the refinements, in the order of dataflow. */
#include "sim/engine/stage-choose.h"
#include "sim/engine/order-dataflow.h"
#include "sim/engine/engine-core.h"

gboolean ps_engine_run_dataflow(PsEngine *engine, gboolean fast_forward)
{
    return run(engine, fast_forward);
}
