/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVRTC without a device: through a stand-in, and itself where it is installed.
 */
#include "latency-bench/device/nvrtc.h"
#include "tests/help/toy.h"
#include <string.h>

static const char *const stand_in_names[] = {"libnvrtc.so.13", NULL};

static void test_absent(void)
{
    g_autoptr(StandIn) stand = stand_in_new(NULL, NULL);
    GError *error = NULL;
    g_assert_nonnull(stand);
    g_assert_null(ps_nvrtc_new(0, &error));
    toy_check_error(error, PS_ERROR_DEVICE,
                    "kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, "
                    "libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with "
                    "the CUDA toolkit, and PIPESIM_DRIVERS can name its folder");
    error = NULL;
    g_assert_null(ps_nvrtc_new(12040, &error));
    g_assert_null(strstr(error->message, ".so.13")); /* newer than the driver */
    g_error_free(error);
}

static void test_compile(void)
{
    g_autoptr(StandIn) stand = stand_in_new("cuda", stand_in_names);
    {
        g_autoptr(PsNvrtc) nvrtc = ps_nvrtc_new(0, NULL);
        PsBenchKernel kernel = toy_kernel();
        g_autofree char *ptx = NULL;
        g_autoptr(GBytes) cubin = ps_nvrtc_compile(nvrtc, &kernel, "sm_90", &ptx, NULL);
        g_assert_cmpstr(g_bytes_get_data(cubin, NULL), ==, "ELF");
        g_assert_nonnull(strstr(ptx, ".entry toy"));
        g_assert_cmpstr(stand->arch(), ==, "sm_90");
    }
    g_assert_cmpint(stand->get("live"), ==, 0);
}

static void test_refused(void)
{
    static const struct {
        const char *architecture;
        int code;
        const char *message;
    } cases[] = {
        {"sm_120", PS_ERROR_DEVICE, "NVRTC 13.0 does not know sm_120 (it knows sm_75 to sm_90)"},
        {"sm_70", PS_ERROR_DEVICE, "NVRTC 13.0 does not know sm_70 (it knows sm_75 to sm_90)"},
        {"compute_90", PS_ERROR_USAGE,
         "'compute_90' is no architecture of NVIDIA's, such as sm_90"},
        {"sm_9x", PS_ERROR_USAGE, "'sm_9x' is no architecture of NVIDIA's, such as sm_90"},
    };
    g_autoptr(StandIn) stand = stand_in_new("cuda", stand_in_names);
    g_autoptr(PsNvrtc) nvrtc = ps_nvrtc_new(0, NULL);
    PsBenchKernel kernel = toy_kernel();
    g_assert_nonnull(stand);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_assert_null(ps_nvrtc_compile(nvrtc, &kernel, cases[i].architecture, NULL, &error));
        toy_check_error(error, cases[i].code, cases[i].message);
    }
    kernel.source = (char *)"#error told so\n";
    GError *error = NULL;
    g_assert_null(ps_nvrtc_compile(nvrtc, &kernel, "sm_90", NULL, &error));
    toy_check_error(error, PS_ERROR_DEVICE,
                    "toy does not compile: nvrtcCompileProgram: RTC_ERROR_COMPILATION (6): "
                    "kernel.cu(3): error: #error told so 1 error detected");
}

/* A micro-benchmark, on architectures that nobody here has. */
static void test_itself(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0) {
        g_test_skip("valgrind finds fault with NVRTC");
        return;
    }
    GError *error = NULL;
    g_autoptr(PsNvrtc) nvrtc = ps_nvrtc_new(0, &error);
    if (!nvrtc) {
        g_test_skip(error->message);
        g_error_free(error);
        return;
    }
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    const PsBenchKernel *kernel = all->pdata[0];
    static const int wanted[] = {80, 90};
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        if (ps_nvrtc_newest(nvrtc, wanted[i]) != wanted[i])
            continue;
        g_autofree char *architecture = g_strdup_printf("sm_%d", wanted[i]), *ptx = NULL;
        g_autofree char *target = g_strdup_printf(".target sm_%d", wanted[i]);
        g_autoptr(GBytes) cubin = ps_nvrtc_compile(nvrtc, kernel, architecture, &ptx, &error);
        g_assert_no_error(error);
        g_assert_cmpmem(g_bytes_get_data(cubin, NULL), 4, "\177ELF", 4);
        g_assert_nonnull(strstr(ptx, target));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/nvrtc/absent", test_absent);
    g_test_add_func("/nvrtc/compile", test_compile);
    g_test_add_func("/nvrtc/refused", test_refused);
    g_test_add_func("/nvrtc/itself", test_itself);
    return g_test_run();
}
