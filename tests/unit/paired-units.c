/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two compute units that run groups as one: what becomes of a description, by hand.
 */
#include "gpu/gpu.h"
#include "gpu/level.h"
#include "gpu/rows.h"
#include "tests/help/small-gpu.h"

static PsGpu *load_pairs(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = gpu_load(path);
    g_assert_true(ps_gpu_pair_units(gpu, &error));
    g_assert_no_error(error);
    return gpu;
}

static void assert_equal(PsRational value, gint64 num, gint64 den)
{
    PsRational wanted;
    g_assert_true(ps_rational_make(num, den, &wanted));
    g_assert_cmpint(ps_rational_cmp(value, wanted), ==, 0);
}

/* Half as many, each with twice as much. */
static void test_limits(void)
{
    g_autoptr(PsGpu) pairs = load_pairs("gpus/rx6900xt.xml");
    g_assert_cmpint(pairs->compute_units, ==, 40);
    g_assert_cmpint(pairs->schedulers, ==, 4);
    g_assert_cmpint(pairs->limits.warps, ==, 64);
    g_assert_cmpint(pairs->limits.registers, ==, 131072);
    g_assert_cmpint(pairs->limits.warp_unit, ==, 4);
    g_assert_cmpint(pairs->limits.local_memory, ==, 131072);
    g_assert_cmpint(pairs->limits.local_memory_per_group, ==, 65536);
    g_assert_cmpint(pairs->limits.group_size, ==, 1024);
}

/* What each unit has once, both do in half of the cycles; schedulers' own pipelines stay. */
static void test_classes(void)
{
    g_autoptr(PsGpu) pairs = load_pairs("gpus/rx6900xt.xml");
    const PsClass *barrier = ps_gpu_class(pairs, "barrier", NULL);
    const PsClass *fmadd = ps_gpu_class(pairs, "fmadd", NULL);
    const PsClass *local = ps_gpu_class(pairs, "local.load", NULL);
    assert_equal(fmadd->latency.issue, 1, 1);
    assert_equal(fmadd->latency.completion, 5, 1);
    assert_equal(barrier->latency.issue, 1, 1);
    assert_equal(barrier->latency.completion, 70, 1);
    assert_equal(local->latency.issue, 1, 2);
    assert_equal(local->latency.completion, 50, 1);
}

static void test_memory(void)
{
    g_autoptr(PsGpu) pairs = load_pairs("gpus/rx6900xt.xml");
    const PsMemoryLevel *own = ps_gpu_own_cache(pairs), *l2 = ps_gpu_level(pairs, PS_LEVEL_L2);
    assert_equal(pairs->memory.request, 1, 2);
    assert_equal(pairs->memory.tag, 1, 2);
    assert_equal(pairs->memory.store, 200, 1);
    g_assert_cmpint(own->bytes, ==, 32768);
    assert_equal(own->port, 224, 1);
    g_assert_cmpint(l2->bytes, ==, 4194304);
    assert_equal(l2->port, 128, 1);
    assert_equal(l2->bandwidth, 5000, 1);
}

/* Both halves of a wave of 64 pass one unit; that there are two of it is another thing. */
static void test_wide(void)
{
    g_autoptr(PsGpu) pairs = load_pairs("gpus/rx6900xt.xml");
    g_autoptr(PsGpu) wide = gpu_load("gpus/rx6900xt.xml");
    g_assert_true(ps_gpu_widen_warps(pairs, NULL));
    g_assert_true(ps_gpu_widen_warps(wide, NULL));
    g_assert_true(ps_gpu_pair_units(wide, NULL));
    g_assert_cmpint(pairs->warp_size, ==, 64);
    assert_equal(ps_gpu_class(pairs, "fmadd", NULL)->latency.issue, 2, 1);
    assert_equal(pairs->memory.request, 1, 1);
    assert_equal(wide->memory.request, 1, 1);
    assert_equal(wide->local.wavefront, 1, 1);
}

static void test_refused(void)
{
    g_autoptr(PsGpu) cdna = gpu_load("gpus/mi300x.xml");
    g_autoptr(PsGpu) odd = gpu_load("gpus/rx6900xt.xml");
    g_autoptr(PsGpu) twice = load_pairs("gpus/rx6900xt.xml");
    g_autoptr(GError) none = NULL, of_odd = NULL, again = NULL;
    g_assert_false(ps_gpu_pair_units(cdna, &none));
    g_assert_error(none, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(
        none->message, ==,
        "gpus/mi300x.xml: Instinct MI300X has no pairs of compute units that run groups "
        "as one: its <chip> does not say pairs=\"on\"");
    odd->compute_units = 79;
    g_assert_false(ps_gpu_pair_units(odd, &of_odd));
    g_assert_cmpstr(of_odd->message, ==,
                    "gpus/rx6900xt.xml: Radeon RX 6900 XT has no pairs of compute units that run "
                    "groups as one: their number is odd");
    g_assert_false(ps_gpu_pair_units(twice, &again));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/paired-units/limits", test_limits);
    g_test_add_func("/paired-units/classes", test_classes);
    g_test_add_func("/paired-units/memory", test_memory);
    g_test_add_func("/paired-units/wide", test_wide);
    g_test_add_func("/paired-units/refused", test_refused);
    return g_test_run();
}
