/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that each kind of device answers in its own way.
 */
#include "latency-bench/internal.h"

void ps_device_close(PsDevice *device)
{
    if (device)
        device->methods->close(device);
}

PsBenchProgram *ps_device_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    return device->methods->compile(device, kernel, error);
}

void ps_device_release(PsDevice *device, PsBenchProgram *program)
{
    if (program)
        device->methods->release(device, program);
}

gboolean ps_device_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error)
{
    return device->methods->run(device, program, launch, sample, error);
}

char *ps_device_code(PsDevice *device, PsBenchProgram *program)
{
    return device->methods->code ? device->methods->code(device, program) : NULL;
}

GBytes *ps_device_image(PsDevice *device, PsBenchProgram *program)
{
    return device->methods->image ? device->methods->image(device, program) : NULL;
}

gboolean ps_device_check(PsDevice *device, GError **error)
{
    return !device->methods->check || device->methods->check(device, error);
}

void ps_device_info_clear(PsDeviceInfo *info)
{
    g_free(info->backend);
    g_free(info->name);
    g_free(info->vendor);
    g_free(info->architecture);
    g_free(info->driver);
    g_free(info->note);
    g_free(info->limits.source);
    *info = (PsDeviceInfo){0};
}
