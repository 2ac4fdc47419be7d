/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding and using devices: CUDA and HIP through stand-ins for their drivers (tests/stand-in),
 * which can be told to fail at any call.
 */
#include "latency-bench/device.h"
#include "tests/help/stand-in.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A chase through memory. */
static PsBenchKernel toy_kernel(void)
{
    return (PsBenchKernel){
        .name = (char *)"toy",
        .klass = (char *)"global.load",
        .ilp = 1,
        .unroll = 1,
        .step = 1,
        .memory = PS_MEMORY_RING,
        .source = (char *)"KERNEL(NAME)\n{\n    LOCAL_WORDS\n    U32 at = 0;\n"
                          "    const U64 begin = COUNTER;\n"
                          "    for (U32 i = 0; i < length; i++)\n        at = memory[at];\n"
                          "    const U64 end = COUNTER;\n    sink[NUMBER] = at;\n"
                          "    STAMP(begin, end)\n}\n",
    };
}

static const PsBenchLaunch toy_launch = {
    .groups = 8, .group_size = 64, .warps = 4, .length = 10000, .memory = 65536, .step = 1};

static void check_error(GError *error, PsErrorCode code, const char *message)
{
    g_assert_error(error, PS_ERROR, (int)code);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
    g_clear_error(&error);
}

/* ---- none ---------------------------------------------------------------------------------- */

static void test_none(void)
{
    g_autoptr(StandIn) stand = stand_in_new(NULL, NULL);
    GError *error = NULL;
    g_assert_null(ps_device_open(NULL, 0, &error));
    g_autofree char *all = g_strdup_printf(
        "no device: CUDA (libcuda.so.1), HIP (libamdhip64.so.7, libamdhip64.so.6, "
        "libamdhip64.so.5, libamdhip64.so) and OpenCL (libOpenCL.so.1) were looked for and not "
        "found in PIPESIM_DRIVERS=%s",
        stand->folder);
    check_error(error, PS_ERROR_DEVICE, all);
    error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    g_autofree char *one = g_strdup_printf(
        "no device: CUDA (libcuda.so.1) was looked for and not found in PIPESIM_DRIVERS=%s",
        stand->folder);
    check_error(error, PS_ERROR_DEVICE, one);
    error = NULL;
    g_assert_null(ps_device_open("metal", 0, &error));
    check_error(error, PS_ERROR_USAGE,
                "there is no kind of device named 'metal'; there are cuda, hip and opencl");
}

static void test_broken(void)
{
    g_autoptr(StandIn) stand = stand_in_new(NULL, NULL);
    g_autofree char *file = g_build_filename(stand->folder, "libcuda.so.1", NULL);
    g_assert_true(g_file_set_contents(file, "no library", -1, NULL));
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_true(
        g_str_has_prefix(error->message, "no device: CUDA: a library cannot be opened: "));
    g_assert_nonnull(strstr(error->message, "libcuda.so.1: file too short"));
    g_clear_error(&error);
}

