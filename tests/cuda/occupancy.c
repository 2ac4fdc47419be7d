/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * occupancy GPU.xml MAJOR.MINOR...: holds the occupancy of descriptions against NVIDIA's
 * calculator, for 200 000 launches each. It prints the first launch in which they differ, and
 * fails. Without the toolkit's cuda_occupancy.h it says so and ends with 77. What
 * cudaGetDeviceProperties would say of a device stands here by compute capability, from the CUDA
 * C++ Programming Guide.
 */
#include "pipesim-private.h"

#include <stdio.h>
#include <stdlib.h>

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>

#define LAUNCHES 200000

/* Threads and KiB of shared memory of a multiprocessor, most KiB of a block, bytes that the system
 * takes of each. */
static const struct {
    int major, minor, threads;
    size_t shared, optin, reserved;
} devices[] = {
    {6, 0, 2048, 64, 48, 0},       {6, 1, 2048, 96, 48, 0},       {7, 0, 2048, 96, 96, 0},
    {7, 5, 1024, 64, 64, 0},       {8, 0, 2048, 164, 163, 1024},  {8, 6, 1536, 100, 99, 1024},
    {8, 7, 1536, 164, 163, 1024},  {8, 9, 1536, 100, 99, 1024},   {9, 0, 2048, 228, 227, 1024},
    {10, 0, 2048, 228, 227, 1024}, {10, 3, 2048, 228, 227, 1024}, {12, 0, 1536, 100, 99, 1024}};

/* FALSE where nothing is known of that compute capability. */
static gboolean find_device(const char *text, cudaOccDeviceProp *device)
{
    int major, minor;
    if (sscanf(text, "%d.%d", &major, &minor) != 2)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(devices); i++) {
        if (devices[i].major != major || devices[i].minor != minor)
            continue;
        *device = (cudaOccDeviceProp){.computeMajor = major,
                                      .computeMinor = minor,
                                      .maxThreadsPerBlock = 1024,
                                      .maxThreadsPerMultiprocessor = devices[i].threads,
                                      .regsPerBlock = 65536,
                                      .regsPerMultiprocessor = 65536,
                                      .warpSize = 32,
                                      .sharedMemPerBlock = 49152,
                                      .sharedMemPerMultiprocessor = devices[i].shared * 1024,
                                      .numSms = 1,
                                      .sharedMemPerBlockOptin = devices[i].optin * 1024,
                                      .reservedSharedMemPerBlock = devices[i].reserved};
        return TRUE;
    }
    return FALSE;
}

/* Groups per multiprocessor by NVIDIA; 0 where none fits. */
static int groups_by_cuda(const cudaOccDeviceProp *device, const PsGroupNeeds *needs)
{
    const cudaOccFuncAttributes function = {.maxThreadsPerBlock = 1024,
                                            .numRegs = (int)needs->registers,
                                            .sharedSizeBytes = 0,
                                            .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                            .maxDynamicSharedSizeBytes =
                                                device->sharedMemPerBlockOptin,
                                            .numBlockBarriers = 1};
    const cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, device, &function, &state,
                                                (int)needs->group_size,
                                                (size_t)needs->local_memory) != CUDA_OCC_SUCCESS)
        return 0;
    return result.activeBlocksPerMultiprocessor;
}

/* CUDA refuses what GP100 could run if the chips of 6.1 could not, lest it run on some Pascals
 * alone; that is no limit of the hardware. */
static gboolean is_refused(const cudaOccDeviceProp *device, const PsGroupNeeds *needs)
{
    cudaOccDeviceProp other = *device;
    other.computeMinor = 1;
    return device->computeMajor == 6 && device->computeMinor == 0 &&
           groups_by_cuda(&other, needs) == 0;
}

static int groups_by_us(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    PsOccupancy occupancy;
    return ps_gpu_occupancy(gpu, needs, &occupancy, NULL) ? (int)occupancy.groups : 0;
}

static gboolean compare(const char *path, const char *capability)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
    cudaOccDeviceProp device;
    if (!gpu || !find_device(capability, &device)) {
        printf("%s, %s: %s\n", path, capability, error ? error->message : "not known");
        return FALSE;
    }
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (int i = 0; i < LAUNCHES; i++) {
        const gboolean shared = g_rand_boolean(random);
        const int most = shared ? (int)device.sharedMemPerBlockOptin : 0;
        const PsGroupNeeds needs = {.group_size = g_rand_int_range(random, 1, 1025),
                                    .registers = g_rand_int_range(random, 1, 256),
                                    .local_memory = g_rand_int_range(random, 0, most + 1)};
        const int ours = groups_by_us(gpu, &needs), theirs = groups_by_cuda(&device, &needs);
        if (ours == theirs || is_refused(&device, &needs))
            continue;
        printf("%s: %d groups, by NVIDIA %d, of %d threads with %d registers and %d bytes\n", path,
               ours, theirs, (int)needs.group_size, (int)needs.registers, (int)needs.local_memory);
        return FALSE;
    }
    return TRUE;
}

int main(int argc, char **argv)
{
    gboolean same = TRUE;
    for (int i = 1; i + 1 < argc; i += 2)
        same &= compare(argv[i], argv[i + 1]);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}

#else

int main(void)
{
    puts("cuda_occupancy.h of the CUDA Toolkit is not here");
    return 77;
}

#endif
