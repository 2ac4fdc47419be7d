/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real engine in one call, for tests: see engine.h.
 */
#include "tests/help/engine.h"

EngineRun engine_run_of(const RandomCase *random_case)
{
    return (EngineRun){.idg = random_case->idg,
                       .gpu = random_case->gpu,
                       .overrides = random_case->overrides,
                       .options = random_case->options,
                       .refinements = random_case->refinements,
                       .what_if = random_case->what_if,
                       .clock = random_case->clock};
}

static PsMachine *bind(const PsKernel *kernel, const EngineRun *run, GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) what_if = NULL;
    PsLaunch launch;
    if (run->what_if) {
        what_if = ps_what_if_parse(run->what_if, error);
        if (!what_if)
            return NULL;
    }
    if (!ps_launch_resolve(kernel, run->gpu, &run->options, &launch, warnings, error))
        return NULL;
    return ps_machine_new(kernel, run->gpu, &launch,
                          &(PsMachineOptions){what_if, run->refinements, run->clock}, warnings,
                          error);
}

gboolean engine_open(Engine *engine, const EngineRun *run, GError **error)
{
    *engine = (Engine){NULL, NULL};
    engine->kernel = ps_kernel_new(run->idg, run->overrides, error);
    if (!engine->kernel)
        return FALSE;
    engine->machine = bind(engine->kernel, run, error);
    if (!engine->machine)
        engine_close(engine);
    return engine->machine != NULL;
}

void engine_close(Engine *engine)
{
    ps_machine_free(engine->machine);
    ps_kernel_free(engine->kernel);
    *engine = (Engine){NULL, NULL};
}

/* On each of the CUs. */
static void hear(GArray *events, RefEvent event, const PsGroups *groups)
{
    for (guint i = 0; i < groups->n_cus; i++) {
        event.cu = groups->cu + i;
        event.group = groups->group + i * groups->step;
        g_array_append_val(events, event);
    }
}

static void launched(void *self, gint64 time, const PsGroups *groups)
{
    hear(self, (RefEvent){.time = time, .kind = REF_LAUNCH}, groups);
}

static void finished(void *self, gint64 time, const PsGroups *groups)
{
    hear(self, (RefEvent){.time = time, .kind = REF_DONE}, groups);
}

static RefEvent event_of(gint64 time, RefEventKind kind, const PsInstance *instance)
{
    return (RefEvent){
        .time = time, .kind = kind, .warp = instance->warp, .position = instance->position};
}

static void issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    RefEvent event = event_of(time, REF_ISSUE, instance);
    event.ready = ready;
    hear(self, event, &instance->of);
}

static void completed(void *self, gint64 time, const PsInstance *instance)
{
    hear(self, event_of(time, REF_COMPLETE, instance), &instance->of);
}

gboolean engine_simulate(const Engine *engine, GArray *events, PsSimResult *result, GError **error)
{
    const PsListener listener = {.self = events,
                                 .launched = launched,
                                 .issued = issued,
                                 .completed = completed,
                                 .finished = finished};
    const PsSimOptions options = {
        .listeners = &listener, .n_listeners = events ? 1 : 0, .no_fast_forward = events != NULL};
    return ps_sim_run(engine->machine, &options, result, error);
}

gboolean engine_run(const EngineRun *run, PsSimResult *result, GError **error)
{
    Engine engine;
    if (!engine_open(&engine, run, error))
        return FALSE;
    gboolean ok = engine_simulate(&engine, NULL, result, error);
    engine_close(&engine);
    return ok;
}
