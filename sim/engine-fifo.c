/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the published model. */
#include "sim/stage-fifo.h"
#include "sim/engine-core.h"

gboolean ps_engine_run_fifo(PsEngine *engine)
{
    return run(engine);
}
