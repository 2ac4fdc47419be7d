/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device behind CUDA or HIP begins with its calls for memory and launches.
 */
#include "latency-bench/device/module.h"

static gboolean allocate(PsDriver *driver, gsize bytes, PsBuffer *buffer, GError **error)
{
    PsModuleDevice *module = (PsModuleDevice *)driver;
    return PS_MODULE_CALL(module, error, allocate, buffer, bytes);
}

static void discard(PsDriver *driver, PsBuffer buffer)
{
    ((PsModuleDevice *)driver)->api.discard(buffer);
}

static gboolean write_to(PsDriver *driver, PsBuffer to, gsize offset, GBytes *data, GError **error)
{
    PsModuleDevice *module = (PsModuleDevice *)driver;
    gsize bytes = 0;
    const void *from = g_bytes_get_data(data, &bytes);
    return PS_MODULE_CALL(module, error, write, to + offset, from, bytes);
}

static gboolean read_from(PsDriver *driver, PsBuffer from, void *data, gsize bytes, GError **error)
{
    PsModuleDevice *module = (PsModuleDevice *)driver;
    return PS_MODULE_CALL(module, error, read, data, from, bytes);
}

static gboolean launch_function(PsModuleDevice *module, void *function, const PsBenchLaunch *launch,
                                PsArguments arguments, GError **error)
{
    void *parameters[] = {&arguments.memory, &arguments.elements, &arguments.step,
                          &arguments.length, &arguments.times,    &arguments.cus,
                          &arguments.sink};
    return PS_MODULE_CALL(module, error, launch, function, (unsigned)launch->groups, 1, 1,
                          (unsigned)launch->group_size, 1, 1, (unsigned)launch->local_memory, NULL,
                          parameters, NULL);
}

static gboolean launch_timed(PsDriver *driver, PsBenchProgram *program, const PsBenchLaunch *launch,
                             const PsArguments *arguments, double *seconds, GError **error)
{
    PsModuleDevice *module = (PsModuleDevice *)driver;
    void *function = ((PsModuleProgram *)program)->function;
    const char *call = NULL;
    float milliseconds = 0;
    int allowed = module->kind->allow(module, function, launch, &call);
    if (!ps_module_check(module, allowed, call, error) ||
        !PS_MODULE_CALL(module, error, event_record, module->begin, NULL))
        return FALSE;
    for (gint64 i = ps_driver_launches(program, launch); i > 0; i--)
        if (!launch_function(module, function, launch, *arguments, error))
            return FALSE;
    if (!PS_MODULE_CALL(module, error, event_record, module->end, NULL) ||
        !PS_MODULE_CALL(module, error, event_wait, module->end) ||
        !PS_MODULE_CALL(module, error, event_time, &milliseconds, module->begin, module->end))
        return FALSE;
    *seconds = (double)milliseconds / 1e3;
    return TRUE;
}

static const PsDriverCalls driver_calls = {
    .addresses = TRUE,
    .allocate = allocate,
    .discard = discard,
    .write = write_to,
    .read = read_from,
    .launch = launch_timed,
};

static gboolean make_current(PsModuleDevice *module, GError **error)
{
    const char *call = NULL;
    int result = module->kind->make_current(module, &call);
    return ps_module_check(module, result, call, error);
}

gboolean ps_module_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error)
{
    return make_current((PsModuleDevice *)device, error) &&
           ps_driver_run(device, program, launch, sample, error);
}

gboolean ps_module_check_device(PsDevice *device, GError **error)
{
    return make_current((PsModuleDevice *)device, error) && ps_driver_check(device, error);
}

void ps_module_init(PsModuleDevice *module, const PsDeviceClass *methods, const PsModuleKind *kind,
                    PsLibrary *library)
{
    module->driver.device.methods = methods;
    module->driver.device.info.clock = module->driver.device.info.boost_clock = PS_RATIONAL_INT(0);
    module->driver.calls = &driver_calls;
    module->kind = kind;
    module->library = library;
}
