/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any OpenCL device: GPUs of all platforms first, then accelerators, then CPUs. Its kernels cannot
 * read a counter, so seconds are measured.
 */
#include "latency-bench/device/opencl.h"
#include "latency-bench/device/rehearse.h"
#include "latency-bench/internal.h"

#define API(member, function)                                                                      \
    {                                                                                              \
        function, G_STRUCT_OFFSET(OpenclApi, member), FALSE                                        \
    }
static const PsLibrarySymbol functions[] = {
    API(platforms, "clGetPlatformIDs"),
    API(devices, "clGetDeviceIDs"),
    API(device_info, "clGetDeviceInfo"),
    API(create_context, "clCreateContext"),
    API(release_context, "clReleaseContext"),
    API(create_queue, "clCreateCommandQueue"),
    API(release_queue, "clReleaseCommandQueue"),
    API(create_program, "clCreateProgramWithSource"),
    API(build, "clBuildProgram"),
    API(build_info, "clGetProgramBuildInfo"),
    API(program_info, "clGetProgramInfo"),
    API(release_program, "clReleaseProgram"),
    API(create_kernel, "clCreateKernel"),
    API(kernel_info, "clGetKernelInfo"),
    API(group_info, "clGetKernelWorkGroupInfo"),
    API(release_kernel, "clReleaseKernel"),
    API(set_argument, "clSetKernelArg"),
    API(create_buffer, "clCreateBuffer"),
    API(release_buffer, "clReleaseMemObject"),
    API(write, "clEnqueueWriteBuffer"),
    API(read, "clEnqueueReadBuffer"),
    API(launch, "clEnqueueNDRangeKernel"),
    API(wait, "clWaitForEvents"),
    API(profile, "clGetEventProfilingInfo"),
    API(release_event, "clReleaseEvent"),
};

static void close_opencl(PsDevice *device)
{
    Opencl *opencl = (Opencl *)device;
    ps_driver_clear(&opencl->driver);
    if (opencl->queue)
        opencl->api.release_queue(opencl->queue);
    if (opencl->context)
        opencl->api.release_context(opencl->context);
    ps_library_close(opencl->library);
    g_free(opencl->options);
    ps_device_info_clear(&device->info);
    g_free(opencl);
}

static void release(PsDevice *device, PsBenchProgram *program)
{
    ps_opencl_discard_program((Opencl *)device, (OpenclProgram *)program);
    g_free(program);
}

static PsBenchProgram *compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    Opencl *opencl = (Opencl *)device;
    OpenclProgram *program = g_new0(OpenclProgram, 1);
    ps_driver_program_init(&opencl->driver, &program->base, kernel);
    g_autofree char *source = ps_bench_source(kernel, device->info.backend);
    g_autofree char *function = ps_driver_function(kernel);
    if (ps_opencl_build(opencl, source, function, program, error))
        return (PsBenchProgram *)program;
    release(device, (PsBenchProgram *)program);
    return NULL;
}

static const PsDeviceClass device_class = {
    .close = close_opencl,
    .compile = compile,
    .release = release,
    .run = ps_driver_run,
    .code = ps_opencl_code,
    .check = ps_driver_check,
};

/* Adds the devices of one platform and type to the list. */
static gboolean list_type(const Opencl *opencl, void *platform, guint64 type, GPtrArray *into,
                          GError **error)
{
    guint32 n = 0;
    int result = opencl->api.devices(platform, type, 0, NULL, &n);
    if (result == CL_DEVICE_NOT_FOUND || (result == 0 && n == 0))
        return TRUE;
    if (!ps_opencl_check(result, "clGetDeviceIDs", error))
        return FALSE;
    g_autofree void **ids = g_new0(void *, n);
    if (!ps_opencl_check(opencl->api.devices(platform, type, n, ids, NULL), "clGetDeviceIDs",
                         error))
        return FALSE;
    for (guint32 i = 0; i < n; i++)
        g_ptr_array_add(into, ids[i]);
    return TRUE;
}

static gboolean list_devices(const Opencl *opencl, GPtrArray *into, GError **error)
{
    static const guint64 types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                    CL_DEVICE_TYPE_CPU};
    guint32 n = 0;
    if (!ps_opencl_check(opencl->api.platforms(0, NULL, &n), "clGetPlatformIDs", error))
        return FALSE;
    g_autofree void **platforms = g_new0(void *, MAX(n, 1));
    if (n > 0 &&
        !ps_opencl_check(opencl->api.platforms(n, platforms, NULL), "clGetPlatformIDs", error))
        return FALSE;
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        for (guint32 p = 0; p < n; p++)
            if (!list_type(opencl, platforms[p], types[t], into, error))
                return FALSE;
    return TRUE;
}

static void ask_for_devices(gpointer opencl)
{
    g_autoptr(GPtrArray) devices = g_ptr_array_new();
    list_devices(opencl, devices, NULL);
}

/* PoCL aborts without /sys, by which it sees the machine. */
static gboolean rehearse(Opencl *opencl, GError **error)
{
    if (ps_rehearse(ask_for_devices, opencl, error))
        return TRUE;
    if (error && !g_file_test("/sys/devices/system", G_FILE_TEST_IS_DIR))
        g_prefix_error(error, "/sys is not mounted, which PoCL needs: ");
    return FALSE;
}

static gboolean choose(Opencl *opencl, guint number, GError **error)
{
    g_autoptr(GPtrArray) devices = g_ptr_array_new();
    if (!list_devices(opencl, devices, error))
        return FALSE;
    if (number >= devices->len) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "there are %u devices, and number %u (from 0) is asked for", devices->len,
                    number);
        return FALSE;
    }
    opencl->id = g_ptr_array_index(devices, number);
    return TRUE;
}

static gboolean start(Opencl *opencl, guint number, GError **error)
{
    int result = 0;
    if (!ps_library_functions(opencl->library, functions, G_N_ELEMENTS(functions), &opencl->api,
                              error) ||
        !rehearse(opencl, error) || !choose(opencl, number, error))
        return FALSE;
    opencl->context = opencl->api.create_context(NULL, 1, &opencl->id, NULL, NULL, &result);
    if (!ps_opencl_check(result, "clCreateContext", error))
        return FALSE;
    opencl->queue =
        opencl->api.create_queue(opencl->context, opencl->id, CL_QUEUE_PROFILING_ENABLE, &result);
    if (!ps_opencl_check(result, "clCreateCommandQueue", error) ||
        !ps_opencl_describe(opencl, error))
        return FALSE;
    opencl->options =
        g_strdup_printf("-DWARP_SIZE=%" G_GINT64_FORMAT "u", opencl->driver.device.info.warp_size);
    return TRUE;
}

PsDevice *ps_opencl_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error)
{
    Opencl *opencl = g_new0(Opencl, 1);
    opencl->driver.device.methods = &device_class;
    opencl->driver.device.info.clock = opencl->driver.device.info.boost_clock = PS_RATIONAL_INT(0);
    opencl->driver.calls = &ps_opencl_driver_calls;
    opencl->library = library;
    if (start(opencl, choice->number, error))
        return &opencl->driver.device;
    close_opencl(&opencl->driver.device);
    return NULL;
}
