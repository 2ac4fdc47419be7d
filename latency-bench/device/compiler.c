/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles a kernel's source to what a driver can load, by NVRTC or hipRTC.
 */
#include "latency-bench/device/compiler.h"

gboolean ps_compiler_open(PsCompiler *compiler, const PsCompilerKind *kind,
                          const char *const *names, GError **error)
{
    g_autoptr(GError) cause = NULL;
    compiler->kind = kind;
    compiler->library = ps_library_open(names, &cause);
    if (compiler->library)
        return ps_library_functions(compiler->library, kind->functions, kind->n_functions,
                                    &compiler->api, error);
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                "kernels cannot be compiled, for %s; %s, and PIPESIM_DRIVERS can name its folder",
                cause->message, kind->hint);
    return FALSE;
}

void ps_compiler_close(PsCompiler *compiler)
{
    ps_library_close(compiler->library);
    compiler->library = NULL;
}

gboolean ps_compiler_check(const PsCompiler *compiler, int result, gsize function, GError **error)
{
    if (result == 0)
        return TRUE;
    const PsCompilerKind *kind = compiler->kind;
    const char *call = "a call without a name";
    for (guint i = 0; i < kind->n_functions; i++)
        if (kind->functions[i].offset == function)
            call = kind->functions[i].name;
    const char *text = compiler->api.error_text(result);
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s: %s (%d)", call,
                text ? text : "an unknown error", result);
    return FALSE;
}

typedef int (*GetSize)(void *program, gsize *size);
typedef int (*GetData)(void *program, char *data);

/* The result of a pair of functions, with a zero behind it. */
static GBytes *fetch(const PsCompiler *compiler, void *program, gsize size, gsize data,
                     GError **error)
{
    GetSize get_size = G_STRUCT_MEMBER(GetSize, &compiler->api, size);
    GetData get_data = G_STRUCT_MEMBER(GetData, &compiler->api, data);
    gsize bytes = 0;
    if (!ps_compiler_check(compiler, get_size(program, &bytes), size, error))
        return NULL;
    g_autofree char *copy = g_malloc0(bytes + 1);
    if (bytes > 0 && !ps_compiler_check(compiler, get_data(program, copy), data, error))
        return NULL;
    return g_bytes_new_take(g_steal_pointer(&copy), bytes);
}

#define FETCH(compiler, program, size, data, error)                                                \
    fetch(compiler, program, G_STRUCT_OFFSET(PsCompilerApi, size),                                 \
          G_STRUCT_OFFSET(PsCompilerApi, data), error)

/* The message for a kernel that does not compile, with the compiler's own. */
static void complain(const PsCompiler *compiler, const char *name, void *program, int result,
                     GError **error)
{
    g_autoptr(GError) cause = NULL;
    ps_compiler_check(compiler, result, G_STRUCT_OFFSET(PsCompilerApi, compile), &cause);
    g_autoptr(GBytes) log = FETCH(compiler, program, log_size, log, NULL);
    const char *text = log ? g_bytes_get_data(log, NULL) : "";
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s does not compile: %s%s%s", name,
                cause->message, *text ? ": " : "", text);
}

static GBytes *fetch_image(const PsCompiler *compiler, void *program, GBytes *code, GError **error)
{
    if (compiler->api.machine_size && compiler->api.machine) {
        g_autoptr(GBytes) machine = FETCH(compiler, program, machine_size, machine, error);
        if (!machine || g_bytes_get_size(machine) > 0)
            return g_steal_pointer(&machine);
    }
    return g_bytes_ref(code);
}

GBytes *ps_compiler_run(const PsCompiler *compiler, const char *name, const char *source,
                        const char *const *options, char **text, GError **error)
{
    const PsCompilerApi *api = &compiler->api;
    void *program = NULL;
    if (!ps_compiler_check(compiler, api->create(&program, source, name, 0, NULL, NULL),
                           G_STRUCT_OFFSET(PsCompilerApi, create), error))
        return NULL;
    int result = api->compile(program, (int)g_strv_length((char **)options), options);
    GBytes *image = NULL;
    if (result != 0) {
        complain(compiler, name, program, result, error);
    } else {
        g_autoptr(GBytes) code = FETCH(compiler, program, code_size, code, error);
        image = code ? fetch_image(compiler, program, code, error) : NULL;
        if (image && text && compiler->kind->text)
            *text = g_strdup(g_bytes_get_data(code, NULL));
    }
    api->destroy(&program);
    return image;
}
