/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and closes a device behind CUDA or HIP, and reads what it reports.
 */
#include "latency-bench/device/module.h"
#include "latency-bench/internal.h"
#include <string.h>

/* Errors with the same numbers in CUDA and HIP. */
enum {
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONFIGURATION = 9, /* HIP: a group that is too large */
    LAUNCH_OUT_OF_RESOURCES = 701,
    COOPERATIVE_LAUNCH_TOO_LARGE = 720,
};

/* A launch's values were checked before, so a launch that the driver calls invalid asks for too
 * much. */
static gboolean lacks_resources(int result, const char *call)
{
    gboolean launching = strstr(call, "Launch") || strstr(call, "FuncSet");
    return result == OUT_OF_MEMORY || result == LAUNCH_OUT_OF_RESOURCES ||
           result == COOPERATIVE_LAUNCH_TOO_LARGE ||
           (launching && (result == INVALID_VALUE || result == INVALID_CONFIGURATION));
}

gboolean ps_module_check(const PsModuleDevice *module, int result, const char *call, GError **error)
{
    if (result == 0)
        return TRUE;
    const char *name = module->kind->error_name(module, result);
    /* Functions that changed once have a version in their name, which readers do not need. */
    int length = (int)strlen(call) - (g_str_has_suffix(call, "_v2") ? 3 : 0);
    ps_error_at(error, lacks_resources(result, call) ? PS_ERROR_RESOURCES : PS_ERROR_DEVICE,
                (PsPlace){0}, "%.*s: %s (%d)", length, call, name ? name : "an unknown error",
                result);
    return FALSE;
}

const char *ps_module_name(const PsModuleDevice *module, gsize offset)
{
    for (guint i = 0; i < module->kind->n_functions; i++)
        if (module->kind->functions[i].offset == offset)
            return module->kind->functions[i].name;
    return "a call without a name";
}

gboolean ps_module_start(PsModuleDevice *module, guint number, GError **error)
{
    int count = 0;
    if (!ps_library_functions(module->library, module->kind->functions, module->kind->n_functions,
                              &module->api, error) ||
        !PS_MODULE_CALL(module, error, init, 0) || !PS_MODULE_CALL(module, error, count, &count))
        return FALSE;
    if (count <= 0 || number >= (guint)count) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "there are %d devices, and number %u (from 0) is asked for", MAX(count, 0),
                    number);
        return FALSE;
    }
    return PS_MODULE_CALL(module, error, get, &module->id, (int)number);
}

int ps_module_attribute(const PsModuleDevice *module, int attribute, int fallback)
{
    int value = fallback;
    return module->api.attribute(&value, attribute, module->id) == 0 ? value : fallback;
}

static gboolean read_attribute(PsModuleDevice *module, const PsModuleAttribute *attribute,
                               GError **error)
{
    int value = 0;
    gint64 *to = (gint64 *)(void *)((char *)&module->driver.device.info + attribute->offset);
    if (attribute->optional)
        value = ps_module_attribute(module, attribute->attribute, 0);
    else if (!PS_MODULE_CALL(module, error, attribute, &value, attribute->attribute, module->id))
        return FALSE;
    *to = value;
    return TRUE;
}

gboolean ps_module_describe(PsModuleDevice *module, const PsModuleAttribute *attributes, guint n,
                            GError **error)
{
    PsDeviceInfo *info = &module->driver.device.info;
    char name[256] = "";
    gsize memory = 0;
    if (!PS_MODULE_CALL(module, error, name, name, sizeof name - 1, module->id) ||
        !PS_MODULE_CALL(module, error, total_memory, &memory, module->id))
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (!read_attribute(module, &attributes[i], error))
            return FALSE;
    if (info->compute_units < 1 || info->warp_size < 1) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "the device says that it has %" G_GINT64_FORMAT
                    " compute units and warps of %" G_GINT64_FORMAT " threads",
                    info->compute_units, info->warp_size);
        return FALSE;
    }
    info->backend = g_strdup(module->kind->backend);
    info->name = g_utf8_make_valid(name, -1);
    info->memory = (gint64)memory;
    info->counter = TRUE;
    return TRUE;
}

gboolean ps_module_start_events(PsModuleDevice *module, GError **error)
{
    return PS_MODULE_CALL(module, error, event_create, &module->begin, 0) &&
           PS_MODULE_CALL(module, error, event_create, &module->end, 0);
}

/* Errors no longer matter: nothing can be done for a device that vanished. */
void ps_module_stop(PsModuleDevice *module)
{
    ps_driver_clear(&module->driver);
    if (module->begin)
        module->api.event_destroy(module->begin);
    if (module->end)
        module->api.event_destroy(module->end);
    module->begin = module->end = NULL;
    g_strfreev(module->options);
    ps_device_info_clear(&module->driver.device.info);
}