static void test_lacking(void)
{
    static const char *const wrong[] = {"libcuda.so.1", NULL};
    g_autoptr(StandIn) stand = stand_in_new("hip", wrong);
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    check_error(error, PS_ERROR_DEVICE,
                "no device: CUDA: libcuda.so.1 has no function cuGetErrorName: it is of another "
                "version than the ones that can be used");
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_no_compiler(void)
{
    static const char *const only[] = {"libcuda.so.1", NULL};
    g_autoptr(StandIn) stand = stand_in_new("cuda", only);
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    check_error(error, PS_ERROR_DEVICE,
                "no device: CUDA: kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, "
                "libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with the "
                "CUDA toolkit, and PIPESIM_DRIVERS can name its folder");
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_numbers(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 1, &error));
    check_error(error, PS_ERROR_DEVICE,
                "no device: CUDA: there are 1 devices, and number 1 (from 0) is asked for");
    error = NULL;
    stand->set("devices", 0);
    g_assert_null(ps_device_open("cuda", 0, &error));
    check_error(error, PS_ERROR_DEVICE, "no device: CUDA: cuInit: CUDA_ERROR_NO_DEVICE (100)");
    error = NULL;
    g_assert_null(ps_device_open(NULL, 0, &error));
    g_assert_true(g_str_has_prefix(
        error->message, "no device: CUDA: cuInit: CUDA_ERROR_NO_DEVICE (100); HIP (libamdhip64"));
    g_clear_error(&error);
    stand->set("devices", 3);
    g_autoptr(PsDevice) device = ps_device_open(NULL, 2, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(device->info.name, ==, "Stand-in 2");
}

/* ---- what a device says of itself ---------------------------------------------------------- */

static void test_cuda_info(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open(NULL, 0, NULL);
    g_assert_nonnull(device);
    PsDeviceInfo info;
    ps_device_info_copy(&device->info, &info);
    g_assert_cmpstr(info.backend, ==, "CUDA");
    g_assert_cmpstr(info.name, ==, "Stand-in 0");
    g_assert_cmpstr(info.vendor, ==, "NVIDIA");
    g_assert_cmpstr(info.architecture, ==, "sm_90");
    g_assert_cmpstr(info.driver, ==, "CUDA driver 13.0, NVRTC 13.0");
    g_assert_cmpint(info.compute_units, ==, 4);
    g_assert_cmpint(info.warp_size, ==, 32);
    g_assert_cmpint(info.schedulers, ==, 4);
    g_assert_cmpint(ps_rational_cmp(info.clock, PS_RATIONAL_INT(0)), ==, 0);
    g_assert_cmpint(ps_rational_cmp(info.boost_clock, PS_RATIONAL_INT(1000)), ==, 0);
    g_assert_cmpint(info.memory, ==, 1 << 30);
    g_assert_cmpint(info.l2, ==, 4194304);
    g_assert_true(info.counter && info.fp64 && info.fp16);
    const PsLimits *limits = &info.limits;
    g_assert_cmpint(limits->warps, ==, 64);
    g_assert_cmpint(limits->groups, ==, 32);
    g_assert_cmpint(limits->group_size, ==, 1024);
    g_assert_cmpint(limits->registers, ==, 65536);
    g_assert_cmpint(limits->registers_per_thread, ==, 255);
    g_assert_cmpint(limits->local_memory, ==, 65536);
    g_assert_cmpint(limits->local_memory_per_group, ==, 65536);
    g_assert_cmpint(limits->local_memory_reserved, ==, 1024);
    ps_device_info_clear(&info);
    g_assert_cmpint(stand->get("launches"), ==, 0);
}

static void test_hip_info(void)
{
    g_autoptr(StandIn) stand = stand_in_hip();
    g_autoptr(PsDevice) device = ps_device_open(NULL, 0, NULL);
    g_assert_nonnull(device);
    const PsDeviceInfo *info = &device->info;
    g_assert_cmpstr(info->backend, ==, "HIP");
    g_assert_cmpstr(info->vendor, ==, "AMD");
    g_assert_cmpstr(info->architecture, ==, "gfx90a");
    g_assert_cmpstr(info->driver, ==, "HIP 6.2.41133");
    g_assert_cmpint(info->compute_units, ==, 4);
    g_assert_cmpint(info->limits.warps, ==, 64);
    g_assert_cmpint(info->limits.local_memory, ==, 65536);
    g_assert_cmpint(ps_rational_cmp(info->boost_clock, PS_RATIONAL_INT(1700)), ==, 0);
    const PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    g_assert_nonnull(program);
    g_assert_cmpstr(stand->arch(), ==, "gfx90a");
    g_assert_null(ps_device_code(device, program));
    ps_device_release(device, program);
}

static void test_opencl_info(void)
{
    g_autoptr(StandIn) stand = stand_in_opencl();
    g_autoptr(PsDevice) device = ps_device_open(NULL, 0, NULL);
    g_assert_nonnull(device);
    const PsDeviceInfo *info = &device->info;
    g_assert_cmpstr(info->backend, ==, "OpenCL");
    g_assert_cmpstr(info->name, ==, "Stand-in");
    g_assert_cmpstr(info->vendor, ==, "Nobody");
    g_assert_cmpstr(info->driver, ==, "OpenCL 1.2, driver 1");
    g_assert_cmpint(info->compute_units, ==, 4);
    g_assert_cmpint(info->warp_size, ==, 32);
    g_assert_true(info->fp64 && info->fp16 && !info->counter);
    g_assert_cmpint(info->limits.groups, ==, 0);
    g_assert_cmpint(info->limits.local_memory_per_group, ==, 65536);
    const PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    PsBenchSample sample = {0, 0, 0};
    g_assert_true(ps_device_run(device, program, &toy_launch, &sample, NULL));
    g_assert_true(isnan(sample.cycles));
    g_assert_cmpfloat_with_epsilon(sample.seconds, 85.1e-6, 1e-9);
    g_assert_cmpfloat(sample.mhz, ==, 1000);
    g_assert_cmpstr(stand->arch(), ==, "-DWARP_SIZE=32u");
    g_autofree char *code = ps_device_code(device, program);
    g_assert_cmpstr(code, ==, "// PTX\n.entry toy() {}\n");
    ps_device_release(device, program);
}

/* ---- sessions ------------------------------------------------------------------------------ */

/* Opens, compiles, runs once, closes. NULL, or the first error. */
static GError *session(const char *backend, const PsBenchKernel *kernel,
                       const PsBenchLaunch *launch, PsBenchSample *sample)
{
    GError *error = NULL;
    *sample = (PsBenchSample){NAN, NAN, NAN};
    g_autoptr(PsDevice) device = ps_device_open(backend, 0, &error);
    if (!device)
        return error;
    PsBenchProgram *program = ps_device_compile(device, kernel, &error);
    if (program && ps_device_run(device, program, launch, sample, &error))
        g_assert_no_error(error);
    ps_device_release(device, program);
    return error;
}

static GError *toy_session(const char *backend, PsBenchSample *sample)
{
    PsBenchKernel kernel = toy_kernel();
    return session(backend, &kernel, &toy_launch, sample);
}

static void check_sample(const StandIn *stand, const char *backend)
{
    PsBenchSample sample;
    GError *error = toy_session(backend, &sample);
    g_assert_no_error(error);
    /* 100 cycles to start, 8 for each of 10000 trips; the second group starts one cycle later. */
    g_assert_cmpfloat(sample.cycles, ==, 80101);
    g_assert_cmpfloat_with_epsilon(sample.seconds, 85.1e-6, 1e-9);
    g_assert_cmpfloat_with_epsilon(sample.mhz, 1000, 0.1);
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_run(void)
{
    g_autoptr(StandIn) cuda = stand_in_cuda();
    check_sample(cuda, "cuda");
    cuda->set("wrap", 1);
    check_sample(cuda, "cuda");
    g_autoptr(StandIn) hip = stand_in_hip();
    check_sample(hip, "hip");
}

/* One launch with a single trip serves all lengths; memory is filled once. */
static void test_again(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open("cuda", 0, NULL);
    PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    PsBenchLaunch launch = toy_launch;
    PsBenchSample sample;
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 2);
    g_assert_cmpint(stand->get("written"), ==, 3); /* memory, and times twice */
    launch.length = 100;
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 3);
    g_assert_cmpint(stand->get("written"), ==, 4);
    g_assert_cmpfloat(sample.cycles, ==, 901);
    g_assert_true(isnan(sample.mhz)); /* too short for it */
    PsBenchProgram *other = ps_device_compile(device, &kernel, NULL);
    g_assert_true(ps_device_run(device, other, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 5);
    g_assert_cmpint(stand->get("written"), ==, 6); /* rings serve all */
    ps_device_release(device, other);
    ps_device_release(device, program);
}

static void test_local_memory(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchKernel kernel = toy_kernel();
    PsBenchLaunch launch = toy_launch;
    PsBenchSample sample;
    launch.local_memory = 15360;
    g_assert_no_error(session("cuda", &kernel, &launch, &sample));
    g_assert_cmpint(stand->get("max-dynamic"), ==, 15360);
    /* Two groups of 15 KB, each with 1 KB reserved, of 64 KB. */
    g_assert_cmpint(stand->get("carveout"), ==, 50);
    launch.local_memory = 0;
    g_assert_no_error(session("cuda", &kernel, &launch, &sample));
    g_assert_cmpint(stand->get("carveout"), ==, -1);
}

static void test_code(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open("cuda", 0, NULL);
    PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    g_autofree char *code = ps_device_code(device, program);
    g_assert_nonnull(code);
    g_assert_nonnull(strstr(code, ".entry toy"));
    g_assert_cmpstr(stand->arch(), ==, "sm_90");
    ps_device_release(device, program);
}

/* A compiler that is older than the device makes text for it, one that is too new nothing. */
static void test_architectures(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchSample sample;
    stand->set("no-code", 1);
    GError *error = toy_session("cuda", &sample);
    g_assert_no_error(error);
    g_assert_cmpstr(stand->arch(), ==, "compute_89");
    stand->set("no-code", -1);
    check_error(toy_session("cuda", &sample), PS_ERROR_DEVICE,
                "no device: CUDA: NVRTC 13.0 makes no code for sm_90, which is too old for it: an "
                "older version of the CUDA toolkit is needed");
}

/* ---- what goes wrong ----------------------------------------------------------------------- */

typedef struct {
    const char *call;
    int at, code;
    PsErrorCode error;
    const char *message;
} Failure;

static void check_failures(const StandIn *stand, const char *backend, const Failure *failures,
                           guint n)
{
    for (guint i = 0; i < n; i++) {
        PsBenchSample sample;
        stand->reset();
        stand->fail(failures[i].call, failures[i].at, failures[i].code);
        check_error(toy_session(backend, &sample), failures[i].error, failures[i].message);
        g_assert_cmpint(stand->get("live"), ==, 0);
    }
}

static void test_cuda_failures(void)
{
    static const Failure failures[] = {
        {"cuCtxSetCurrent", 1, 46, PS_ERROR_DEVICE,
         "no device: CUDA: cuCtxSetCurrent: CUDA_ERROR_DEVICE_UNAVAILABLE (46)"},
        {"cuModuleLoadDataEx", 1, 209, PS_ERROR_DEVICE,
         "toy cannot be loaded: cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU (209): ptxas says "
         "why"},
        {"cuModuleGetFunction", 1, 500, PS_ERROR_DEVICE,
         "toy has no function toy: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500)"},
        {"cuMemAlloc_v2", 1, 2, PS_ERROR_RESOURCES, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)"},
        {"cuMemAlloc_v2", 3, 719, PS_ERROR_DEVICE, "cuMemAlloc: CUDA_ERROR_LAUNCH_FAILED (719)"},
        {"cuFuncSetAttribute", 1, 1, PS_ERROR_RESOURCES,
         "cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE (1)"},
        {"cuLaunchKernel", 1, 701, PS_ERROR_RESOURCES,
         "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"},
        {"cuLaunchKernel", 2, 1, PS_ERROR_RESOURCES,
         "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (1)"},
        {"cuEventSynchronize", 2, 719, PS_ERROR_DEVICE,
         "cuEventSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)"},
        {"cuEventSynchronize", 1, 214, PS_ERROR_DEVICE,
         "cuEventSynchronize: CUDA_ERROR_ECC_UNCORRECTABLE (214)"},
        {"cuMemcpyDtoH_v2", 2, 46, PS_ERROR_DEVICE,
         "cuMemcpyDtoH: CUDA_ERROR_DEVICE_UNAVAILABLE (46)"},
        {"cuMemcpyHtoD_v2", 1, 12345, PS_ERROR_DEVICE, "cuMemcpyHtoD: an unknown error (12345)"},
        {"nvrtcCreateProgram", 1, 1, PS_ERROR_DEVICE,
         "nvrtcCreateProgram: RTC_ERROR_OUT_OF_MEMORY (1)"},
        {"nvrtcGetPTX", 1, 77, PS_ERROR_DEVICE, "nvrtcGetPTX: an unknown error (77)"},
    };
    g_autoptr(StandIn) stand = stand_in_cuda();
    check_failures(stand, "cuda", failures, G_N_ELEMENTS(failures));
}

static void test_hip_failures(void)
{
    static const Failure failures[] = {
        {"hipInit", 1, 100, PS_ERROR_DEVICE, "no device: HIP: hipInit: hipErrorNoDevice (100)"},
        {"hipModuleLaunchKernel", 2, 9, PS_ERROR_RESOURCES,
         "hipModuleLaunchKernel: hipErrorInvalidConfiguration (9)"},
        {"hipEventSynchronize", 1, 719, PS_ERROR_DEVICE,
         "hipEventSynchronize: hipErrorLaunchFailure (719)"},
        {"hipMalloc", 2, 2, PS_ERROR_RESOURCES, "hipMalloc: hipErrorOutOfMemory (2)"},
        {"hiprtcGetCode", 1, 1, PS_ERROR_DEVICE, "hiprtcGetCode: RTC_ERROR_OUT_OF_MEMORY (1)"},
    };
    g_autoptr(StandIn) stand = stand_in_hip();
    check_failures(stand, "hip", failures, G_N_ELEMENTS(failures));
}

static void test_opencl_failures(void)
{
    static const Failure failures[] = {
        {"clGetPlatformIDs", 1, -1001, PS_ERROR_DEVICE,
         "no device: OpenCL: clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR (-1001)"},
        {"clCreateBuffer", 1, -4, PS_ERROR_RESOURCES,
         "clCreateBuffer: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"},
        {"clCreateBuffer", 2, -61, PS_ERROR_RESOURCES,
         "clCreateBuffer: CL_INVALID_BUFFER_SIZE (-61)"},
        {"clSetKernelArg", 8, -51, PS_ERROR_RESOURCES, "clSetKernelArg: CL_INVALID_ARG_SIZE (-51)"},
        {"clEnqueueNDRangeKernel", 1, -5, PS_ERROR_RESOURCES,
         "clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5)"},
        {"clEnqueueNDRangeKernel", 2, -54, PS_ERROR_RESOURCES,
         "clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54)"},
        {"clWaitForEvents", 1, -5, PS_ERROR_DEVICE, "clWaitForEvents: CL_OUT_OF_RESOURCES (-5)"},
        {"clWaitForEvents", 2, -14, PS_ERROR_DEVICE,
         "clWaitForEvents: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)"},
        {"clGetEventProfilingInfo", 1, -7, PS_ERROR_DEVICE,
         "clGetEventProfilingInfo: CL_PROFILING_INFO_NOT_AVAILABLE (-7)"},
        {"clBuildProgram", 2, -3, PS_ERROR_DEVICE,
         "toy does not compile: clBuildProgram: CL_COMPILER_NOT_AVAILABLE (-3)"},
        {"clCreateCommandQueue", 1, -77, PS_ERROR_DEVICE,
         "no device: OpenCL: clCreateCommandQueue: an unknown error (-77)"},
    };
    g_autoptr(StandIn) stand = stand_in_opencl();
    check_failures(stand, "opencl", failures, G_N_ELEMENTS(failures));
}

/* Whatever call fails, and when: its name is told, and all is given back that can be. */
static void check_every_call(const StandIn *stand, const char *backend, const char *const *calls)
{
    for (guint i = 0; calls[i]; i++)
        for (int at = 1; at <= 3; at++) {
            PsBenchSample sample;
            stand->reset();
            stand->fail(calls[i], at, 999);
            g_autoptr(GError) error = toy_session(backend, &sample);
            if (at == 1)
                g_assert_nonnull(error);
            g_autofree char *name =
                g_strndup(calls[i], strlen(calls[i]) - (g_str_has_suffix(calls[i], "_v2") ? 3 : 0));
            if (error && !strstr(error->message, name))
                g_test_message("%s: %s", name, error->message);
            g_assert_true(!error || strstr(error->message, name));
            g_assert_cmpint(stand->get("live"), ==, 0);
        }
}

static void test_cuda_calls(void)
{
    static const char *const calls[] = {"cuInit",
                                        "cuDriverGetVersion",
                                        "cuDeviceGetCount",
                                        "cuDeviceGet",
                                        "cuDeviceGetName",
                                        "cuDeviceGetAttribute",
                                        "cuDeviceTotalMem_v2",
                                        "cuDevicePrimaryCtxRetain",
                                        "cuCtxSetCurrent",
                                        "cuModuleLoadDataEx",
                                        "cuModuleGetFunction",
                                        "cuFuncSetAttribute",
                                        "cuLaunchKernel",
                                        "cuMemAlloc_v2",
                                        "cuMemcpyHtoD_v2",
                                        "cuMemcpyDtoH_v2",
                                        "cuEventCreate",
                                        "cuEventRecord",
                                        "cuEventSynchronize",
                                        "cuEventElapsedTime",
                                        "nvrtcVersion",
                                        "nvrtcCreateProgram",
                                        "nvrtcCompileProgram",
                                        "nvrtcGetPTXSize",
                                        "nvrtcGetPTX",
                                        "nvrtcGetCUBINSize",
                                        "nvrtcGetCUBIN",
                                        NULL};
    g_autoptr(StandIn) stand = stand_in_cuda();
    check_every_call(stand, "cuda", calls);
}

static void test_hip_calls(void)
{
    static const char *const calls[] = {"hipInit",
                                        "hipRuntimeGetVersion",
                                        "hipGetDeviceCount",
                                        "hipDeviceGet",
                                        "hipDeviceGetName",
                                        "hipDeviceGetAttribute",
                                        "hipDeviceTotalMem",
                                        "hipGetDevicePropertiesR0600",
                                        "hipSetDevice",
                                        "hipModuleLoadDataEx",
                                        "hipModuleGetFunction",
                                        "hipModuleLaunchKernel",
                                        "hipMalloc",
                                        "hipMemcpyHtoD",
                                        "hipMemcpyDtoH",
                                        "hipEventCreateWithFlags",
                                        "hipEventRecord",
                                        "hipEventSynchronize",
                                        "hipEventElapsedTime",
                                        "hiprtcCreateProgram",
                                        "hiprtcCompileProgram",
                                        "hiprtcGetCodeSize",
                                        "hiprtcGetCode",
                                        NULL};
    g_autoptr(StandIn) stand = stand_in_hip();
    check_every_call(stand, "hip", calls);
}

static void test_opencl_calls(void)
{
    static const char *const calls[] = {"clGetPlatformIDs",
                                        "clGetDeviceIDs",
                                        "clCreateContext",
                                        "clCreateCommandQueue",
                                        "clCreateProgramWithSource",
                                        "clBuildProgram",
                                        "clCreateKernel",
                                        "clGetKernelInfo",
                                        "clGetKernelWorkGroupInfo",
                                        "clSetKernelArg",
                                        "clCreateBuffer",
                                        "clEnqueueWriteBuffer",
                                        "clEnqueueNDRangeKernel",
                                        "clWaitForEvents",
                                        "clGetEventProfilingInfo",
                                        NULL};
    g_autoptr(StandIn) stand = stand_in_opencl();
    check_every_call(stand, "opencl", calls);
}

static void test_does_not_compile(void)
{
    PsBenchKernel kernel = toy_kernel();
    kernel.source = (char *)"#error told so\n";
    PsBenchSample sample;
    g_autoptr(StandIn) cuda = stand_in_cuda();
    check_error(session("cuda", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                "toy does not compile: nvrtcCompileProgram: RTC_ERROR_COMPILATION (6): "
                "kernel.cu(3): error: #error told so 1 error detected");
    g_assert_cmpint(cuda->get("live"), ==, 0);
    g_autoptr(StandIn) opencl = stand_in_opencl();
    check_error(session("opencl", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                "toy does not compile: clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11): line 3: "
                "#error told so");
    g_assert_cmpint(opencl->get("live"), ==, 0);
    g_autoptr(StandIn) hip = stand_in_hip();
    check_error(session("hip", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                "toy does not compile: hiprtcCompileProgram: RTC_ERROR_COMPILATION (6): "
                "kernel.cu(3): error: #error told so 1 error detected");
    g_assert_cmpint(hip->get("live"), ==, 0);
}

static void test_timers(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchSample sample;
    stand->set("still", 1);
    check_error(toy_session("cuda", &sample), PS_ERROR_DEVICE,
                "the device's cycle counter does not advance: warp 0 began at 1000 and ended at "
                "1000");
    stand->set("still", 0);
    stand->set("no-time", 1);
    check_error(toy_session("cuda", &sample), PS_ERROR_DEVICE,
                "the device's timer does not advance: a launch took 0 s");
}

static void test_spread(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchSample sample;
    PsBenchKernel kernel = toy_kernel();
    kernel.kind = PS_BENCH_GLOBAL;
    stand->set("uneven", 1);
    check_error(session("cuda", &kernel, &toy_launch, &sample), PS_ERROR_RESOURCES,
                "the groups did not spread evenly: no compute unit held exactly 4 warps at once, "
                "they got 16 to 16");
    stand->set("uneven", 0);
    stand->set("one-by-one", 1);
    check_error(session("cuda", &kernel, &toy_launch, &sample), PS_ERROR_RESOURCES,
                "the groups did not run at the same time: no compute unit held its 4 warps at "
                "once");
    /* What is about seconds needs no cycles. */
    kernel.kind = PS_BENCH_STREAM;
    g_assert_no_error(session("cuda", &kernel, &toy_launch, &sample));
    g_assert_true(isnan(sample.cycles));
    g_assert_cmpfloat(sample.seconds, >, 0);
}

static void test_launches(void)
{
    static const struct {
        PsBenchLaunch launch;
        PsErrorCode code;
        const char *message;
    } cases[] = {
        {{.groups = 1, .group_size = 1025},
         PS_ERROR_RESOURCES,
         "the launch needs 1025 threads per group, and the device has 1024"},
        {{.groups = 1, .group_size = 32, .local_memory = 65537},
         PS_ERROR_RESOURCES,
         "the launch needs 65537 bytes of local memory per group, and the device has 65536"},
        {{.groups = 1, .group_size = 32, .memory = G_GINT64_CONSTANT(1) << 40},
         PS_ERROR_RESOURCES,
         "the launch needs 1099511627776 bytes of memory, and the device has 1073741824"},
        {{.groups = G_GINT64_CONSTANT(1) << 31, .group_size = 32},
         PS_ERROR_RESOURCES,
         "the launch needs 2147483648 groups, and the device has 2147483647"},
        {{.groups = 0, .group_size = 32},
         PS_ERROR_USAGE,
         "a launch has at least one group and one thread, a length below 2^30 and a step below "
         "2^32"},
        {{.groups = 1, .group_size = 32, .length = 1 << 30},
         PS_ERROR_USAGE,
         "a launch has at least one group and one thread, a length below 2^30 and a step below "
         "2^32"},
    };
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchKernel kernel = toy_kernel();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsBenchSample sample;
        check_error(session("cuda", &kernel, &cases[i].launch, &sample), cases[i].code,
                    cases[i].message);
    }
    g_assert_cmpint(stand->get("launches"), ==, 0);
}

/* Where the first kind of device fails, the next is taken. */
static void test_order(void)
{
    g_autoptr(StandIn) hip = stand_in_hip();
    g_autoptr(StandIn) cuda = stand_in_cuda();
    g_autofree char *both = g_strconcat(cuda->folder, ":", hip->folder, NULL);
    g_setenv("PIPESIM_DRIVERS", both, TRUE);
    g_autoptr(PsDevice) first = ps_device_open(NULL, 0, NULL);
    g_assert_cmpstr(first ? first->info.backend : NULL, ==, "CUDA");
    cuda->fail("cuDeviceGetCount", 1, 46);
    g_autoptr(PsDevice) second = ps_device_open(NULL, 0, NULL);
    g_assert_cmpstr(second ? second->info.backend : NULL, ==, "HIP");
}

/* NVRTC itself needs no device: it compiles for one that is a stand-in. */
static void test_nvrtc(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0) {
        g_test_skip("valgrind finds fault with NVRTC");
        return;
    }
    static const char *const only[] = {"libcuda.so.1", NULL};
    g_autoptr(StandIn) stand = stand_in_new("cuda", only);
    g_autofree char *folders =
        g_strconcat(stand->folder, ":/usr/local/cuda/lib64:/usr/local/cuda/lib:", NULL);
    g_setenv("PIPESIM_DRIVERS", folders, TRUE);
    GError *error = NULL;
    g_autoptr(PsDevice) device = ps_device_open("cuda", 0, &error);
    if (!device) {
        g_assert_nonnull(strstr(error->message, "libnvrtc"));
        g_test_skip("there is no NVRTC");
        g_clear_error(&error);
        return;
    }
    PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, &error);
    g_assert_no_error(error);
    g_autofree char *code = ps_device_code(device, program);
    g_assert_true(code && strstr(code, ".target sm_90") && strstr(code, ".entry toy("));
    ps_device_release(device, program);
    kernel.source = (char *)"KERNEL(NAME) { nonsense; }\n";
    g_assert_null(ps_device_compile(device, &kernel, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_nonnull(strstr(error->message, "toy does not compile: nvrtcCompileProgram: "
                                            "NVRTC_ERROR_COMPILATION (6): "));
    g_assert_nonnull(strstr(error->message, "\"nonsense\" is undefined"));
    g_clear_error(&error);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/devices/none", test_none);
    g_test_add_func("/devices/broken-library", test_broken);
    g_test_add_func("/devices/lacking-function", test_lacking);
    g_test_add_func("/devices/no-compiler", test_no_compiler);
    g_test_add_func("/devices/numbers", test_numbers);
    g_test_add_func("/devices/order", test_order);
    g_test_add_func("/devices/cuda-info", test_cuda_info);
    g_test_add_func("/devices/hip-info", test_hip_info);
    g_test_add_func("/devices/opencl-info", test_opencl_info);
    g_test_add_func("/devices/run", test_run);
    g_test_add_func("/devices/again", test_again);
    g_test_add_func("/devices/local-memory", test_local_memory);
    g_test_add_func("/devices/code", test_code);
    g_test_add_func("/devices/architectures", test_architectures);
    g_test_add_func("/devices/cuda-failures", test_cuda_failures);
    g_test_add_func("/devices/hip-failures", test_hip_failures);
    g_test_add_func("/devices/opencl-failures", test_opencl_failures);
    g_test_add_func("/devices/cuda-calls", test_cuda_calls);
    g_test_add_func("/devices/hip-calls", test_hip_calls);
    g_test_add_func("/devices/opencl-calls", test_opencl_calls);
    g_test_add_func("/devices/does-not-compile", test_does_not_compile);
    g_test_add_func("/devices/timers", test_timers);
    g_test_add_func("/devices/spread", test_spread);
    g_test_add_func("/devices/launches", test_launches);
    g_test_add_func("/devices/nvrtc", test_nvrtc);
    return g_test_run();
}
