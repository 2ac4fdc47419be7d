/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warps of twice as many threads: what becomes of a description, by hand.
 */
#include "gpu/gpu.h"
#include "gpu/rows.h"
#include "tests/help/small-gpu.h"
#include <string.h>

static PsGpu *load_wide(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = gpu_load(path);
    g_assert_true(ps_gpu_widen_warps(gpu, &error));
    g_assert_no_error(error);
    return gpu;
}

static void assert_latency(const PsGpu *gpu, const char *name, int issue, int completion)
{
    const PsClass *class = ps_gpu_class(gpu, name, NULL);
    g_assert_cmpint(ps_rational_cmp(class->latency.issue, PS_RATIONAL_INT(issue)), ==, 0);
    g_assert_cmpint(ps_rational_cmp(class->latency.completion, PS_RATIONAL_INT(completion)), ==, 0);
}

/* RDNA 2: what vector units do takes twice as long, what the scalar unit does does not. */
static void test_halves(void)
{
    g_autoptr(PsGpu) narrow = gpu_load("gpus/rx6900xt.xml");
    g_autoptr(PsGpu) wide = load_wide("gpus/rx6900xt.xml");
    g_assert_cmpint(narrow->warp_size, ==, 32);
    g_assert_cmpint(wide->warp_size, ==, 64);
    assert_latency(narrow, "fmadd", 1, 5);
    assert_latency(wide, "fmadd", 2, 6);
    assert_latency(wide, "rcp", 8, 14);
    assert_latency(wide, "dfma", 32, 38);
    assert_latency(wide, "branch", 1, 5);
    assert_latency(wide, "barrier", 2, 70);
    assert_latency(wide, "local.load", 2, 51);
    g_assert_cmpint(ps_rational_cmp(wide->memory.request, PS_RATIONAL_INT(2)), ==, 0);
    g_assert_cmpint(ps_rational_cmp(wide->atomics.request, PS_RATIONAL_INT(2)), ==, 0);
    g_assert_cmpint(wide->limits.warps, ==, narrow->limits.warps);
}

/* RDNA 3 issues both halves at once in single precision. */
static void test_dual_issue(void)
{
    g_autoptr(PsGpu) narrow = gpu_load("gpus/rx7900xtx.xml");
    g_autoptr(PsGpu) wide = load_wide("gpus/rx7900xtx.xml");
    static const char *const dual[] = {"fadd", "fmul", "fmadd"};
    for (guint i = 0; i < G_N_ELEMENTS(dual); i++) {
        assert_latency(narrow, dual[i], 1, 5);
        assert_latency(wide, dual[i], 1, 5);
    }
    assert_latency(narrow, "dual", 1, 5);
    assert_latency(wide, "iadd", 2, 6);
}

/* CDNA has warps of 64 alone, and what is wide cannot be widened again. */
static void test_refused(void)
{
    g_autoptr(GError) error = NULL, again = NULL;
    g_autoptr(PsGpu) cdna = gpu_load("gpus/mi300x.xml");
    g_autoptr(PsGpu) wide = load_wide("gpus/rx7900xtx.xml");
    g_assert_false(ps_gpu_has_wide_warps(cdna));
    g_assert_false(ps_gpu_widen_warps(cdna, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==,
                    "gpus/mi300x.xml: Instinct MI300X has warps of 64 threads alone: none of its "
                    "pipelines says halves=\"on\"");
    g_assert_false(ps_gpu_widen_warps(wide, &again));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/wide-warps/halves", test_halves);
    g_test_add_func("/wide-warps/dual-issue", test_dual_issue);
    g_test_add_func("/wide-warps/refused", test_refused);
    return g_test_run();
}
