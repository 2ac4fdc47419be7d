/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: plan, an engine for each sort of CUs, result. Which engine runs is chosen here. */
#include "sim/engine.h"

static PsEngineRun engine_for(const PsRefinements *refinements)
{
    if (refinements->order == PS_ORDER_PROGRAM)
        return ps_engine_run_program;
    if (refinements->schedulers > 0 || refinements->policy != PS_POLICY_FIFO)
        return ps_engine_run_dataflow;
    return ps_engine_run_published;
}

static gboolean run_engine(PsEngine *engine, const PsSimOptions *options, GError **error)
{
    return engine_for(&engine->plan->machine->refinements)(engine, !options->no_fast_forward) ||
           ps_engine_fail(engine, error);
}

/* Runs one of these CUs, and adds what all of them did to the result. */
static gboolean run_cus(const PsPlan *plan, const PsSimOptions *options, const PsCus *cus,
                        PsSimResult *result, GError **error)
{
    PsEngine engine;
    ps_engine_init(&engine, plan, options, cus);
    const gboolean done = run_engine(&engine, options, error);
    const gint64 ticks = engine.end + engine.base;
    if (ticks > result->ticks) {
        result->ticks = ticks;
        result->skipped_ticks = engine.base;
    }
    result->skips += engine.skips;
    if (done)
        result->instructions += engine.instructions * cus->n;
    ps_engine_clear(&engine);
    return done;
}

/* Runs a CU, which nobody hears, as far as all CUs are alike. */
static gboolean scout(const PsPlan *plan, const PsSimOptions *options, PsCus *sorts, guint *n_sorts,
                      GError **error)
{
    const PsMachine *machine = plan->machine;
    const PsSimOptions silent = {.no_fast_forward = options->no_fast_forward};
    PsEngine engine;
    ps_engine_init(&engine, plan, &silent,
                   &(PsCus){0, (guint)machine->n_cus, machine->launch.groups / machine->n_cus});
    engine.scout = TRUE;
    const gboolean done = run_engine(&engine, &silent, error);
    if (done)
        *n_sorts = ps_cus_part(machine, engine.wave, engine.wanted, sorts);
    ps_engine_clear(&engine);
    return done;
}

/* The sorts of CUs that there are. */
static gboolean sort_cus(const PsPlan *plan, const PsSimOptions *options, PsCus *sorts,
                         guint *n_sorts, GError **error)
{
    const PsMachine *machine = plan->machine;
    const PsLaunch *launch = &machine->launch;
    gint64 all;
    *n_sorts = 1;
    sorts[0] = (PsCus){0, 1, launch->groups_per_cu};
    if (machine->n_cus == 1)
        return TRUE;
    if (__builtin_mul_overflow(plan->group_length, launch->groups, &all)) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the launch issues more than 2^63 warp instructions on all CUs");
        return FALSE;
    }
    if (ps_cus_need_scout(machine))
        return scout(plan, options, sorts, n_sorts, error);
    *n_sorts = ps_cus_part(machine, launch->groups / machine->n_cus, 1, sorts);
    return TRUE;
}

static gboolean run_plan(const PsPlan *plan, const PsSimOptions *options, PsSimResult *result,
                         GError **error)
{
    PsCus sorts[PS_CUS_SORTS];
    guint n_sorts = 0;
    /* Groups without any instruction are done when they are launched, all at time 0. */
    if (plan->group_length == 0)
        return TRUE;
    gboolean done = sort_cus(plan, options, sorts, &n_sorts, error);
    for (guint i = 0; done && i < n_sorts; i++)
        done = run_cus(plan, options, &sorts[i], result, error);
    result->cycles = ps_machine_cycles(plan->machine, result->ticks);
    return done;
}

gboolean ps_sim_run(const PsMachine *machine, const PsSimOptions *options, PsSimResult *result,
                    GError **error)
{
    const PsSimOptions none = {0};
    PsPlan plan;
    *result = (PsSimResult){.cycles = {0, 1}};
    const gboolean done = ps_plan_init(&plan, machine, error) &&
                          run_plan(&plan, options != NULL ? options : &none, result, error);
    ps_plan_clear(&plan);
    return done;
}
