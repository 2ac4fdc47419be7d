/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HIP through stand-ins for its driver and its compiler (tests/stand-in), which can be told to fail
 * at any call.
 */
#include "latency-bench/internal.h"
#include "tests/help/toy.h"

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

static void test_run_hip(void)
{
    g_autoptr(StandIn) stand = stand_in_hip();
    toy_check_sample(stand, "hip");
}

static void test_hip_failures(void)
{
    static const ToyFailure failures[] = {
        {"hipInit", 1, 100, PS_ERROR_DEVICE, "no device: HIP: hipInit: hipErrorNoDevice (100)"},
        {"hipModuleLaunchKernel", 2, 9, PS_ERROR_RESOURCES,
         "hipModuleLaunchKernel: hipErrorInvalidConfiguration (9)"},
        {"hipEventSynchronize", 1, 719, PS_ERROR_DEVICE,
         "hipEventSynchronize: hipErrorLaunchFailure (719)"},
        {"hipMalloc", 2, 2, PS_ERROR_RESOURCES, "hipMalloc: hipErrorOutOfMemory (2)"},
        {"hiprtcGetCode", 1, 1, PS_ERROR_DEVICE, "hiprtcGetCode: RTC_ERROR_OUT_OF_MEMORY (1)"},
    };
    g_autoptr(StandIn) stand = stand_in_hip();
    toy_check_failures(stand, "hip", failures, G_N_ELEMENTS(failures));
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
    toy_check_every_call(stand, "hip", calls);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/devices-hip/hip-info", test_hip_info);
    g_test_add_func("/devices-hip/run-hip", test_run_hip);
    g_test_add_func("/devices-hip/hip-failures", test_hip_failures);
    g_test_add_func("/devices-hip/hip-calls", test_hip_calls);
    return g_test_run();
}
