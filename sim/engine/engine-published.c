/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the published model. */
#include "sim/engine/stage-fifo.h"
#include "sim/engine/order-dataflow.h"
#include "sim/engine/engine-core.h"

gboolean ps_engine_run_published(PsEngine *engine, gboolean fast_forward)
{
    return run(engine, fast_forward);
}
