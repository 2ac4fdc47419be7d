/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All micro-benchmarks.
 */
#include "latency-bench/plan/kernel-private.h"

static void kernel_free(void *kernel)
{
    ps_bench_kernel_free(kernel);
}

GPtrArray *ps_bench_kernels(void)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(kernel_free);
    ps_bench_add_arithmetic(all);
    ps_bench_add_memory(all);
    ps_bench_add_patterns(all);
    ps_bench_add_rates(all);
    ps_bench_add_levels(all);
    return all;
}
