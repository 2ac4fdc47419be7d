/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding devices, and what they all have in common, through stand-ins for their drivers
 * (tests/stand-in), which can be told to fail at any call; and OpenCL. CUDA and HIP have programs
 * of their own.
 */
#include "latency-bench/internal.h"
#include "tests/help/toy.h"
#include <math.h>
#include <string.h>

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
    toy_check_error(error, PS_ERROR_DEVICE, all);
    error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    g_autofree char *one = g_strdup_printf(
        "no device: CUDA (libcuda.so.1) was looked for and not found in PIPESIM_DRIVERS=%s",
        stand->folder);
    toy_check_error(error, PS_ERROR_DEVICE, one);
    error = NULL;
    g_assert_null(ps_device_open("metal", 0, &error));
    toy_check_error(error, PS_ERROR_USAGE,
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
    toy_check_error(error, PS_ERROR_DEVICE,
                    "no device: CUDA: libcuda.so.1 has no function cuGetErrorName: pipesim cannot "
                    "use this version of it");
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_numbers(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 1, &error));
    toy_check_error(error, PS_ERROR_DEVICE,
                    "no device: CUDA: there are 1 devices, and number 1 (from 0) is asked for");
    error = NULL;
    stand->set("devices", 0);
    g_assert_null(ps_device_open("cuda", 0, &error));
    toy_check_error(error, PS_ERROR_DEVICE, "no device: CUDA: cuInit: CUDA_ERROR_NO_DEVICE (100)");
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

static void test_opencl_failures(void)
{
    static const ToyFailure failures[] = {
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
    toy_check_failures(stand, "opencl", failures, G_N_ELEMENTS(failures));
}

/* A driver that ends the process ends no program of ours: it is an error with its own last words.
 */
static void test_opencl_ends(void)
{
    static const char *const how[] = {"Aborted", "exit status 0"};
    g_autoptr(StandIn) stand = stand_in_opencl();
    for (guint i = 0; i < G_N_ELEMENTS(how); i++) {
        stand->set("ends", (int)i + 1);
        GError *error = NULL;
        g_assert_null(ps_device_open("opencl", 0, &error));
        g_autofree char *message = g_strdup_printf(
            "no device: OpenCL: %sthe driver ends a program that asks for its devices (%s: nothing "
            "to run on \xef\xbf\xbd)",
            g_file_test("/sys/devices/system", G_FILE_TEST_IS_DIR)
                ? ""
                : "/sys is not mounted, which PoCL needs: ",
            how[i]);
        toy_check_error(error, PS_ERROR_DEVICE, message);
        g_assert_cmpint(stand->get("live"), ==, 0);
    }
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
    toy_check_every_call(stand, "opencl", calls);
}

static void test_does_not_compile(void)
{
    PsBenchKernel kernel = toy_kernel();
    kernel.source = (char *)"#error told so\n";
    PsBenchSample sample;
    g_autoptr(StandIn) cuda = stand_in_cuda();
    toy_check_error(toy_session_with("cuda", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                    "toy does not compile: nvrtcCompileProgram: RTC_ERROR_COMPILATION (6): "
                    "kernel.cu(3): error: #error told so 1 error detected");
    g_assert_cmpint(cuda->get("live"), ==, 0);
    g_autoptr(StandIn) opencl = stand_in_opencl();
    toy_check_error(toy_session_with("opencl", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                    "toy does not compile: clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11): line 3: "
                    "#error told so");
    g_assert_cmpint(opencl->get("live"), ==, 0);
    g_autoptr(StandIn) hip = stand_in_hip();
    toy_check_error(toy_session_with("hip", &kernel, &toy_launch, &sample), PS_ERROR_DEVICE,
                    "toy does not compile: hiprtcCompileProgram: RTC_ERROR_COMPILATION (6): "
                    "kernel.cu(3): error: #error told so 1 error detected");
    g_assert_cmpint(hip->get("live"), ==, 0);
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
        toy_check_error(toy_session_with("cuda", &kernel, &cases[i].launch, &sample), cases[i].code,
                        cases[i].message);
    }
    g_assert_cmpint(stand->get("launches"), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/devices/none", test_none);
    g_test_add_func("/devices/broken", test_broken);
    g_test_add_func("/devices/lacking", test_lacking);
    g_test_add_func("/devices/numbers", test_numbers);
    g_test_add_func("/devices/order", test_order);
    g_test_add_func("/devices/opencl-info", test_opencl_info);
    g_test_add_func("/devices/opencl-failures", test_opencl_failures);
    g_test_add_func("/devices/opencl-ends", test_opencl_ends);
    g_test_add_func("/devices/opencl-calls", test_opencl_calls);
    g_test_add_func("/devices/does-not-compile", test_does_not_compile);
    g_test_add_func("/devices/launches", test_launches);
    return g_test_run();
}
