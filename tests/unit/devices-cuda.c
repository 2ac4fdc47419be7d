/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA through stand-ins for its driver and its compiler (tests/stand-in), which can be told to
 * fail at any call, and through NVRTC itself where that is installed.
 */
#include "latency-bench/internal.h"
#include "tests/help/toy.h"
#include <math.h>
#include <string.h>

static void test_no_compiler(void)
{
    static const char *const only[] = {"libcuda.so.1", NULL};
    g_autoptr(StandIn) stand = stand_in_new("cuda", only);
    GError *error = NULL;
    g_assert_null(ps_device_open("cuda", 0, &error));
    toy_check_error(
        error, PS_ERROR_DEVICE,
        "no device: CUDA: kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, "
        "libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with the "
        "CUDA toolkit, and PIPESIM_DRIVERS can name its folder");
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_cuda_info(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open(NULL, 0, NULL);
    g_assert_nonnull(device);
    const PsDeviceInfo info = device->info;
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
    g_assert_cmpint(stand->get("launches"), ==, 0);
}

static void test_run_cuda(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    toy_check_sample(stand, "cuda");
    stand->set("wrap", 1);
    toy_check_sample(stand, "cuda");
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

/* What is to be found in device memory finds caches emptied by a sweep, before each launch; its
 * buffer, twice the 4 MB of L2, is had once. A walk is swept for where it is not warm. */
static void test_cold(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open("cuda", 0, NULL);
    PsBenchKernel kernel = toy_kernel();
    PsBenchLaunch launch = toy_launch;
    PsBenchSample sample;
    kernel.kind = PS_BENCH_GLOBAL;
    kernel.level = PS_LEVEL_DEVICE;
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 4); /* a single trip and all, each after a sweep */
    const int live = stand->get("live");
    launch.length = 100;
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 6);
    g_assert_cmpint(stand->get("live"), ==, live);
    ps_device_release(device, program);

    kernel.kind = PS_BENCH_LEVEL;
    kernel.access = PS_ACCESS_WALK;
    kernel.untimed = TRUE;
    program = ps_device_compile(device, &kernel, NULL);
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 7); /* warm */
    launch.step = 0;
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_cmpint(stand->get("launches"), ==, 9);
    ps_device_release(device, program);
}

static void test_local_memory(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchKernel kernel = toy_kernel();
    PsBenchLaunch launch = toy_launch;
    PsBenchSample sample;
    launch.local_memory = 15360;
    g_assert_no_error(toy_session_with("cuda", &kernel, &launch, &sample));
    g_assert_cmpint(stand->get("max-dynamic"), ==, 15360);
    /* Two groups of 15 KB, each with 1 KB reserved, of 64 KB. */
    g_assert_cmpint(stand->get("carveout"), ==, 50);
    launch.local_memory = 0;
    g_assert_no_error(toy_session_with("cuda", &kernel, &launch, &sample));
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
    {
        g_autoptr(PsDevice) device = ps_device_open("cuda", 0, NULL);
        g_assert_cmpstr(
            device->info.note, ==,
            "NVRTC 13.0 does not know sm_90: it compiles for sm_89, and the driver makes "
            "machine code of that");
    }
    stand->set("no-code", -1);
    toy_check_error(
        toy_session("cuda", &sample), PS_ERROR_DEVICE,
        "no device: CUDA: NVRTC 13.0 makes no code for sm_90, which is too old for it: an "
        "older version of the CUDA toolkit is needed");
}

static void test_cuda_failures(void)
{
    static const ToyFailure failures[] = {
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
    toy_check_failures(stand, "cuda", failures, G_N_ELEMENTS(failures));
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
    toy_check_every_call(stand, "cuda", calls);
}

static void test_timers(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchSample sample;
    stand->set("still", 1);
    toy_check_error(
        toy_session("cuda", &sample), PS_ERROR_DEVICE,
        "the device's cycle counter does not advance: warp 0 began at 1000 and ended at "
        "1000");
    stand->set("still", 0);
    stand->set("no-time", 1);
    toy_check_error(toy_session("cuda", &sample), PS_ERROR_DEVICE,
                    "the device's timer does not advance: a launch took 0 s");
}

static void test_spread(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    PsBenchSample sample;
    PsBenchKernel kernel = toy_kernel();
    kernel.kind = PS_BENCH_GLOBAL;
    stand->set("uneven", 1);
    toy_check_error(
        toy_session_with("cuda", &kernel, &toy_launch, &sample), PS_ERROR_RESOURCES,
        "the groups did not spread evenly: no compute unit held exactly 4 warps at once, "
        "they got 16 to 16");
    stand->set("uneven", 0);
    stand->set("one-by-one", 1);
    toy_check_error(toy_session_with("cuda", &kernel, &toy_launch, &sample), PS_ERROR_RESOURCES,
                    "the groups did not run at the same time: no compute unit held its 4 warps at "
                    "once");
    /* What is about seconds needs no cycles. */
    kernel.kind = PS_BENCH_STREAM;
    g_assert_no_error(toy_session_with("cuda", &kernel, &toy_launch, &sample));
    g_assert_true(isnan(sample.cycles));
    g_assert_cmpfloat(sample.seconds, >, 0);
}

/* A kernel that does not compile is no loss of the device, a lack of memory is none, and what ends
 * all is. */
static void test_lost(void)
{
    g_autoptr(StandIn) stand = stand_in_cuda();
    g_autoptr(PsDevice) device = ps_device_open("cuda", 0, NULL);
    PsBenchKernel kernel = toy_kernel();
    kernel.source = (char *)"#error told so\n";
    g_assert_null(ps_device_compile(device, &kernel, NULL));
    g_assert_true(ps_device_check(device, NULL));
    static const struct {
        const char *call;
        int code;
        const char *message; /* NULL: all is well */
    } cases[] = {
        {"cuMemcpyHtoD_v2", 46, "cuMemcpyHtoD: CUDA_ERROR_DEVICE_UNAVAILABLE (46)"},
        {"cuCtxSetCurrent", 719, "cuCtxSetCurrent: CUDA_ERROR_LAUNCH_FAILED (719)"},
        {"cuMemcpyHtoD_v2", 2, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        stand->fail(cases[i].call, 1, cases[i].code);
        g_assert_cmpint(ps_device_check(device, &error), ==, !cases[i].message);
        if (cases[i].message)
            toy_check_error(error, PS_ERROR_DEVICE, cases[i].message);
        g_assert_true(ps_device_check(device, NULL));
    }
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
    g_test_add_func("/devices-cuda/no-compiler", test_no_compiler);
    g_test_add_func("/devices-cuda/cuda-info", test_cuda_info);
    g_test_add_func("/devices-cuda/run-cuda", test_run_cuda);
    g_test_add_func("/devices-cuda/again", test_again);
    g_test_add_func("/devices-cuda/cold", test_cold);
    g_test_add_func("/devices-cuda/local-memory", test_local_memory);
    g_test_add_func("/devices-cuda/code", test_code);
    g_test_add_func("/devices-cuda/architectures", test_architectures);
    g_test_add_func("/devices-cuda/cuda-failures", test_cuda_failures);
    g_test_add_func("/devices-cuda/cuda-calls", test_cuda_calls);
    g_test_add_func("/devices-cuda/timers", test_timers);
    g_test_add_func("/devices-cuda/spread", test_spread);
    g_test_add_func("/devices-cuda/lost", test_lost);
    g_test_add_func("/devices-cuda/nvrtc", test_nvrtc);
    return g_test_run();
}
