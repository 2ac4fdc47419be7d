/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: a plan, an engine for each sort of CUs, a result. The engine is chosen here. */
#include "sim/engine/estimate.h"

#include <math.h>

static PsEngineRun engine_for(const PsPlan *plan)
{
    const PsRefinements *refinements = &plan->machine->refinements;
    const PsLaunch *launch = &plan->machine->launch;
    const gint64 choosers =
        refinements->schedulers > 0 ? refinements->schedulers : plan->n_pipelines;
    const gint64 sharing = MAX(refinements->schedulers, 1) * PS_SET_SIZE;
    const gboolean few = choosers <= PS_SET_SIZE && plan->n_pipelines < PS_SET_SIZE &&
                         launch->active_groups * launch->warps_per_group <= sharing;
    if (refinements->order == PS_ORDER_PROGRAM)
        return few ? ps_engine_run_program : ps_engine_run_crowd;
    /* With levels, issues of different pipelines meet at servers: no pipeline may run ahead. */
    if (refinements->schedulers > 0 || refinements->policy != PS_POLICY_FIFO || refinements->levels)
        return ps_engine_run_dataflow;
    return ps_engine_run_published;
}

typedef struct {
    const PsPlan *plan;
    const PsSimOptions *options;
    PsSimResult *result;
    gint64 left;    /* instructions that may still be simulated */
    gint64 latest;  /* upper end of the interval in which all groups have ended */
    gint64 scouted; /* instructions of the runs that found where CUs differ */
} Run;

static gboolean run_engine(Run *run, PsEngine *engine, GError **error)
{
    const PsEngineRun run_to_end = engine_for(run->plan);
    engine->limit = run->left / engine->cus.n;
    engine->cancel = run->options->cancel;
    engine->most = -1; /* the caller looks before it begins */
    engine->before = run->result->simulated + run->scouted;
    engine->eager = run->options->n_listeners == 0 && run->options->most_instructions == 0;
    if (run_to_end(engine, !run->options->no_fast_forward))
        return TRUE;
    run->result->stopped = !engine->cancelled && engine->simulated > engine->limit;
    return ps_engine_fail(engine, error);
}

/* Runs one of these CUs, and adds the work of all of them to the result. */
static gboolean run_cus(Run *run, const PsCus *cus, GError **error)
{
    PsSimResult *result = run->result;
    PsEngine engine;
    ps_engine_init(&engine, run->plan, run->options, cus);
    const gboolean done = run_engine(run, &engine, error);
    const gint64 ticks = engine.end + engine.base;
    if (ticks > result->ticks) {
        result->ticks = ticks;
        result->skipped_ticks = engine.base;
        result->estimated_ticks = engine.estimated;
    }
    /* CUs that may end later than the last one share this upper bound. */
    const gint64 most = PS_MAX_TIME;
    const double half_width = ps_estimate_half_width(&engine);
    const gint64 late = ticks + (gint64)ceil(MIN(half_width, (double)most));
    run->latest = MAX(run->latest, late);
    result->half_width = run->latest - result->ticks;
    result->skips += engine.skips;
    if (done) {
        result->instructions += engine.instructions * cus->n;
        result->simulated += engine.simulated;
        run->left -= engine.simulated * cus->n;
    }
    ps_engine_clear(&engine);
    return done;
}

/* Runs a CU without listeners, for as long as all CUs are alike. */
static gboolean scout(Run *run, PsCus *sorts, guint *n_sorts, GError **error)
{
    const PsMachine *machine = run->plan->machine;
    PsEngine engine;
    PsSimOptions options = *run->options;
    options.n_listeners = 0;
    options.whole_from = options.whole_to = 0;
    ps_engine_init(&engine, run->plan, &options,
                   &(PsCus){0, (guint)machine->n_cus, machine->launch.groups / machine->n_cus});
    engine.scout = TRUE;
    const gboolean done = run_engine(run, &engine, error);
    if (done)
        *n_sorts = ps_cus_part(machine, engine.wave, engine.wanted, sorts);
    run->scouted = engine.simulated;
    ps_engine_clear(&engine);
    return done;
}

/* Sorts CUs by what they do. */
static gboolean sort_cus(Run *run, PsCus *sorts, guint *n_sorts, GError **error)
{
    const PsMachine *machine = run->plan->machine;
    const PsLaunch *launch = &machine->launch;
    gint64 all;
    *n_sorts = 1;
    sorts[0] = (PsCus){0, 1, launch->groups_per_cu};
    if (machine->n_cus == 1)
        return TRUE;
    if (__builtin_mul_overflow(run->plan->group_length, launch->groups, &all)) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the launch issues more than 2^63 warp instructions on all CUs");
        return FALSE;
    }
    if (ps_cus_need_scout(machine))
        return scout(run, sorts, n_sorts, error);
    *n_sorts = ps_cus_part(machine, launch->groups / machine->n_cus, 1, sorts);
    return TRUE;
}

static gboolean run_plan(Run *run, GError **error)
{
    PsCus sorts[PS_CUS_SORTS];
    guint n_sorts = 0;
    /* Groups without instructions end when they are launched, all at time 0. */
    if (run->plan->group_length == 0)
        return TRUE;
    gboolean done = sort_cus(run, sorts, &n_sorts, error);
    for (guint i = 0; done && i < n_sorts; i++)
        done = run_cus(run, &sorts[i], error);
    if (run->result->instructions == 0) /* a kind of groups without instructions */
        run->result->ticks = 0;
    run->result->cycles = ps_machine_cycles(run->plan->machine, run->result->ticks);
    return done;
}

/* A precision is a share of the time; not-a-number is refused. */
static gboolean check_precision(double precision, GError **error)
{
    if (precision == 0 || (precision > 0 && precision <= PS_SIM_MAX_PRECISION))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "a precision of %g %% is none: it must be above 0 and at most %g %%",
                100 * precision, 100 * PS_SIM_MAX_PRECISION);
    return FALSE;
}

gboolean ps_sim_run(const PsMachine *machine, const PsSimOptions *options, PsSimResult *result,
                    GError **error)
{
    const PsSimOptions none = {.n_listeners = 0};
    PsPlan plan = {.machine = machine};
    Run run = {
        .plan = &plan, .options = options ? options : &none, .result = result, .left = G_MAXINT64};
    *result = (PsSimResult){.cycles = {0, 1}};
    if (run.options->most_instructions > 0)
        run.left = run.options->most_instructions;
    const gboolean done = check_precision(run.options->precision, error) &&
                          ps_plan_init(&plan, machine, error) && run_plan(&run, error);
    ps_plan_clear(&plan);
    return done;
}
