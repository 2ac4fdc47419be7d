/* SPDX-License-Identifier: BSD-3-Clause */
/* See clang.h. */
#include "latency-bench/code/clang.h"
#include "latency-bench/code/tool.h"

#include "base/message.h"
#include "latency-bench/internal.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The first version with all built-ins of builtins-amd.h. */
#define OLDEST_CLANG 17

/* Embedded by make/build.mk. */
extern const char ps_text_builtins_amd[];

/* A clang that knows AMD's GPUs and all built-ins. */
static PsClang *look_at(const char *path, GError **error)
{
    g_autofree char *targets = NULL, *version = NULL;
    const char *const ask_targets[] = {path, "--print-targets", NULL};
    const char *const ask_version[] = {path, "-dumpversion", NULL};
    if (!ps_llvm_run(ask_targets, &targets, error) || !ps_llvm_run(ask_version, &version, error))
        return NULL;
    if (!strstr(targets, "amdgcn")) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s does not know AMD's GPUs", path);
        return NULL;
    }
    if (g_ascii_strtoull(version, NULL, 10) < OLDEST_CLANG) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "%s is clang %s, which lacks functions that kernels for AMD's GPUs call; "
                    "version %d or later is needed",
                    path, g_strstrip(version), OLDEST_CLANG);
        return NULL;
    }
    PsClang *clang = g_new0(PsClang, 1);
    clang->path = g_strdup(path);
    clang->version = g_strdup(g_strstrip(version));
    return clang;
}

void ps_clang_free(PsClang *clang)
{
    if (!clang)
        return;
    g_free(clang->path);
    g_free(clang->version);
    g_free(clang);
}

/* The kernel's source, with the functions of a driver that it calls (g_free). */
static char *source_of(const PsBenchKernel *kernel, const char *backend)
{
    g_autofree char *source = ps_bench_source(kernel, backend);
    return g_strconcat(strcmp(backend, "HIP") == 0 ? "" : ps_text_builtins_amd, source, NULL);
}

static gboolean run(const PsClang *clang, const char *backend, const char *architecture,
                    const char *source, const char *object, GError **error)
{
    g_autofree char *offload = g_strconcat("--offload-arch=", architecture, NULL);
    g_autofree char *cpu = g_strconcat("-mcpu=", architecture, NULL), *said = NULL;
    const char *const hip[] = {clang->path, "-x",        "hip",  offload, "--cuda-device-only",
                               "-nogpuinc", "-nogpulib", "-O3",  "-c",    "--no-gpu-bundle-output",
                               "-o",        object,      source, NULL};
    const char *const opencl[] = {clang->path, "-x",        "cl",   "-cl-std=CL1.2",
                                  cpu,         "-nogpulib", "-O3",  "--target=amdgcn-amd-amdhsa",
                                  "-o",        object,      source, NULL};
    return ps_llvm_run(strcmp(backend, "HIP") == 0 ? hip : opencl, &said, error);
}

/* The code object of a source. */
static GBytes *compile(const PsClang *clang, const char *text, const char *backend,
                       const char *architecture, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", error);
    if (!folder)
        return NULL;
    g_autofree char *source = g_build_filename(folder, "kernel", NULL);
    g_autofree char *object = g_build_filename(folder, "kernel.o", NULL), *bytes = NULL;
    gsize size = 0;
    const gboolean done = g_file_set_contents(source, text, -1, error) &&
                          run(clang, backend, architecture, source, object, error) &&
                          g_file_get_contents(object, &bytes, &size, error);
    g_unlink(source);
    g_unlink(object);
    g_rmdir(folder);
    return done ? g_bytes_new_take(g_steal_pointer(&bytes), size) : NULL;
}

GBytes *ps_clang_compile(const PsClang *clang, const PsBenchKernel *kernel, const char *backend,
                         const char *architecture, GError **error)
{
    g_autofree char *text = source_of(kernel, backend);
    GBytes *object = compile(clang, text, backend, architecture, error);
    if (!object)
        g_prefix_error(error, "%s: ", kernel->name);
    return object;
}

/* TRUE if it makes code objects of minimal kernels. */
static gboolean is_whole(const PsClang *clang, GError **error)
{
    static const char hip[] = "extern \"C\" __attribute__((global)) void k(float *x) { *x = 1; }";
    static const char opencl[] = "__kernel void k(__global float *x) { *x = 1; }";
    g_autoptr(GBytes) first = compile(clang, hip, "HIP", "gfx90a", error);
    g_autoptr(GBytes) second = first ? compile(clang, opencl, "OpenCL", "gfx90a", error) : NULL;
    if (second)
        return TRUE;
    const int major = (int)g_ascii_strtoull(clang->version, NULL, 10);
    g_prefix_error(error,
                   "clang %d does not compile for AMD's GPUs, for which it needs lld-%d: ", major,
                   major);
    return FALSE;
}

PsClang *ps_clang_new(GError **error)
{
    g_autoptr(GPtrArray) paths = ps_llvm_tools("clang");
    g_autoptr(GError) first = NULL;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GError) why = NULL;
        g_autoptr(PsClang) clang = look_at(paths->pdata[i], &why);
        if (clang && is_whole(clang, &why))
            return g_steal_pointer(&clang);
        if (!first)
            first = g_steal_pointer(&why);
    }
    if (first)
        g_propagate_error(error, g_steal_pointer(&first));
    else
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "there is no clang for AMD's GPUs on PATH; packages clang and lld have one");
    return NULL;
}
