/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles with OpenCL's compiler, which belongs to the driver.
 */
#include "latency-bench/device/opencl.h"
#include <string.h>

/* The compiler's messages for a source; free with g_free. */
static char *build_log(const Opencl *opencl, void *program)
{
    gsize bytes = 0;
    if (opencl->api.build_info(program, opencl->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != 0)
        return g_strdup("");
    g_autofree char *log = g_malloc0(bytes + 1);
    opencl->api.build_info(program, opencl->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return g_strdup(g_strstrip(log));
}

static gboolean build(Opencl *opencl, void *program, const char *function, GError **error)
{
    const char *options = opencl->options ? opencl->options : "";
    g_autoptr(GError) cause = NULL;
    if (ps_opencl_check(opencl->api.build(program, 1, &opencl->id, options, NULL, NULL),
                        "clBuildProgram", &cause))
        return TRUE;
    g_autofree char *log = build_log(opencl, program);
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s does not compile: %s%s%s", function,
                cause->message, *log ? ": " : "", log);
    return FALSE;
}

gboolean ps_opencl_build(Opencl *opencl, const char *source, const char *function,
                         OpenclProgram *program, GError **error)
{
    int result = 0;
    guint32 arguments = 0;
    program->program = opencl->api.create_program(opencl->context, 1, &source, NULL, &result);
    if (!ps_opencl_check(result, "clCreateProgramWithSource", error) ||
        !build(opencl, program->program, function, error))
        return FALSE;
    program->kernel = opencl->api.create_kernel(program->program, function, &result);
    if (!ps_opencl_check(result, "clCreateKernel", error) ||
        !ps_opencl_check(opencl->api.kernel_info(program->kernel, CL_KERNEL_NUM_ARGS,
                                                 sizeof arguments, &arguments, NULL),
                         "clGetKernelInfo", error))
        return FALSE;
    program->takes_local = arguments > 7;
    return TRUE;
}

void ps_opencl_discard_program(Opencl *opencl, OpenclProgram *program)
{
    if (program->kernel)
        opencl->api.release_kernel(program->kernel);
    if (program->program)
        opencl->api.release_program(program->program);
}

/* NULL unless it is PTX: binaries of other drivers cannot be read. */
static char *take_text(char *binary)
{
    g_autofree char *text = binary;
    return strstr(text, ".entry") && g_utf8_validate(text, -1, NULL) ? g_steal_pointer(&text)
                                                                     : NULL;
}

char *ps_opencl_code(PsDevice *device, PsBenchProgram *program)
{
    const Opencl *opencl = (Opencl *)device;
    void *of = ((OpenclProgram *)program)->program;
    gsize bytes = 0;
    if (opencl->api.program_info(of, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != 0 ||
        bytes == 0)
        return NULL;
    char *binary = g_malloc0(bytes + 1);
    if (opencl->api.program_info(of, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) != 0) {
        g_free(binary);
        return NULL;
    }
    return take_text(binary);
}
