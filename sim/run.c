/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: plan, engine, result. Which engine runs is chosen here. */
#include "sim/engine.h"

static PsEngineRun engine_for(const PsRefinements *refinements)
{
    if (refinements->order == PS_ORDER_PROGRAM)
        return ps_engine_run_program;
    if (refinements->schedulers > 0 || refinements->policy != PS_POLICY_FIFO)
        return ps_engine_run_dataflow;
    return ps_engine_run_published;
}

gboolean ps_sim_run(const PsMachine *machine, const PsSimOptions *options, PsSimResult *result,
                    GError **error)
{
    PsPlan plan;
    *result = (PsSimResult){.cycles = {0, 1}};
    if (!ps_plan_init(&plan, machine, error)) {
        ps_plan_clear(&plan);
        return FALSE;
    }
    gboolean done = TRUE;
    /* Groups without any instruction are done when they are launched, all at time 0. */
    if (plan.group_length > 0) {
        PsEngine engine;
        ps_engine_init(&engine, &plan, options);
        done = engine_for(&machine->refinements)(&engine,
                                                 options == NULL || !options->no_fast_forward) ||
               ps_engine_fail(&engine, error);
        result->ticks = engine.end + engine.base;
        result->cycles = ps_machine_cycles(machine, result->ticks);
        result->instructions = engine.instructions;
        result->skips = engine.skips;
        result->skipped_ticks = engine.base;
        ps_engine_clear(&engine);
    }
    ps_plan_clear(&plan);
    return done;
}
