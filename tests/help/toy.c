/* SPDX-License-Identifier: BSD-3-Clause */
/* See toy.h. */
#include "latency-bench/internal.h"
#include "tests/help/toy.h"

#include <math.h>
#include <string.h>

PsBenchKernel toy_kernel(void)
{
    return (PsBenchKernel){
        .name = (char *)"toy",
        .class_name = (char *)"global.load",
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

const PsBenchLaunch toy_launch = {
    .groups = 8, .group_size = 64, .warps = 4, .length = 10000, .memory = 65536, .step = 1};

void toy_check_error(GError *error, PsErrorCode code, const char *message)
{
    g_assert_error(error, PS_ERROR, (int)code);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
    g_clear_error(&error);
}

GError *toy_session_with(const char *backend, const PsBenchKernel *kernel,
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

GError *toy_session(const char *backend, PsBenchSample *sample)
{
    PsBenchKernel kernel = toy_kernel();
    return toy_session_with(backend, &kernel, &toy_launch, sample);
}

void toy_check_sample(const StandIn *stand, const char *backend)
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

void toy_check_failures(const StandIn *stand, const char *backend, const ToyFailure *failures,
                        guint n)
{
    for (guint i = 0; i < n; i++) {
        PsBenchSample sample;
        stand->reset();
        stand->fail(failures[i].call, failures[i].at, failures[i].code);
        toy_check_error(toy_session(backend, &sample), failures[i].error, failures[i].message);
        g_assert_cmpint(stand->get("live"), ==, 0);
    }
}

void toy_check_every_call(const StandIn *stand, const char *backend, const char *const *calls)
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
