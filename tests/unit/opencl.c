/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCL for real, on PoCL, which runs kernels on the CPU.
 */
#include "latency-bench/device/driver.h"
#include "latency-bench/internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each thread writes to the sink where it got to. */
static PsBenchKernel toy_kernel(PsBenchMemory memory)
{
    return (PsBenchKernel){
        .name = (char *)"toy-1",
        .class_name = (char *)"global.load",
        .kind = PS_BENCH_GLOBAL,
        .ilp = 1,
        .unroll = 1,
        .step = 1,
        .memory = memory,
        .source = (char *)"KERNEL(NAME)\n{\n    LOCAL_WORDS\n    POINTER at = POINTER_TO(NUMBER);\n"
                          "    for (U32 i = 0; i < length; i++)\n        OP_pointer_l1(at, at)\n"
                          "    sink[NUMBER] = at / 4u + step * elements;\n}\n",
    };
}

enum { GROUPS = 4, GROUP_SIZE = 16, THREADS = GROUPS * GROUP_SIZE, LINES = 100, RING_LINES = 64 };

static PsBenchLaunch toy_launch(gint64 length)
{
    return (PsBenchLaunch){.groups = GROUPS,
                           .group_size = GROUP_SIZE,
                           .local_memory = 128,
                           .warps = 1,
                           .length = length,
                           .memory = LINES * 256};
}

/* NULL, and the test skipped, where there is no OpenCL, or it cannot run here. */
static PsDevice *open_or_skip(void)
{
    /* valgrind does not know all instructions that PoCL makes; the leak sanitizer falls over its
     * threads now and then. That OpenCL's objects are given back is what devices.c tests. */
    if (g_getenv("PIPESIM_CHECKER")) {
        g_test_skip("PoCL cannot run under a checker");
        return NULL;
    }
    g_autoptr(GError) error = NULL;
    PsDevice *device = ps_device_open("opencl", 0, &error);
    if (!device)
        g_test_skip(error->message);
    return device;
}

/* What the first threads wrote. */
static void read_sink(PsDevice *device, guint32 *words)
{
    PsDriver *driver = (PsDriver *)device;
    g_assert_true(
        driver->calls->read(driver, driver->sink.buffer, words, THREADS * sizeof(guint32), NULL));
}

static PsBenchProgram *compile(PsDevice *device, PsBenchMemory memory)
{
    static PsBenchKernel kernel; /* which the program borrows */
    GError *error = NULL;
    kernel = toy_kernel(memory);
    PsBenchProgram *program = ps_device_compile(device, &kernel, &error);
    g_assert_no_error(error);
    return program;
}

static void test_info(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    const PsDeviceInfo *info = &device->info;
    g_assert_cmpstr(info->backend, ==, "OpenCL");
    g_assert_true(info->name && *info->name && info->vendor && *info->vendor);
    g_assert_true(g_str_has_prefix(info->driver, "OpenCL "));
    g_assert_cmpint(info->compute_units, >=, 1);
    g_assert_cmpint(info->warp_size, >=, 1);
    g_assert_cmpint(info->limits.group_size, >=, 1);
    g_assert_cmpint(info->limits.local_memory_per_group, >=, 16384);
    g_assert_cmpint(info->memory, >, 0);
    g_assert_false(info->counter);
    g_test_message("%s, %s, %s: %d CUs, warps of %d", info->name, info->vendor, info->driver,
                   (int)info->compute_units, (int)info->warp_size);
}

static void test_run(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    PsBenchProgram *program = compile(device, PS_MEMORY_RING);
    PsBenchLaunch launch = toy_launch(100000);
    PsBenchSample sample = {0, 0, 0};
    GError *error = NULL;
    g_assert_true(ps_device_run(device, program, &launch, &sample, &error));
    g_assert_no_error(error);
    g_assert_true(isnan(sample.cycles));
    g_assert_cmpfloat(sample.seconds, >, 0);
    g_assert_cmpfloat(sample.seconds, <, 60);
    g_assert_true(isnan(sample.mhz) || sample.mhz > 0);
    g_assert_null(ps_device_code(device, program));
    ps_device_release(device, program);
}

