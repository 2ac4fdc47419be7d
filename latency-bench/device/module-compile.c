/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a kernel's source to a function that can be launched.
 */
#include "latency-bench/device/module.h"
#include "latency-bench/internal.h"

enum { LOG_BYTES = 8192, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };

static gboolean load(PsModuleDevice *module, const PsBenchKernel *kernel, PsModuleProgram *into,
                     GError **error)
{
    char log[LOG_BYTES] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, GSIZE_TO_POINTER(sizeof log - 1)};
    g_autoptr(GError) cause = NULL;
    if (!PS_MODULE_CALL(module, &cause, module_load, &into->module,
                        g_bytes_get_data(into->image, NULL),
                        module->kind->log ? G_N_ELEMENTS(options) : 0, options, values)) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s cannot be loaded: %s%s%s",
                    kernel->name, cause->message, *log ? ": " : "", log);
        return FALSE;
    }
    g_autofree char *name = ps_driver_function(kernel);
    if (PS_MODULE_CALL(module, &cause, module_function, &into->function, into->module, name))
        return TRUE;
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s has no function %s: %s", kernel->name,
                name, cause->message);
    return FALSE;
}

PsBenchProgram *ps_module_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    PsModuleDevice *module = (PsModuleDevice *)device;
    const char *call = NULL;
    int result = module->kind->make_current(module, &call);
    if (!ps_module_check(module, result, call, error))
        return NULL;
    g_autofree char *source = ps_bench_source(kernel, module->kind->backend);
    PsModuleProgram *program = g_new0(PsModuleProgram, 1);
    ps_driver_program_init(&module->driver, &program->base, kernel);
    program->image = module->cubins ? ps_cubins_find(module->cubins, kernel->name, source, error)
                                    : ps_compiler_run(module->compiler, kernel->name, source,
                                                      (const char *const *)module->options,
                                                      &program->code, error);
    if (program->image && load(module, kernel, program, error))
        return (PsBenchProgram *)program;
    ps_module_release(device, (PsBenchProgram *)program);
    return NULL;
}

void ps_module_release(PsDevice *device, PsBenchProgram *of)
{
    PsModuleDevice *module = (PsModuleDevice *)device;
    PsModuleProgram *program = (PsModuleProgram *)of;
    const char *call = NULL;
    if (program->module && module->kind->make_current(module, &call) == 0)
        module->api.module_unload(program->module);
    g_clear_pointer(&program->image, g_bytes_unref);
    g_free(program->code);
    g_free(program);
}

char *ps_module_code(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    return g_strdup(((PsModuleProgram *)program)->code);
}

GBytes *ps_module_image(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    return g_bytes_ref(((PsModuleProgram *)program)->image);
}
