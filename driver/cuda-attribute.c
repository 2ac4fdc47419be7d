/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of the device, by the numbers that programs use. Values that the description lacks are
 * those of all of NVIDIA's GPUs. */
#include "driver/state.h"

#define KIBIBYTE 1024
#define GIBIBYTE (1024 * 1024 * 1024)

static int rational(PsRational value, double factor)
{
    return value.num ? (int)(ps_rational_to_double(value) * factor) : 0;
}

/* The width of the bus, from bandwidth and the memory's clock, is not known. */
static int stated(int attribute, int *value)
{
    const PsGpu *gpu = driver.gpu;
    const PsLimits *limits = &gpu->limits;
    const int usual_shared = 48 * KIBIBYTE;
    switch (attribute) {
    case 1: /* threads of a group */
        *value = limits->group_size ? (int)limits->group_size : 1024;
        return TRUE;
    case 8: /* shared memory of a group that asks for no more */
        *value = usual_shared;
        return TRUE;
    case 10:
        *value = (int)gpu->warp_size;
        return TRUE;
    case 12: /* registers of a group */
    case 82: /* ... and of a multiprocessor */
        *value = limits->registers ? (int)limits->registers : 65536;
        return TRUE;
    case 13: /* kHz */
        *value = rational(gpu->boost_clock.num ? gpu->boost_clock : gpu->clock, 1000);
        return TRUE;
    case 16:
        *value = (int)gpu->compute_units;
        return TRUE;
    case 38:
        *value = (int)gpu->cache.l2;
        return TRUE;
    case 39: /* threads of a multiprocessor */
        *value = (int)(limits->warps ? limits->warps * gpu->warp_size : 2048);
        return TRUE;
    case 75:
        *value = (int)gpu->capability / 10;
        return TRUE;
    case 76:
        *value = (int)gpu->capability % 10;
        return TRUE;
    case 81: /* shared memory of a multiprocessor */
        *value = (int)limits->local_memory;
        return TRUE;
    case 97: /* shared memory of a group that asks for more */
        *value = (int)MAX(limits->local_memory_per_group, usual_shared);
        return TRUE;
    case 106:
        *value = (int)limits->groups;
        return TRUE;
    case 111:
        *value = (int)limits->local_memory_reserved;
        return TRUE;
    case 120: /* clusters of groups */
        *value = gpu->capability >= 90;
        return TRUE;
    default:
        return FALSE;
    }
}

/* Values that are the same on all GPUs: attribute, value. */
static const int usual[][2] = {
    {2, 1024},   {3, 1024},        {4, 64},      {5, 0x7fffffff}, {6, 65535},  {7, 65535},
    {9, 65536},  {11, 0x7fffffff}, {14, 512},    {15, 1},         {17, 0},     {18, 0},
    {19, 1},     {20, 0},          {21, 131072}, {22, 131072},    {23, 65536}, {24, 16384},
    {25, 16384}, {26, 16384},      {30, 512},    {31, 1},         {32, 0},     {33, 1},
    {34, 0},     {40, 2},          {41, 1},      {50, 0},         {51, 32},    {78, 1},
    {79, 1},     {80, 1},          {83, 1},      {88, 0},         {89, 1},     {90, 1},
    {91, 1},     {95, 1},          {99, 1},      {115, 1}};

#pragma GCC visibility push(default)

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value || attribute < 1)
        return CUDA_ERROR_INVALID_VALUE;
    *value = 0;
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
        if (usual[i][0] == attribute)
            *value = usual[i][1];
    stated(attribute, value);
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