static void test_patterns(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    static const PsBenchMemory patterns[] = {PS_MEMORY_RING, PS_MEMORY_ZERO, PS_MEMORY_RING};
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
        PsBenchProgram *program = compile(device, patterns[i]);
        guint32 half[THREADS] = {0}, whole[THREADS] = {0};
        PsBenchSample sample;
        PsBenchLaunch launch = toy_launch(RING_LINES / 2);
        g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
        read_sink(device, half);
        launch.length = RING_LINES;
        g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
        read_sink(device, whole);
        for (guint32 t = 0; t < THREADS; t++) {
            g_assert_cmpuint(whole[t], ==, patterns[i] == PS_MEMORY_ZERO ? 0 : t);
            if (patterns[i] == PS_MEMORY_RING)
                g_assert_true(half[t] != t && half[t] % 64 == t);
        }
        ps_device_release(device, program);
    }
}

static void test_arguments(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    PsBenchProgram *program = compile(device, PS_MEMORY_RING);
    PsBenchLaunch launch = toy_launch(RING_LINES);
    launch.step = 1000;
    PsBenchSample sample;
    guint32 words[THREADS] = {0};
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    read_sink(device, words);
    g_assert_cmpuint(words[5], ==, 5 + 1000 * LINES * 64);
    ps_device_release(device, program);
}

static void test_does_not_compile(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    PsBenchKernel kernel = toy_kernel(PS_MEMORY_NONE);
    kernel.source = (char *)"KERNEL(NAME) { nonsense; }\n";
    GError *error = NULL;
    g_assert_null(ps_device_compile(device, &kernel, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_true(g_str_has_prefix(error->message, "toy_1 does not compile: clBuildProgram: "
                                                   "CL_BUILD_PROGRAM_FAILURE (-11): "));
    g_assert_nonnull(strstr(error->message, "nonsense"));
    g_clear_error(&error);
    kernel.source = (char *)"__kernel void other(void) {}\n";
    g_assert_null(ps_device_compile(device, &kernel, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_cmpstr(error->message, ==, "clCreateKernel: CL_INVALID_KERNEL_NAME (-46)");
    g_clear_error(&error);
}

static void check_lack(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch)
{
    PsBenchSample sample;
    GError *error = NULL;
    g_assert_false(ps_device_run(device, program, launch, &sample, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_RESOURCES);
    g_test_message("%s", error ? error->message : "no error");
    g_clear_error(&error);
}

/* What the device has too little of is a launch that is left out; the next one runs. */
static void test_resources(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    PsBenchProgram *program = compile(device, PS_MEMORY_ZERO);
    PsLimits limits = device->info.limits;
    PsBenchLaunch launch = toy_launch(3);
    PsBenchSample sample;
    launch.local_memory = limits.local_memory_per_group + 1;
    check_lack(device, program, &launch);
    launch = toy_launch(3);
    launch.group_size = limits.group_size + 1;
    check_lack(device, program, &launch);
    /* If the limits are not known, the driver says it. */
    device->info.limits.group_size = 0;
    check_lack(device, program, &launch);
    launch = toy_launch(3);
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    ps_device_release(device, program);
}

static void test_numbers(void)
{
    g_autoptr(PsDevice) device = open_or_skip();
    if (!device)
        return;
    GError *error = NULL;
    g_assert_null(ps_device_open("opencl", 1000, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_true(g_str_has_prefix(error->message, "no device: OpenCL: there are "));
    g_assert_true(
        g_str_has_suffix(error->message, " devices, and number 1000 (from 0) is asked for"));
    g_clear_error(&error);
}

/* PoCL keeps what it compiled: beside the tests, and not at home. */
static void choose_cache(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_assert_nonnull(program);
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *cache = g_build_filename(folder, "pocl-cache", NULL);
    g_setenv("POCL_CACHE_DIR", cache, TRUE);
}

int main(int argc, char **argv)
{
    choose_cache();
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/opencl/info", test_info);
    g_test_add_func("/opencl/run", test_run);
    g_test_add_func("/opencl/patterns", test_patterns);
    g_test_add_func("/opencl/arguments", test_arguments);
    g_test_add_func("/opencl/does-not-compile", test_does_not_compile);
    g_test_add_func("/opencl/resources", test_resources);
    g_test_add_func("/opencl/numbers", test_numbers);
    return g_test_run();
}
