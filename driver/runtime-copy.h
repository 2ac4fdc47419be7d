/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime's copies of boxes, in the driver's form. */
#ifndef PIPESIM_DRIVER_RUNTIME_COPY_H
#define PIPESIM_DRIVER_RUNTIME_COPY_H

#include "driver/runtime.h"

typedef struct {
    void *pointer;
    size_t pitch, width, height;
} cudaPitchedPtr;

typedef struct {
    size_t width, height, depth;
} cudaExtent;

typedef struct {
    size_t x, y, z;
} cudaPos;

typedef struct {
    CUarray from_array;
    cudaPos from_at;
    cudaPitchedPtr from;
    CUarray to_array;
    cudaPos to_at;
    cudaPitchedPtr to;
    cudaExtent extent;
    int kind;
} cudaMemcpy3DParms;

/* Widths and places count elements if an array takes part, otherwise bytes. */
CUDA_MEMCPY3D runtime_box(const cudaMemcpy3DParms *params);

/* One row of bytes. */
CUDA_MEMCPY3D runtime_row(const void *to, const void *from, size_t bytes);

#endif
