/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real engine in one call, for tests: from a graph and a GPU in memory to cycles and events.
 */
#ifndef PIPESIM_TESTS_HELP_ENGINE_H
#define PIPESIM_TESTS_HELP_ENGINE_H

#include "sim/sim.h"
#include "tests/help/random-graph.h"
#include "tests/help/reference.h"

/* What a run needs; members that are NULL or zero are left out. */
typedef struct {
    const PsIdg *idg;
    const PsGpu *gpu;
    const PsScope *overrides;
    PsLaunchOptions options;
    const char *what_if; /* "CLASS.issue=V,..." */
    PsRefinements refinements;
    PsRational clock; /* MHz; 0 (or {0, 0}): the GPU's */
} EngineRun;

/* A kernel bound to a GPU, ready to run. */
typedef struct {
    PsKernel *kernel;
    PsMachine *machine;
} Engine;

EngineRun engine_run_of(const RandomCase *random_case);

/* FALSE and *error as the library says. */
gboolean engine_open(Engine *engine, const EngineRun *run, GError **error);
void engine_close(Engine *engine);

/* Runs, and appends what happens to events (RefEvent, in engine ticks) where that is not NULL: then
 * without skipping time, for of skipped time there are no events. */
gboolean engine_simulate(const Engine *engine, GArray *events, PsSimResult *result, GError **error);

/* Opens, runs and closes. */
gboolean engine_run(const EngineRun *run, PsSimResult *result, GError **error);

#endif
