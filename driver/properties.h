/* SPDX-License-Identifier: BSD-3-Clause */
/* The properties that the runtime reports for the device. */
#ifndef PIPESIM_DRIVER_PROPERTIES_H
#define PIPESIM_DRIVER_PROPERTIES_H

#include "driver/runtime.h"

/* The layout for which programs of CUDA 13 were compiled. */
typedef struct {
    char name[256], uuid[16], luid[8];
    unsigned int luid_mask;
    size_t memory, shared_per_block;
    int registers, warp;
    size_t pitch;
    int threads, block[3], grid[3];
    size_t constant;
    int major, minor;
    size_t texture_alignment, texture_pitch;
    int units, integrated, map_host;
    int textures_and_surfaces[39];
    size_t surface_alignment;
    int concurrent, ecc, bus, slot, domain, tcc, engines, unified, bus_width, l2, persisting,
        threads_per_unit, priorities, global_l1, local_l1;
    size_t shared_per_unit;
    int registers_per_unit, managed, multi, multi_id, native_atomic, pageable, concurrent_managed,
        preemption, host_pointer, cooperative;
    size_t shared_optin;
    int host_tables, direct_managed, blocks_per_unit, window;
    size_t reserved_shared;
    int host_register, sparse, read_only, semaphore, pools, rdma;
    unsigned int rdma_flush;
    int rdma_order;
    unsigned int pool_handles;
    int deferred, ipc_event, cluster, function_pointers, numa_config, numa_id, mps, host_numa;
    unsigned int pci_device, pci_subsystem;
    int multinode, reserved[56];
} cudaDeviceProp;

G_STATIC_ASSERT(sizeof(cudaDeviceProp) == 1008);

cudaError_t runtime_properties(cudaDeviceProp *properties, int device);

/* An attribute of the device, by the driver's number; 0: it has none. */
int runtime_attribute(int number);

#endif
