/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of devices behind CUDA, HIP and OpenCL: the buffers of a micro-benchmark and
 * their content, a launch, and the cycles that follow from the times that its warps wrote. A driver
 * adds five calls.
 */
#ifndef PIPESIM_LATENCY_BENCH_DRIVER_H
#define PIPESIM_LATENCY_BENCH_DRIVER_H

#include "latency-bench/device.h"
#include "latency-bench/device/library.h"

/* Memory of a device: an address or a handle of its driver; 0 is no memory. */
typedef guintptr PsBuffer;

/* The parameters of a kernel, in this order. */
typedef struct {
    PsBuffer memory;
    guint32 elements, step, length;
    PsBuffer times, cus, sink;
} PsArguments;

typedef struct PsDriver PsDriver;

/* Errors are PS_ERROR_RESOURCES where only this launch or this size cannot be had, and
 * PS_ERROR_DEVICE else. */
typedef struct {
    gboolean addresses; /* buffers are the addresses at which kernels find them */
    gboolean (*allocate)(PsDriver *driver, gsize bytes, PsBuffer *buffer, GError **error);
    void (*discard)(PsDriver *driver, PsBuffer buffer);
    gboolean (*write)(PsDriver *driver, PsBuffer to, gsize offset, GBytes *data, GError **error);
    gboolean (*read)(PsDriver *driver, PsBuffer from, void *data, gsize bytes, GError **error);
    /* Launches and waits; *seconds is by the device's events. */
    gboolean (*launch)(PsDriver *driver, PsBenchProgram *program, const PsBenchLaunch *launch,
                       const PsArguments *arguments, double *seconds, GError **error);
} PsDriverCalls;

/* Every program of a driver begins with this. */
typedef struct {
    guint serial; /* no two programs of a device have the same */
    PsBenchKind kind;
    PsBenchMemory pattern;
    gboolean untimed;     /* as of PsBenchKernel */
    PsBenchKernel kernel; /* its figures; what it points to may be gone */
} PsDriverProgram;

typedef struct {
    PsBuffer buffer;
    gsize bytes;
    gsize start; /* of these in the buffer, which may be larger; 0 without addresses */
} PsDriverStore;

/* Every driver's device begins with this; zeros but for device and calls to start with. */
struct PsDriver {
    PsDevice device;
    const PsDriverCalls *calls;
    guint n_programs; /* the number of all programs that were compiled */
    PsDriverStore memory, times, cus, sink;
    PsDriverStore swept;     /* twice the last cache, */
    PsBenchKernel *sweep;    /* which this reads, to empty it */
    PsBenchProgram *sweeper; /* NULL until it is needed */
    guint64 content;         /* what is in `memory`; 0: not known */
    /* The last program's launch with one trip: what is taken off the clock's figures. */
    guint trip_of;
    PsBenchLaunch trip;
    double trip_seconds, trip_span;
};

/* Sets the common members of a new program. */
void ps_driver_program_init(PsDriver *driver, PsDriverProgram *program,
                            const PsBenchKernel *kernel);

/* How often a program is launched between a start of the timer and its end. */
gint64 ps_driver_launches(const PsBenchProgram *program, const PsBenchLaunch *launch);

/* The run of PsDeviceClass. */
gboolean ps_driver_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error);

/* The check of PsDeviceClass: writes a little memory. */
gboolean ps_driver_check(PsDevice *device, GError **error);

/* Gives the buffers back, while the driver's calls still work. */
void ps_driver_clear(PsDriver *driver);

/* Makes the store at least that large; its content is lost if it grows. */
gboolean ps_driver_grow(PsDriver *driver, PsDriverStore *store, gsize bytes, GError **error);

/* Gives driver->memory that many bytes with the content that the program wants. Right content is
 * left as it is. Memory of up to 4 GiB has addresses whose upper 32 bits are the same;
 * PS_ERROR_RESOURCES where a ring is wanted and it cannot. */
gboolean ps_driver_fill(PsDriver *driver, const PsDriverProgram *program, gsize bytes,
                        GError **error);

/* The times that n warps wrote: times[2 w], times[2 w + 1], cus[w]. */
typedef struct {
    const guint64 *times;
    const guint32 *cus;
    gsize n;
    gint64 warps; /* that each CU was meant to hold at once */
} PsWarpTimes;

/* *span is from the first start to the last end on the CU where that took longest; *cycles the
 * median over the CUs that held exactly `warps` warps, all at once, NaN if there is none. Counters
 * of different CUs are never compared, and may overflow. FALSE and *error (PS_ERROR_DEVICE) if a
 * counter stood still. */
gboolean ps_warp_times(const PsWarpTimes *warps, double *cycles, double *span, GError **error);

/* The error of a launch that gave no cycles (PS_ERROR_RESOURCES): how its groups were spread. */
void ps_warp_times_uneven(const PsWarpTimes *warps, GError **error);

/* The name of a kernel's function: the kernel's own with '_' for characters that C does not allow.
 * Free with g_free. */
char *ps_driver_function(const PsBenchKernel *kernel);

/* The device to open, and the source of its kernels. */
typedef struct {
    guint number;
    const char *cubins; /* CUDA's alone: a folder with what was compiled beforehand; or NULL */
} PsDeviceChoice;

/* Opens a device; takes the library, also in case of an error (PS_ERROR_DEVICE). */
PsDevice *ps_cuda_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error);
PsDevice *ps_hip_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error);
PsDevice *ps_opencl_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error);

#endif
