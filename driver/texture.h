/* SPDX-License-Identifier: BSD-3-Clause */
/* Textures and surfaces in the driver's form, which the runtime's entries use, too. */
#ifndef PIPESIM_DRIVER_TEXTURE_H
#define PIPESIM_DRIVER_TEXTURE_H

#include "driver/cuda.h"

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 16 };

typedef struct {
    int kind;
    union {
        CUarray array;
        struct {
            CUdeviceptr at;
            unsigned int format, channels;
            size_t bytes;
        } linear;
        struct {
            CUdeviceptr at;
            unsigned int format, channels;
            size_t width, height, pitch;
        } pitched;
        int reserved[32];
    } is;
    unsigned int flags;
} Resource;

typedef struct {
    int edge[3], linear;
    unsigned int flags, anisotropy;
    int mipmap_linear;
    float level_bias, least_level, most_level, border[4];
    int reserved[12];
} Sampling;

CUresult cuTexObjectCreate(uint64_t *handle, const Resource *resource, const Sampling *sampling,
                           const void *view);
CUresult cuTexObjectDestroy(uint64_t handle);
CUresult cuSurfObjectCreate(uint64_t *handle, const Resource *resource);
CUresult cuSurfObjectDestroy(uint64_t handle);

#endif
