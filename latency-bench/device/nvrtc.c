/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See nvrtc.h.
 */
#include "latency-bench/device/nvrtc.h"
#include "latency-bench/internal.h"

/* The newest version that is asked for by number, and the oldest with its number in its name. */
enum { NEWEST = 13, OLDEST = 12 };

/* Functions that NVRTC has from version 11.2 on. */
typedef struct {
    int (*n_architectures)(int *n);
    int (*architectures)(int *architectures); /* 75, 80, ... */
} NvrtcApi;

static const PsLibrarySymbol functions[] = {
    {"nvrtcVersion", G_STRUCT_OFFSET(PsCompilerApi, version), FALSE},
    {"nvrtcCreateProgram", G_STRUCT_OFFSET(PsCompilerApi, create), FALSE},
    {"nvrtcCompileProgram", G_STRUCT_OFFSET(PsCompilerApi, compile), FALSE},
    {"nvrtcDestroyProgram", G_STRUCT_OFFSET(PsCompilerApi, destroy), FALSE},
    {"nvrtcGetProgramLogSize", G_STRUCT_OFFSET(PsCompilerApi, log_size), FALSE},
    {"nvrtcGetProgramLog", G_STRUCT_OFFSET(PsCompilerApi, log), FALSE},
    {"nvrtcGetPTXSize", G_STRUCT_OFFSET(PsCompilerApi, code_size), FALSE},
    {"nvrtcGetPTX", G_STRUCT_OFFSET(PsCompilerApi, code), FALSE},
    {"nvrtcGetErrorString", G_STRUCT_OFFSET(PsCompilerApi, error_text), FALSE},
    {"nvrtcGetCUBINSize", G_STRUCT_OFFSET(PsCompilerApi, machine_size), TRUE},
    {"nvrtcGetCUBIN", G_STRUCT_OFFSET(PsCompilerApi, machine), TRUE},
};

static const PsLibrarySymbol own_functions[] = {
    {"nvrtcGetNumSupportedArchs", G_STRUCT_OFFSET(NvrtcApi, n_architectures), TRUE},
    {"nvrtcGetSupportedArchs", G_STRUCT_OFFSET(NvrtcApi, architectures), TRUE},
};

static const PsCompilerKind kind = {
    .functions = functions,
    .n_functions = G_N_ELEMENTS(functions),
    .hint = "NVRTC comes with the CUDA toolkit",
    .text = TRUE,
};

static gboolean open_library(PsNvrtc *nvrtc, int driver_version, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (int major = driver_version ? driver_version / 1000 : NEWEST; major >= OLDEST; major--)
        g_ptr_array_add(names, g_strdup_printf("libnvrtc.so.%d", major));
    static const char *const others[] = {"libnvrtc.so.11.2", "libnvrtc.so",
                                         "/usr/local/cuda/lib64/libnvrtc.so",
                                         "/usr/local/cuda/lib/libnvrtc.so"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_ptr_array_add(names, g_strdup(others[i]));
    g_ptr_array_add(names, NULL);
    return ps_compiler_open(&nvrtc->compiler, &kind, (const char *const *)names->pdata, error);
}

/* Leaves the list empty if NVRTC does not tell. */
static void ask_architectures(PsNvrtc *nvrtc)
{
    NvrtcApi api = {0};
    int n = 0;
    nvrtc->known = g_array_new(FALSE, TRUE, sizeof(int));
    if (!ps_library_functions(nvrtc->compiler.library, own_functions, G_N_ELEMENTS(own_functions),
                              &api, NULL) ||
        !api.n_architectures || !api.architectures || api.n_architectures(&n) != 0 || n < 1)
        return;
    g_array_set_size(nvrtc->known, (guint)n);
    if (api.architectures((int *)(void *)nvrtc->known->data) != 0)
        g_array_set_size(nvrtc->known, 0);
}

PsNvrtc *ps_nvrtc_new(int driver_version, GError **error)
{
    g_autoptr(PsNvrtc) nvrtc = g_new0(PsNvrtc, 1);
    const PsCompiler *compiler = &nvrtc->compiler;
    if (!open_library(nvrtc, driver_version, error) ||
        !ps_compiler_check(compiler, compiler->api.version(&nvrtc->major, &nvrtc->minor),
                           G_STRUCT_OFFSET(PsCompilerApi, version), error))
        return NULL;
    ask_architectures(nvrtc);
    return g_steal_pointer(&nvrtc);
}

void ps_nvrtc_free(PsNvrtc *nvrtc)
{
    if (!nvrtc)
        return;
    g_clear_pointer(&nvrtc->known, g_array_unref);
    ps_compiler_close(&nvrtc->compiler);
    g_free(nvrtc);
}

int ps_nvrtc_newest(const PsNvrtc *nvrtc, int capability)
{
    int best = nvrtc->known->len ? 0 : capability;
    for (guint i = 0; i < nvrtc->known->len; i++) {
        const int known = g_array_index(nvrtc->known, int, i);
        best = known <= capability ? MAX(best, known) : best;
    }
    return best;
}

gboolean ps_nvrtc_parse(const char *architecture, int *capability)
{
    guint64 value;
    if (!g_str_has_prefix(architecture, "sm_") || architecture[3] == '0' ||
        !g_ascii_string_to_unsigned(architecture + 3, 10, 10, 999, &value, NULL))
        return FALSE;
    *capability = (int)value;
    return TRUE;
}

gboolean ps_nvrtc_check(const PsNvrtc *nvrtc, const char *architecture, GError **error)
{
    int capability, least = G_MAXINT, most = 0;
    if (!ps_nvrtc_parse(architecture, &capability)) {
        ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                    "'%s' is no architecture of NVIDIA's, such as sm_90", architecture);
        return FALSE;
    }
    if (ps_nvrtc_newest(nvrtc, capability) == capability)
        return TRUE;
    for (guint i = 0; i < nvrtc->known->len; i++) {
        least = MIN(least, g_array_index(nvrtc->known, int, i));
        most = MAX(most, g_array_index(nvrtc->known, int, i));
    }
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                "NVRTC %d.%d does not know sm_%d (it knows sm_%d to sm_%d)", nvrtc->major,
                nvrtc->minor, capability, least, most);
    return FALSE;
}

GBytes *ps_nvrtc_compile(const PsNvrtc *nvrtc, const PsBenchKernel *kernel,
                         const char *architecture, char **ptx, GError **error)
{
    if (!ps_nvrtc_check(nvrtc, architecture, error))
        return NULL;
    g_autofree char *source = ps_bench_source(kernel, "CUDA");
    g_autofree char *option = g_strconcat("--gpu-architecture=", architecture, NULL);
    const char *const options[] = {option, NULL};
    return ps_compiler_run(&nvrtc->compiler, kernel->name, source, options, ptx, error);
}
