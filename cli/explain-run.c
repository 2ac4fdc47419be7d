/* SPDX-License-Identifier: BSD-3-Clause */
/* See explain-run.h. */
#include "cli/explain-run.h"

struct PathRun {
    const PsMachine *machine;
    gboolean no_fast_forward;
    PsPath *path;
    GThread *thread; /* NULL where it has been waited for */
};

/* A run that fails here fails in the simulation beside it, too, where it is reported. On one CU a
 * run that is longer than what can be kept need not go to its end. */
static void *find_path(void *data)
{
    PathRun *run = data;
    const PsListener listener = ps_path_listener(run->path);
    const PsSimOptions options = {
        .listeners = &listener,
        .n_listeners = 1,
        .no_fast_forward = run->no_fast_forward,
        .most_instructions = run->machine->n_cus == 1 ? PS_PATH_MAX + 1 : 0,
    };
    PsSimResult result;
    (void)ps_sim_run(run->machine, &options, &result, NULL);
    return NULL;
}

PathRun *path_run_new(const PsMachine *machine, gboolean no_fast_forward)
{
    PathRun *run = g_new0(PathRun, 1);
    *run = (PathRun){machine, no_fast_forward, ps_path_new(machine), NULL};
    run->thread = g_thread_try_new("path", find_path, run, NULL);
    if (!run->thread)
        find_path(run);
    return run;
}

PsPath *path_run_wait(PathRun *run)
{
    if (run->thread)
        g_thread_join(g_steal_pointer(&run->thread));
    return run->path;
}

void path_run_free(PathRun *run)
{
    if (!run)
        return;
    ps_path_free(path_run_wait(run));
    g_free(run);
}
