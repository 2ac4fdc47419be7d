/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the refinements, in the order of dataflow. */
#include "sim/stage-choose.h"
#include "sim/order-dataflow.h"
#include "sim/engine-core.h"

gboolean ps_engine_run_dataflow(PsEngine *engine, gboolean fast_forward)
{
    return run(engine, fast_forward);
}
