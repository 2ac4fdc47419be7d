/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types of CUDA's runtime interface, after NVIDIA's documentation, and what the runtime's entries
 * share. The runtime uses only the driver's entries, like any program.
 */
#ifndef PIPESIM_DRIVER_RUNTIME_H
#define PIPESIM_DRIVER_RUNTIME_H

#include "driver/cuda.h"

#include <glib.h>

typedef int cudaError_t;

enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400
};

typedef struct {
    unsigned int x, y, z;
} dim3;

typedef struct {
    dim3 grid, block;
    size_t shared;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned int n_attributes;
} cudaLaunchConfig;

/* A function or a variable on the host's side of the program. */
typedef struct {
    const void *host;
    const char *name;
    struct Binary *binary;
    gboolean managed;
    void *device; /* CUkernel, or the variable's address; NULL: not looked up yet */
    size_t size;  /* of a variable */
} Registered;

/* Prepares a call of the driver: starts it, and gives this thread the primary context. */
cudaError_t runtime_enter(void);

/* Keeps an error for cudaGetLastError, and returns it. */
cudaError_t runtime_keep(cudaError_t error);

/* The device's function for a stub on the host, or for a kernel's handle. */
cudaError_t runtime_function(const void *host, CUfunction *function);

/* Adds a node of any type to a graph; params: as the runtime has them. */
cudaError_t runtime_add_node(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                             void *params);

/* The host's stub of a device function; NULL: it has none. */
const void *runtime_host(CUfunction function);

/* The channels of an element: bits of each, and their kind. */
typedef struct {
    int x, y, z, w, kind;
} cudaChannelFormatDesc;

/* The driver's number of that format and its number of channels; 0: there is none. */
unsigned int runtime_format(const cudaChannelFormatDesc *channels, unsigned int *n);

/* The variable of the device; *size may be NULL. */
cudaError_t runtime_variable(const void *host, char **address, size_t *size);

/* The source of the texture's or surface's handle, in the 64 bytes of CUDA 12's layout. */
cudaError_t runtime_resource(void *resource, uint64_t handle);

/* Begins an entry: returns if the driver is not available. */
#define RUNTIME_ENTER                                                                              \
    do {                                                                                           \
        const cudaError_t entered = runtime_enter();                                               \
        if (entered)                                                                               \
            return runtime_keep(entered);                                                          \
    } while (0)

/* The whole of an entry that calls one of the driver's; the macro returns. */
#define RUNTIME_CALL(call)                                                                         \
    RUNTIME_ENTER;                                                                                 \
    return runtime_keep(call)

#endif
