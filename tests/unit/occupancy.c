/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Occupancy against values worked out by hand from CUDA's rules of allocation.
 */
#include "gpu/carve-out.h"
#include "gpu/gpu.h"
#include "tests/help/small-gpu.h"
#include <string.h>

static void assert_fits(const PsGpu *gpu, PsGroupNeeds needs, gint64 groups, guint limited_by)
{
    g_autoptr(GError) error = NULL;
    PsOccupancy occupancy = {0, 0, 0};
    g_assert_true(ps_gpu_occupancy(gpu, &needs, &occupancy, &error));
    g_assert_no_error(error);
    g_assert_cmpint(occupancy.warps_per_group, ==,
                    (needs.group_size + gpu->warp_size - 1) / gpu->warp_size);
    g_assert_cmpint(occupancy.groups, ==, groups);
    g_assert_cmphex(occupancy.limited_by, ==, limited_by);
}

static void assert_fails(const PsGpu *gpu, PsGroupNeeds needs, const char *message)
{
    g_autoptr(GError) error = NULL;
    PsOccupancy occupancy = {0, 0, 0};
    g_assert_false(ps_gpu_occupancy(gpu, &needs, &occupancy, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

/* The message, but for the place of the limits in the description's file. */
static void assert_fails_there(const PsGpu *gpu, PsGroupNeeds needs, const char *message)
{
    g_autofree char *place = g_strdup_printf("%s:%d: ", gpu->path, gpu->limits.line);
    g_autofree char *whole = g_strconcat(place, message, NULL);
    assert_fails(gpu, needs, whole);
}

/* mmul08: 2 warps, 512 bytes. Fermi: 48 / 2 = 24 by warps, 8 groups, 49152 / 512 = 96.
 * Pascal: 64 / 2 = 32 by warps, 32 groups, 98304 / 512 = 192.
 * mmul16: 8 warps, 2048 bytes. Fermi: 6 by warps, 24 by memory. Pascal: 8 by warps, 48. */
static void test_matrix(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    assert_fits(fermi, (PsGroupNeeds){64, 0, 512, 0, 0, 0}, 8, PS_LIMIT_GROUPS);
    assert_fits(pascal, (PsGroupNeeds){64, 0, 512, 0, 0, 0}, 32, PS_LIMIT_GROUPS | PS_LIMIT_WARPS);
    assert_fits(fermi, (PsGroupNeeds){256, 0, 2048, 0, 0, 0}, 6, PS_LIMIT_WARPS);
    assert_fits(pascal, (PsGroupNeeds){256, 0, 2048, 0, 0, 0}, 8, PS_LIMIT_WARPS);
}

static void test_registers(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    /* 33 * 32 = 1056, allocated as 1088 (17 * 64); 32768 / 1088 = 30 warps; 30 / 8 = 3 */
    assert_fits(fermi, (PsGroupNeeds){256, 33, 0, 0, 0, 0}, 3, PS_LIMIT_REGISTERS);
    /* 20 * 32 = 640; 32768 / 640 = 51 warps, in pairs 50; 50 / 8 = 6, as many as by warps */
    assert_fits(fermi, (PsGroupNeeds){256, 20, 0, 0, 0, 0}, 6, PS_LIMIT_REGISTERS | PS_LIMIT_WARPS);
    /* 63 * 32 = 2016, allocated as 2048: 16 warps, two groups of 8 */
    assert_fits(fermi, (PsGroupNeeds){256, 63, 0, 0, 0, 0}, 2, PS_LIMIT_REGISTERS);
    /* 33 * 32 = 1056, allocated as 1280 (5 * 256); 65536 / 1280 = 51, in fours 48; 48 / 3 = 16.
     * Without the rounding to four warps it were 17. */
    assert_fits(pascal, (PsGroupNeeds){96, 33, 0, 0, 0, 0}, 16, PS_LIMIT_REGISTERS);
    /* 32 * 32 = 1024: 64 warps, 2 groups of 1024 threads, as by warps */
    assert_fits(pascal, (PsGroupNeeds){1024, 32, 0, 0, 0, 0}, 2,
                PS_LIMIT_REGISTERS | PS_LIMIT_WARPS);
    /* 255 * 32 = 8160, allocated as 8192: 8 warps */
    assert_fits(pascal, (PsGroupNeeds){32, 255, 0, 0, 0, 0}, 8, PS_LIMIT_REGISTERS);
}

static void test_local_memory(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    /* 19650 is allocated as 19712 (77 * 256); 98304 / 19712 = 4 (19650 would fit 5 times) */
    assert_fits(pascal, (PsGroupNeeds){64, 0, 19650, 0, 0, 0}, 4, PS_LIMIT_LOCAL_MEMORY);
    assert_fits(pascal, (PsGroupNeeds){64, 0, 49152, 0, 0, 0}, 2, PS_LIMIT_LOCAL_MEMORY);
    /* 8129 is allocated as 8192: 6, as many as by 48 warps in groups of 8 */
    assert_fits(fermi, (PsGroupNeeds){256, 0, 8129, 0, 0, 0}, 6,
                PS_LIMIT_LOCAL_MEMORY | PS_LIMIT_WARPS);
    assert_fits(fermi, (PsGroupNeeds){64, 0, 1, 0, 0, 0}, 8, PS_LIMIT_GROUPS);
}

/* The system's share counts for each group, also for one that needs nothing itself. */
static void test_reserved(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("test");
    gpu->limits.local_memory = 10240;
    gpu->limits.local_memory_unit = 128;
    gpu->limits.local_memory_reserved = 1024;
    assert_fits(gpu, (PsGroupNeeds){64, 0, 0, 0, 0, 0}, 10, PS_LIMIT_LOCAL_MEMORY);
    assert_fits(gpu, (PsGroupNeeds){64, 0, 1000, 0, 0, 0}, 5,
                PS_LIMIT_LOCAL_MEMORY); /* 2024 as 2048 */
    assert_fits(gpu, (PsGroupNeeds){64, 0, 9216, 0, 0, 0}, 1, PS_LIMIT_LOCAL_MEMORY);
    assert_fails(gpu, (PsGroupNeeds){64, 0, 9217, 0, 0, 0},
                 "not even one group of 64 threads fits: it needs 10368 bytes of local memory, and "
                 "a compute unit of test has 10240");
    /* Both are rounded up together: 64 + 1000 as 1152, of which 10240 has 8. */
    gpu->limits.local_memory_reserved = 1000;
    assert_fits(gpu, (PsGroupNeeds){64, 0, 64, 0, 0, 0}, 8, PS_LIMIT_LOCAL_MEMORY);
}

/* As CUDA's own calculator (cuda_occupancy.h of CUDA 13) has it, to the group. */
static void test_newer(void)
{
    g_autoptr(PsGpu) volta = gpu_load("gpus/v100.xml");
    g_autoptr(PsGpu) turing = gpu_load("gpus/rtx2070.xml");
    g_autoptr(PsGpu) blackwell = gpu_load("gpus/rtx5070.xml");
    /* 57 * 32 = 1824, allocated as 2048: 32 warps, 4 groups of 7 */
    assert_fits(volta, (PsGroupNeeds){200, 57, 0, 0, 0, 0}, 4, PS_LIMIT_REGISTERS);
    assert_fits(volta, (PsGroupNeeds){32, 0, 98304, 0, 0, 0}, 1, PS_LIMIT_LOCAL_MEMORY);
    /* 72 * 32 = 2304, nine units: 28 warps, 3 groups of 8; by warps 4 */
    assert_fits(turing, (PsGroupNeeds){256, 72, 0, 0, 0, 0}, 3, PS_LIMIT_REGISTERS);
    assert_fits(turing, (PsGroupNeeds){32, 32, 0, 0, 0, 0}, 16, PS_LIMIT_GROUPS);
    /* The system's 1024 bytes make 51200 of 50176, which fits twice, and 51328 of one more. */
    assert_fits(blackwell, (PsGroupNeeds){64, 0, 50176, 0, 0, 0}, 2, PS_LIMIT_LOCAL_MEMORY);
    assert_fits(blackwell, (PsGroupNeeds){64, 0, 50177, 0, 0, 0}, 1, PS_LIMIT_LOCAL_MEMORY);
    assert_fits(blackwell, (PsGroupNeeds){64, 32, 0, 0, 0, 0}, 24,
                PS_LIMIT_GROUPS | PS_LIMIT_WARPS);
}

static void assert_l1(const char *path, gint64 local_memory, gint64 groups, gint64 kib)
{
    g_autoptr(PsGpu) gpu = gpu_load(path);
    const PsGroupNeeds needs = {.group_size = 64, .local_memory = local_memory};
    g_assert_cmpint(ps_gpu_l1_beside(gpu, &needs, groups), ==, kib * 1024);
}

/* Local memory comes in sizes of cuda_occupancy.h, and L1 has the rest. */
static void test_carve_out(void)
{
    assert_l1("gpus/v100.xml", 0, 32, 128);
    assert_l1("gpus/v100.xml", 1, 1, 120);
    assert_l1("gpus/v100.xml", 8192, 4, 96);
    assert_l1("gpus/v100.xml", 8192 + 1, 4, 64);
    assert_l1("gpus/v100.xml", 98304, 1, 32);
    assert_l1("gpus/t4.xml", 0, 16, 64);
    assert_l1("gpus/t4.xml", 32768, 1, 64);
    assert_l1("gpus/t4.xml", 32768, 2, 32);
    /* each group takes 1 KiB more */
    assert_l1("gpus/a100.xml", 0, 8, 184);
    assert_l1("gpus/a100.xml", 0, 32, 160);
    assert_l1("gpus/a100.xml", 166912, 1, 28);
    assert_l1("gpus/a40.xml", 0, 9, 112);
    assert_l1("gpus/l40.xml", 101376, 1, 28);
    assert_l1("gpus/h100.xml", 232448, 1, 28);
    assert_l1("gpus/b200.xml", 0, 1, 248);
    assert_l1("gpus/rtx5090.xml", 0, 1, 120);
    assert_l1("gpus/orin.xml", 0, 1, 184);
    /* memories of their own */
    assert_l1("gpus/mi210.xml", 65536, 1, 16);
    assert_l1("gpus/p100.xml", 65536, 1, 24);
    assert_l1("gpus/pascal.xml", 49152, 2, 48);
}

/* 13000 bytes would fit 5 times; they are allocated as 13312 (26 * 512). */
static void test_amd(void)
{
    g_autoptr(PsGpu) gpu = gpu_load("gpus/mi210.xml");
    assert_fits(gpu, (PsGroupNeeds){64, 0, 13000, 0, 0, 0}, 4, PS_LIMIT_LOCAL_MEMORY);
    /* 65 registers are allocated as 72: a SIMD has 512, so 7 waves of four SIMDs, 7 groups of 4 */
    assert_fits(gpu, (PsGroupNeeds){256, 65, 0, 0, 0, 0}, 7, PS_LIMIT_REGISTERS);
}

/* What LLVM 19 says of 64 + 10 registers and 84 scalar ones: 4 waves on gfx908, 6 on gfx90a. */
static void test_accumulators(void)
{
    g_autoptr(PsGpu) apart = gpu_load("gpus/mi100.xml");
    g_autoptr(PsGpu) joint = gpu_load("gpus/mi300x.xml");
    g_autoptr(PsGpu) none = gpu_load("gpus/rx6900xt.xml");
    assert_fits(apart, (PsGroupNeeds){256, 64, 0, 10, 84, 0}, 4, PS_LIMIT_REGISTERS);
    assert_fits(joint, (PsGroupNeeds){256, 64, 0, 10, 84, 0}, 6, PS_LIMIT_REGISTERS);
    /* of both kinds the one that there is more of: 100, allocated as 100 of 256 */
    assert_fits(apart, (PsGroupNeeds){256, 64, 0, 100, 0, 0}, 2, PS_LIMIT_REGISTERS);
    /* 45 up to 48, and 16, are 64, of which 512 make 8; one more is allocated as 72 */
    assert_fits(joint, (PsGroupNeeds){256, 45, 0, 16, 0, 0}, 8,
                PS_LIMIT_REGISTERS | PS_LIMIT_WARPS);
    assert_fits(joint, (PsGroupNeeds){256, 45, 0, 17, 0, 0}, 7, PS_LIMIT_REGISTERS);
    assert_fails(joint, (PsGroupNeeds){64, 255, 0, 257, 0, 0},
                 "gpus/mi300x.xml: 513 registers per thread are too many: a thread of Instinct "
                 "MI300X has at most 512");
    assert_fails_there(none, (PsGroupNeeds){64, 64, 0, 10, 0, 0},
                       "10 accumulation registers per thread: Radeon RX 6900 XT has "
                       "none (or its <limits> lack 'accumulators')");
}

/* 97 are allocated as 112, of which the 800 of a SIMD make 7; 96 make 8, as many as fit. */
/* A group takes columns, of which a compute unit has 512. */
static void test_tensor_memory(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) b200 = ps_gpu_load("gpus/b200.xml", &error);
    g_assert_no_error(error);
    assert_fits(b200, (PsGroupNeeds){128, 0, 0, 0, 0, 128}, 4, PS_LIMIT_TENSOR_MEMORY);
    assert_fits(b200, (PsGroupNeeds){128, 0, 0, 0, 0, 512}, 1, PS_LIMIT_TENSOR_MEMORY);
    assert_fits(b200, (PsGroupNeeds){128, 0, 0, 0, 0, 32}, 16,
                PS_LIMIT_TENSOR_MEMORY | PS_LIMIT_WARPS);
    assert_fails(b200, (PsGroupNeeds){128, 0, 0, 0, 0, 1024},
                 "gpus/b200.xml: not even one group of 128 threads fits: it needs 1024 columns of "
                 "tensor memory, "
                 "and a compute unit of B200 has 512");
}

static void test_scalar_registers(void)
{
    g_autoptr(PsGpu) gpu = gpu_load("gpus/mi100.xml");
    assert_fits(gpu, (PsGroupNeeds){64, 1, 0, 0, 96, 0}, 32,
                PS_LIMIT_SCALAR_REGISTERS | PS_LIMIT_WARPS);
    assert_fits(gpu, (PsGroupNeeds){64, 1, 0, 0, 97, 0}, 28, PS_LIMIT_SCALAR_REGISTERS);
    assert_fails_there(gpu, (PsGroupNeeds){64, 1, 0, 0, 113, 0},
                       "113 scalar registers per warp are too many: a warp of "
                       "Instinct MI100 has at most 112");
    gpu->limits.scalar_registers = 256;
    assert_fails_there(gpu, (PsGroupNeeds){320, 1, 0, 0, 112, 0},
                       "not even one group of 320 threads fits: it needs 896 scalar "
                       "registers, and a compute unit of Instinct MI100 has 256");
}

static void test_partial_warp(void)
{
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    assert_fits(pascal, (PsGroupNeeds){1, 0, 0, 0, 0, 0}, 32, PS_LIMIT_GROUPS);
    assert_fits(pascal, (PsGroupNeeds){33, 0, 0, 0, 0, 0}, 32, PS_LIMIT_GROUPS | PS_LIMIT_WARPS);
    assert_fits(pascal, (PsGroupNeeds){65, 0, 0, 0, 0, 0}, 21, PS_LIMIT_WARPS);
}

static void test_too_much(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    assert_fails(
        fermi, (PsGroupNeeds){1025, 0, 0, 0, 0, 0},
        "gpus/fermi.xml:66: a group of 1025 threads is too large: Tesla C2050 takes at most "
        "1024");
    assert_fails(fermi, (PsGroupNeeds){64, 64, 0, 0, 0, 0},
                 "gpus/fermi.xml:66: 64 registers per thread are too many: a thread of Tesla C2050 "
                 "has at most 63");
    assert_fails(
        fermi, (PsGroupNeeds){64, 0, 49153, 0, 0, 0},
        "gpus/fermi.xml:66: 49153 bytes of local memory per group are too many: a group of "
        "Tesla C2050 has at most 49152");
    /* 63 * 32 = 2016, allocated as 2048, for 32 warps */
    assert_fails(fermi, (PsGroupNeeds){1024, 63, 0, 0, 0, 0},
                 "gpus/fermi.xml:66: not even one group of 1024 threads fits: it needs 65536 "
                 "registers, and a compute unit of Tesla C2050 has 32768");
    assert_fails(fermi, (PsGroupNeeds){0, 0, 0, 0, 0, 0},
                 "gpus/fermi.xml: a group of 0 threads: it needs at least 1");
    assert_fails(fermi, (PsGroupNeeds){64, -1, 0, 0, 0, 0},
                 "gpus/fermi.xml: a group cannot need less than 0 registers or bytes of local "
                 "memory");
}

static void test_without_limits(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("test");
    assert_fits(gpu, (PsGroupNeeds){64, 255, 1 << 20, 0, 0, 0}, G_MAXINT64, 0);
    gpu->limits.warps = 4;
    assert_fails(gpu, (PsGroupNeeds){129, 0, 0, 0, 0, 0},
                 "not even one group of 129 threads fits: it needs 5 warps, and a compute unit of "
                 "test has 4");
}

/* Numbers at the end of their range neither overflow nor trap. */
static void test_extremes(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("test");
    PsGroupNeeds most = {G_MAXINT64, G_MAXINT64, G_MAXINT64, 0, 0, 0};
    PsOccupancy occupancy;
    g_assert_true(ps_gpu_occupancy(gpu, &most, &occupancy, NULL));
    g_assert_cmpint(occupancy.warps_per_group, ==, G_MAXINT64 / 32 + 1);
    gpu->limits.register_unit = gpu->limits.local_memory_unit = gpu->limits.warp_unit = G_MAXINT64;
    gpu->limits.local_memory_reserved = gpu->limits.local_memory = G_MAXINT64;
    gpu->limits.registers = G_MAXINT64;
    g_assert_false(ps_gpu_occupancy(gpu, &most, &occupancy, NULL));
    gpu->limits.warps = 1;
    g_assert_false(ps_gpu_occupancy(gpu, &most, &occupancy, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/occupancy/matrix", test_matrix);
    g_test_add_func("/occupancy/registers", test_registers);
    g_test_add_func("/occupancy/local-memory", test_local_memory);
    g_test_add_func("/occupancy/reserved", test_reserved);
    g_test_add_func("/occupancy/newer", test_newer);
    g_test_add_func("/occupancy/carve-out", test_carve_out);
    g_test_add_func("/occupancy/amd", test_amd);
    g_test_add_func("/occupancy/accumulators", test_accumulators);
    g_test_add_func("/occupancy/scalar-registers", test_scalar_registers);
    g_test_add_func("/occupancy/tensor-memory", test_tensor_memory);
    g_test_add_func("/occupancy/partial-warp", test_partial_warp);
    g_test_add_func("/occupancy/too-much", test_too_much);
    g_test_add_func("/occupancy/without-limits", test_without_limits);
    g_test_add_func("/occupancy/extremes", test_extremes);
    return g_test_run();
}
