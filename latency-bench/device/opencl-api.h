/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCL 1.2 as far as we call it: our own declarations, after the specification. Handles are
 * pointers, and errors are 0 or below.
 */
#ifndef PIPESIM_LATENCY_BENCH_OPENCL_API_H
#define PIPESIM_LATENCY_BENCH_OPENCL_API_H

#include <glib.h>

enum {
    CL_DEVICE_TYPE_CPU = 1 << 1,
    CL_DEVICE_TYPE_GPU = 1 << 2,
    CL_DEVICE_TYPE_ACCELERATOR = 1 << 3,
    CL_QUEUE_PROFILING_ENABLE = 1 << 1,
    CL_MEM_READ_WRITE = 1 << 0,

    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C, /* MHz */
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
    CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
    CL_DEVICE_WARP_SIZE_NV = 0x4003,
    CL_DEVICE_BOARD_NAME_AMD = 0x4038,
    CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,

    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_NUM_ARGS = 0x1191,
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3,
    CL_PROFILING_COMMAND_START = 0x1282, /* nanoseconds */
    CL_PROFILING_COMMAND_END = 0x1283,
};

enum {
    CL_DEVICE_NOT_FOUND = -1,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_INVALID_ARG_SIZE = -51,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_WORK_ITEM_SIZE = -55,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_INVALID_GLOBAL_WORK_SIZE = -63,
};

typedef struct {
    int (*platforms)(guint32 n, void **platforms, guint32 *count);
    int (*devices)(void *platform, guint64 type, guint32 n, void **devices, guint32 *count);
    int (*device_info)(void *device, guint32 what, gsize bytes, void *value, gsize *size);
    void *(*create_context)(const gintptr *properties, guint32 n, void *const *devices,
                            void (*notify)(const char *, const void *, gsize, void *), void *data,
                            int *error);
    int (*release_context)(void *context);
    void *(*create_queue)(void *context, void *device, guint64 properties, int *error);
    int (*release_queue)(void *queue);
    void *(*create_program)(void *context, guint32 n, const char **sources, const gsize *lengths,
                            int *error);
    int (*build)(void *program, guint32 n, void *const *devices, const char *options,
                 void (*notify)(void *, void *), void *data);
    int (*build_info)(void *program, void *device, guint32 what, gsize bytes, void *value,
                      gsize *size);
    int (*program_info)(void *program, guint32 what, gsize bytes, void *value, gsize *size);
    int (*release_program)(void *program);
    void *(*create_kernel)(void *program, const char *name, int *error);
    int (*kernel_info)(void *kernel, guint32 what, gsize bytes, void *value, gsize *size);
    int (*group_info)(void *kernel, void *device, guint32 what, gsize bytes, void *value,
                      gsize *size);
    int (*release_kernel)(void *kernel);
    int (*set_argument)(void *kernel, guint32 index, gsize bytes, const void *value);
    void *(*create_buffer)(void *context, guint64 flags, gsize bytes, void *host, int *error);
    int (*release_buffer)(void *buffer);
    int (*write)(void *queue, void *buffer, guint32 blocking, gsize offset, gsize bytes,
                 const void *from, guint32 n_wait, void *const *wait, void **event);
    int (*read)(void *queue, void *buffer, guint32 blocking, gsize offset, gsize bytes, void *to,
                guint32 n_wait, void *const *wait, void **event);
    int (*launch)(void *queue, void *kernel, guint32 dimensions, const gsize *offset,
                  const gsize *global, const gsize *local, guint32 n_wait, void *const *wait,
                  void **event);
    int (*wait)(guint32 n, void *const *events);
    int (*profile)(void *event, guint32 what, gsize bytes, void *value, gsize *size);
    int (*release_event)(void *event);
} OpenclApi;

#endif
