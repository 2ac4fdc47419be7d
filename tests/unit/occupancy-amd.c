/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Occupancy of AMD's cards against a second calculation, per SIMD as in ROCm's
 * hipOccupancyMaxActiveBlocksPerMultiprocessor (ROCm/clr, hip_platform.cpp), for 200 000 launches
 * of each card; what that is told of a kernel's registers is what LLVM's AMDGPUBaseInfo.cpp makes
 * of them. ROCm divides local memory by the bytes that a group asks for; hardware deals it out in
 * parts of 512 bytes (LLVM, User Guide for AMDGPU Backend), so what it is told is rounded up.
 */
#include "gpu/gpu.h"
#include "gpu/rows.h"
#include "tests/help/small-gpu.h"

#define LAUNCHES 200000

/* What ROCm knows of a device: isa().versionMajor(), simdPerCU_, vgprsPerSimd_ and
 * vgprAllocGranularity_ (for waves of 32 on gfx10 and after), sgprsPerSimd_; and LLVM's 90a
 * instructions, with accumulation registers among the others. */
typedef struct {
    const char *file;
    int major, simds, vgprs, granularity, sgprs, most_vgprs;
    gboolean has_agprs, has_90a;
} Device;

static const Device devices[] = {
    {"mi100", 9, 4, 256, 4, 800, 256, TRUE, FALSE},
    {"mi210", 9, 4, 512, 8, 800, 512, TRUE, TRUE},
    {"mi250", 9, 4, 512, 8, 800, 512, TRUE, TRUE},
    {"mi250x", 9, 4, 512, 8, 800, 512, TRUE, TRUE},
    {"mi300x", 9, 4, 512, 8, 800, 512, TRUE, TRUE},
    {"rx6900xt", 10, 2, 1024, 16, G_MAXINT, 256, FALSE, FALSE},
    {"rx7900xtx", 11, 2, 1536, 24, G_MAXINT, 256, FALSE, FALSE},
};

static int align_up(int value, int unit)
{
    return (value + unit - 1) / unit * unit;
}

/* `.vgpr_count` of a kernel's metadata. */
static int count_vgprs(const Device *device, const PsGroupNeeds *needs)
{
    const int vgprs = (int)needs->registers, agprs = (int)needs->accumulators;
    if (device->has_90a && agprs > 0)
        return align_up(vgprs, 4) + agprs;
    return MAX(vgprs, agprs);
}

static int waves_per_simd(const Device *device, const PsGroupNeeds *needs, int wave)
{
    const gboolean halved = device->major >= 10 && wave == 64;
    const int vgprs = count_vgprs(device, needs), sgprs = (int)needs->scalar_registers;
    int waves = device->major <= 9 ? 8 : 16;
    if (vgprs > 0)
        waves =
            MIN(waves, (device->vgprs >> halved) / align_up(vgprs, device->granularity >> halved));
    return sgprs > 0 ? MIN(waves, device->sgprs / align_up(sgprs, 16)) : waves;
}

/* Groups of a compute unit (RDNA's in CU mode); 0 where none fits. */
static int groups_by_rocm(const Device *device, const PsGroupNeeds *needs, int wave)
{
    const int local_memory = align_up((int)needs->local_memory, 512);
    const int threads = device->simds * waves_per_simd(device, needs, wave) * wave;
    const int groups = threads / align_up((int)needs->group_size, wave);
    return local_memory > 0 ? MIN(groups, 65536 / local_memory) : groups;
}

static PsGpu *load(const char *name)
{
    g_autofree char *path = g_strdup_printf("gpus/%s.xml", name);
    return gpu_load(path);
}

static int groups_by_us(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    PsOccupancy occupancy;
    return ps_gpu_occupancy(gpu, needs, &occupancy, NULL) ? (int)occupancy.groups : 0;
}

/* Half of the launches have accumulation registers where there are any, local memory, or state
 * scalar registers. */
static PsGroupNeeds random_needs(const Device *device, GRand *random)
{
    PsGroupNeeds needs = {.group_size = g_rand_int_range(random, 1, 1025),
                          .registers = g_rand_int_range(random, 0, 257)};
    if (device->has_agprs && g_rand_boolean(random))
        needs.accumulators = g_rand_int_range(random, 1, 257);
    if (g_rand_boolean(random))
        needs.scalar_registers = g_rand_int_range(random, 1, 109);
    if (g_rand_boolean(random))
        needs.local_memory = g_rand_int_range(random, 0, 65537);
    return needs;
}

static void compare(const Device *device, const PsGpu *gpu)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (int i = 0; i < LAUNCHES; i++) {
        const PsGroupNeeds needs = random_needs(device, random);
        const int ours = groups_by_us(gpu, &needs);
        const int theirs = groups_by_rocm(device, &needs, (int)gpu->warp_size);
        if (ours != theirs)
            g_error("%s: %d groups, by ROCm %d, of %d threads, %d + %d registers, %d scalar ones, "
                    "%d bytes",
                    device->file, ours, theirs, (int)needs.group_size, (int)needs.registers,
                    (int)needs.accumulators, (int)needs.scalar_registers, (int)needs.local_memory);
    }
}

static void test_rocm(gconstpointer data)
{
    const Device *device = data;
    g_autoptr(PsGpu) gpu = load(device->file);
    g_assert_cmpstr(gpu->vendor, ==, "AMD");
    compare(device, gpu);
    if (device->major >= 10) {
        g_assert_true(ps_gpu_widen_warps(gpu, NULL));
        g_assert_cmpint(gpu->warp_size, ==, 64);
        compare(device, gpu);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(devices); i++) {
        g_autofree char *path = g_strdup_printf("/occupancy-amd/rocm/%s", devices[i].file);
        g_test_add_data_func(path, &devices[i], test_rocm);
    }
    return g_test_run();
}
