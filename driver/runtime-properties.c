/* SPDX-License-Identifier: BSD-3-Clause */
/* See properties.h. */
#include "driver/properties.h"

#include <string.h>

int runtime_attribute(int number)
{
    int value = 0;
    cuDeviceGetAttribute(&value, number, 0);
    return value;
}

static void fill_limits(cudaDeviceProp *to)
{
    to->shared_per_block = (size_t)runtime_attribute(8);
    to->registers = runtime_attribute(12);
    to->warp = runtime_attribute(10);
    to->pitch = (size_t)runtime_attribute(11);
    to->threads = runtime_attribute(1);
    for (int i = 0; i < 3; i++) {
        to->block[i] = runtime_attribute(2 + i);
        to->grid[i] = runtime_attribute(5 + i);
    }
    to->constant = (size_t)runtime_attribute(9);
    to->major = runtime_attribute(75);
    to->minor = runtime_attribute(76);
    to->texture_alignment = (size_t)runtime_attribute(14);
    to->texture_pitch = (size_t)runtime_attribute(51);
    to->units = runtime_attribute(16);
    to->threads_per_unit = runtime_attribute(39);
    to->shared_per_unit = (size_t)runtime_attribute(81);
    to->registers_per_unit = runtime_attribute(82);
    to->shared_optin = (size_t)runtime_attribute(97);
    to->blocks_per_unit = runtime_attribute(106);
    to->reserved_shared = (size_t)runtime_attribute(111);
}

static void fill_abilities(cudaDeviceProp *to)
{
    to->map_host = runtime_attribute(19);
    to->surface_alignment = (size_t)runtime_attribute(30);
    to->concurrent = runtime_attribute(31);
    to->ecc = runtime_attribute(32);
    to->bus = runtime_attribute(33);
    to->engines = runtime_attribute(40);
    to->unified = runtime_attribute(41);
    to->bus_width = runtime_attribute(37);
    to->l2 = runtime_attribute(38);
    to->priorities = runtime_attribute(78);
    to->global_l1 = runtime_attribute(79);
    to->local_l1 = runtime_attribute(80);
    to->managed = runtime_attribute(83);
    to->concurrent_managed = runtime_attribute(89);
    to->preemption = runtime_attribute(90);
    to->host_pointer = runtime_attribute(91);
    to->cooperative = runtime_attribute(95);
    to->host_register = runtime_attribute(99);
    to->pools = runtime_attribute(115);
    to->cluster = runtime_attribute(120);
}

cudaError_t runtime_properties(cudaDeviceProp *properties, int device)
{
    RUNTIME_ENTER;
    memset(properties, 0, sizeof *properties);
    const cudaError_t error = cuDeviceGetName(properties->name, sizeof properties->name, device);
    if (error)
        return runtime_keep(error);
    cuDeviceTotalMem_v2(&properties->memory, device);
    fill_limits(properties);
    fill_abilities(properties);
    return cudaSuccess;
}
