/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a kernel's source to a function that can be launched, by NVRTC or hipRTC.
 */
#include "latency-bench/device/module.h"
#include <string.h>

enum { LOG_BYTES = 8192, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };

gboolean ps_module_check_compiler(const PsModuleDevice *module, int result, gsize offset,
                                  GError **error)
{
    if (result == 0)
        return TRUE;
    const char *call = "a call without a name";
    for (guint i = 0; i < module->n_compiler_functions; i++)
        if (module->compiler_functions[i].offset == offset)
            call = module->compiler_functions[i].name;
    const char *text = module->compiler.error_text(result);
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s: %s (%d)", call,
                text ? text : "an unknown error", result);
    return FALSE;
}

typedef int (*GetSize)(void *program, gsize *size);
typedef int (*GetData)(void *program, char *data);

/* What a pair of functions gives, with a zero after it. */
static GBytes *fetch(const PsModuleDevice *module, void *program, gsize size, gsize data,
                     GError **error)
{
    GetSize get_size = G_STRUCT_MEMBER(GetSize, &module->compiler, size);
    GetData get_data = G_STRUCT_MEMBER(GetData, &module->compiler, data);
    gsize bytes = 0;
    if (!ps_module_check_compiler(module, get_size(program, &bytes), size, error))
        return NULL;
    g_autofree char *copy = g_malloc0(bytes + 1);
    if (bytes > 0 && !ps_module_check_compiler(module, get_data(program, copy), data, error))
        return NULL;
    return g_bytes_new_take(g_steal_pointer(&copy), bytes);
}

#define FETCH(module, program, size, data, error)                                                  \
    fetch(module, program, G_STRUCT_OFFSET(PsCompilerApi, size),                                   \
          G_STRUCT_OFFSET(PsCompilerApi, data), error)

/* The message of a kernel that does not compile, with what the compiler says to it. */
static void complain(const PsModuleDevice *module, const PsBenchKernel *kernel, void *program,
                     int result, GError **error)
{
    g_autoptr(GError) cause = NULL;
    ps_module_check_compiler(module, result, G_STRUCT_OFFSET(PsCompilerApi, compile), &cause);
    g_autoptr(GBytes) log = FETCH(module, program, log_size, log, NULL);
    const char *text = log ? g_bytes_get_data(log, NULL) : "";
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s does not compile: %s%s%s", kernel->name,
                cause->message, *text ? ": " : "", text);
}

/* What is to be loaded: machine code where the compiler makes it for this GPU, else its text, which
 * the driver compiles on. */
static GBytes *fetch_image(const PsModuleDevice *module, void *program, GBytes *code,
                           GError **error)
{
    const PsCompilerApi *compiler = &module->compiler;
    if (compiler->machine_size && compiler->machine) {
        g_autoptr(GBytes) machine = FETCH(module, program, machine_size, machine, error);
        if (!machine || g_bytes_get_size(machine) > 0)
            return g_steal_pointer(&machine);
    }
    return g_bytes_ref(code);
}

static gboolean load(PsModuleDevice *module, const PsBenchKernel *kernel, GBytes *image,
                     PsModuleProgram *into, GError **error)
{
    char log[LOG_BYTES] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, GSIZE_TO_POINTER(sizeof log - 1)};
    g_autoptr(GError) cause = NULL;
    if (!PS_MODULE_CALL(module, &cause, module_load, &into->module, g_bytes_get_data(image, NULL),
                        module->text ? G_N_ELEMENTS(options) : 0, options, values)) {
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

/* Compiles; NULL and *error, or the image to load. text gets what can be shown, or NULL. */
static GBytes *compile(PsModuleDevice *module, const PsBenchKernel *kernel, const char *source,
                       char **text, GError **error)
{
    const PsCompilerApi *compiler = &module->compiler;
    void *program = NULL;
    if (!ps_module_check_compiler(module,
                                  compiler->create(&program, source, kernel->name, 0, NULL, NULL),
                                  G_STRUCT_OFFSET(PsCompilerApi, create), error))
        return NULL;
    int n_options = (int)g_strv_length(module->options);
    int result = compiler->compile(program, n_options, (const char *const *)module->options);
    GBytes *image = NULL;
    if (result != 0) {
        complain(module, kernel, program, result, error);
    } else {
        g_autoptr(GBytes) code = FETCH(module, program, code_size, code, error);
        image = code ? fetch_image(module, program, code, error) : NULL;
        if (image && module->text)
            *text = g_strdup(g_bytes_get_data(code, NULL));
    }
    compiler->destroy(&program);
    return image;
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
    g_autoptr(GBytes) image = compile(module, kernel, source, &program->code, error);
    if (image && load(module, kernel, image, program, error))
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
    g_free(program->code);
    g_free(program);
}

char *ps_module_code(PsDevice *device, PsBenchProgram *program)
{
    (void)device;
    return g_strdup(((PsModuleProgram *)program)->code);
}
