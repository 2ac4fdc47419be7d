/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device whose samples come from a raw file: it runs what was run, with the same outcome.
 */
#include "latency-bench/raw/private.h"

#include <string.h>

typedef struct {
    PsDevice device;
    PsRawIndex *index;
    GHashTable *kernels; /* names of those that ran */
} Replay;

struct PsBenchProgram {
    char *kernel;
};

static void replay_close(PsDevice *device)
{
    Replay *replay = (Replay *)device;
    ps_raw_index_free(replay->index);
    g_hash_table_unref(replay->kernels);
    ps_device_info_clear(&device->info);
    g_free(replay);
}

static PsBenchProgram *replay_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    const Replay *replay = (const Replay *)device;
    const PsRawRow *problem = ps_raw_index_problem(replay->index, kernel->name, NULL);
    if (!g_hash_table_contains(replay->kernels, kernel->name)) {
        g_set_error(error, PS_ERROR, PS_ERROR_RESOURCES, "%s",
                    problem ? problem->problem : "the raw file has no runs of this kernel");
        return NULL;
    }
    PsBenchProgram *program = g_new(PsBenchProgram, 1);
    program->kernel = g_strdup(kernel->name);
    return program;
}

static void replay_release(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    g_free(program->kernel);
    g_free(program);
}

static gboolean replay_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                           PsBenchSample *sample, GError **error)
{
    const Replay *replay = (const Replay *)device;
    const PsRawRow *row = ps_raw_index_run(replay->index, program->kernel, launch);
    if (row) {
        *sample = row->sample;
        return TRUE;
    }
    row = ps_raw_index_problem(replay->index, program->kernel, launch);
    g_set_error(error, PS_ERROR, PS_ERROR_RESOURCES, "%s",
                row ? row->problem : "the raw file has no such run");
    return FALSE;
}

static char *replay_code(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    (void)program;
    return NULL;
}

PsDevice *ps_device_replay(const PsRaw *raw)
{
    static const PsDeviceClass klass = {.close = replay_close,
                                        .compile = replay_compile,
                                        .release = replay_release,
                                        .run = replay_run,
                                        .code = replay_code};
    Replay *replay = g_new0(Replay, 1);
    replay->device.klass = &klass;
    ps_device_info_copy(&raw->info, &replay->device.info);
    g_free(replay->device.info.backend);
    replay->device.info.backend = g_strdup("replay");
    replay->index = ps_raw_index_new();
    replay->kernels = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < raw->rows->len; i++) {
        const PsRawRow *row = raw->rows->pdata[i];
        ps_raw_index_add(replay->index, row);
        if (row->launch.groups > 0)
            g_hash_table_add(replay->kernels, row->kernel);
    }
    return &replay->device;
}
