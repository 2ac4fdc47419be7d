// SPDX-License-Identifier: BSD-3-Clause
// Kernels that do something wrong, in a line of each: tests/unit/wrong-hopper.c has what is said
// of it.
#include "hopper.cuh"

#define TILE 8192 /* bytes that the tensor map's box has */

/* Waits for twice the bytes that come. */
extern "C" __global__ void bytes(float *out, const __grid_constant__ CUtensorMap map)
{
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barriers_are_there();
        barrier_expect(&full, 2 * TILE);
        load(tile, &map, &full, 0, 0);
    }
    __syncthreads();
    barrier_wait(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

/* A producer that waits until the first stage is empty, as if it had been full before. */
extern "C" __global__ void roles(float *out, const __grid_constant__ CUtensorMap map)
{
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barrier_init(&empty, 128);
        barriers_are_there();
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        barrier_wait(&full, 0);
        out[threadIdx.x] = tile[threadIdx.x];
        barrier_arrive(&empty);
    } else if (threadIdx.x == 128) {
        barrier_wait(&empty, 0);
        barrier_expect(&full, TILE);
        load(tile, &map, &full, 0, 0);
    }
}

/* Multiplies by a tile behind the end of shared memory. */
extern "C" __global__ void leaves(float *out)
{
    extern __shared__ __align__(1024) char tile[];
    float d[64] = {};
    const uint32_t address = shared_address(tile);
    products_begin();
    multiply(d, descriptor(address), descriptor(address + 131072));
    products_end();
    products_wait<0>();
    for (int i = 0; i < 64; i++)
        out[threadIdx.x * 64 + i] = d[i];
}

/* Two of the four warps of a warpgroup multiply. */
extern "C" __global__ void part(float *out)
{
    extern __shared__ __align__(1024) char tile[];
    float d[64] = {};
    const uint32_t address = shared_address(tile);
    if (threadIdx.x < 64) {
        products_begin();
        multiply(d, descriptor(address), descriptor(address + 8192));
        products_end();
        products_wait<0>();
    }
    for (int i = 0; i < 64; i++)
        out[threadIdx.x * 64 + i] = d[i];
}

/* Copies a tile to a place where no tile may begin. */
extern "C" __global__ void place(float *out, const __grid_constant__ CUtensorMap map)
{
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barriers_are_there();
        barrier_expect(&full, TILE);
        load(tile + 64, &map, &full, 0, 0);
    }
    __syncthreads();
    barrier_wait(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

/* All warps take registers that none has given back. */
extern "C" __global__ void __maxnreg__(168) registers(float *out)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    out[threadIdx.x] = 1;
}

/* One of three gives back what the others take. */
extern "C" __global__ void __maxnreg__(168) moves(float *out)
{
    if (threadIdx.x < 128)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[threadIdx.x] = 1;
}
