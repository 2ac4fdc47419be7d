/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels' machine code without a GPU: NVIDIA's by NVRTC, AMD's by clang. */
#include "latency-bench/code.h"
#include "latency-bench/code/clang.h"
#include "latency-bench/device/nvrtc.h"

#include <string.h>

struct PsCodeCompilers {
    PsNvrtc *nvrtc; /* NULL until it is needed, like the next */
    PsClang *clang;
};

PsCodeCompilers *ps_code_compilers_new(void)
{
    return g_new0(PsCodeCompilers, 1);
}

void ps_code_compilers_free(PsCodeCompilers *compilers)
{
    if (!compilers)
        return;
    ps_nvrtc_free(compilers->nvrtc);
    ps_clang_free(compilers->clang);
    g_free(compilers);
}

static gboolean is_amd(const char *architecture)
{
    return g_str_has_prefix(architecture, "gfx") && g_ascii_isdigit(architecture[3]);
}

gboolean ps_code_compilers_open(PsCodeCompilers *compilers, const char *architecture,
                                GError **error)
{
    if (is_amd(architecture)) {
        compilers->clang = compilers->clang ? compilers->clang : ps_clang_new(error);
        return compilers->clang != NULL;
    }
    int capability;
    if (!ps_nvrtc_parse(architecture, &capability)) {
        ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                    "'%s' is no architecture, such as sm_90 or gfx90a", architecture);
        return FALSE;
    }
    compilers->nvrtc = compilers->nvrtc ? compilers->nvrtc : ps_nvrtc_new(0, error);
    return compilers->nvrtc && ps_nvrtc_check(compilers->nvrtc, architecture, error);
}

char *ps_code_compilers_name(const PsCodeCompilers *compilers)
{
    g_autofree char *nvrtc =
        compilers->nvrtc
            ? g_strdup_printf("NVRTC %d.%d", compilers->nvrtc->major, compilers->nvrtc->minor)
            : NULL;
    g_autofree char *clang =
        compilers->clang ? g_strconcat("clang ", compilers->clang->version, NULL) : NULL;
    return g_strconcat(nvrtc ? nvrtc : "", nvrtc && clang ? " and " : "", clang ? clang : "", NULL);
}

const char *const *ps_code_backends(const char *architecture)
{
    static const char *const amd[] = {"HIP", "OpenCL", NULL}, *const nvidia[] = {"CUDA", NULL};
    return is_amd(architecture) ? amd : nvidia;
}

gboolean ps_code_has(const PsBenchKernel *kernel, const char *backend, const char *architecture)
{
    int capability;
    return (!kernel->backends || strstr(kernel->backends, backend)) &&
           (!ps_nvrtc_parse(architecture, &capability) || capability >= kernel->since);
}

GBytes *ps_code_compile(const PsCodeCompilers *compilers, const PsBenchKernel *kernel,
                        const char *backend, const char *architecture, GError **error)
{
    return is_amd(architecture)
               ? ps_clang_compile(compilers->clang, kernel, backend, architecture, error)
               : ps_nvrtc_compile(compilers->nvrtc, kernel, architecture, NULL, error);
}
