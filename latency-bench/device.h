/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices that micro-benchmarks run on, behind one interface: CUDA, HIP and OpenCL, whose drivers
 * are opened at run time; and a model, which is the simulator itself with latencies of its own.
 */
#ifndef PIPESIM_LATENCY_BENCH_DEVICE_H
#define PIPESIM_LATENCY_BENCH_DEVICE_H

#include "gpu/gpu.h"
#include "latency-bench/kernel.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A device's description of itself. */
typedef struct {
    char *backend;      /* "CUDA", "HIP", "OpenCL", "model" */
    char *name;         /* "NVIDIA H100 PCIe" */
    char *vendor;       /* "NVIDIA" */
    char *architecture; /* "sm_90", "gfx90a"; NULL if not known */
    char *driver;       /* versions, for provenance */
    gint64 compute_units;
    gint64 warp_size;
    gint64 schedulers;      /* per CU; 0 if not known */
    PsRational clock;       /* MHz, base; {0, 1} if not known, like the next */
    PsRational boost_clock; /* MHz */
    PsLimits limits;        /* zeros if not known */
    gint64 memory;          /* bytes of device memory */
    gint64 l2;              /* bytes of its last cache; 0 if not known */
    gboolean counter;       /* kernels can read a cycle counter of their CU, and its number */
    gboolean fp64, fp16;    /* it has such arithmetic */
    /* Known from the driver alone, and not stored in raw files: */
    gboolean processor; /* it is a CPU */
    char *note;         /* shown to users before measuring begins; NULL: nothing */
} PsDeviceInfo;

/* One launch of a micro-benchmark. Nothing is left to defaults. */
typedef struct {
    gint64 groups;
    gint64 group_size;   /* threads */
    gint64 local_memory; /* bytes of dynamic local memory per group: limits occupancy */
    gint64 warps;        /* that are meant to be active on each CU at once */
    gint64 length;       /* trips of the kernel's loop */
    gint64 memory;       /* bytes of the buffer that the kernel walks through; 0: none */
    gint64 step;         /* kernel's parameter: stride, conflict degree, ... in elements */
    gint64 repeat;       /* of equal launches, from 0: tells them apart on a model */
} PsBenchLaunch;

/* The time of a launch; NaN if the device does not measure it. */
typedef struct {
    double cycles;  /* by the CUs' own counters: last end - first start, the median over those CUs
                       that held `warps` warps */
    double seconds; /* of the whole launch, by the device's events */
    double mhz;     /* clock of the CUs while it ran */
} PsBenchSample;

typedef struct PsDevice PsDevice;
typedef struct PsBenchProgram PsBenchProgram; /* a kernel that a device has compiled */

/* The calls that each kind of device implements. */
typedef struct {
    void (*close)(PsDevice *device); /* frees the device itself, and what its info owns, too */
    /* The kernel must live as long as the program. */
    PsBenchProgram *(*compile)(PsDevice *device, const PsBenchKernel *kernel, GError **error);
    void (*release)(PsDevice *device, PsBenchProgram *program);
    /* Errors: PS_ERROR_RESOURCES if only this launch cannot be made (skip it), PS_ERROR_DEVICE if
     * the device is of no more use. */
    gboolean (*run)(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                    PsBenchSample *sample, GError **error);
    /* The code of a program as text (PTX, SASS, LLVM, ...); NULL where it cannot be seen. Free with
     * g_free. */
    char *(*code)(PsDevice *device, PsBenchProgram *program);
    /* The loaded bytes: machine code, or a text that the driver compiled further. NULL: it cannot
     * be seen, as where the call is NULL. The caller's (g_bytes_unref). */
    GBytes *(*image)(PsDevice *device, PsBenchProgram *program);
    /* FALSE and *error if the device is lost. Called when a kernel did not compile, since no kernel
     * compiles for a lost device. NULL: it is never lost. */
    gboolean (*check)(PsDevice *device, GError **error);
} PsDeviceClass;

/* Every kind's own struct begins with this. */
struct PsDevice {
    const PsDeviceClass *methods;
    PsDeviceInfo info;
};

/* Opens the first device, or the one with that number, of the backend ("cuda", "hip", "opencl", or
 * NULL: the first that is there in this order). NULL and *error (PS_ERROR_DEVICE): one line that
 * names the libraries that were not found, or has the driver's message. */
PsDevice *ps_device_open(const char *backend, guint number, GError **error);

/* The same for CUDA alone, without a compiler: kernels come from the archives in a folder, which
 * ps_precompile made. */
PsDevice *ps_device_open_cubins(const char *folder, guint number, GError **error);

/* A device that simulates: latencies from a description, with noise (standard deviation, as a
 * fraction), a share of outliers, which take up to `worst` times as long, and a seed. The same seed
 * gives the same samples. gpu is borrowed and must outlive the device. */
typedef struct {
    const PsGpu *gpu;
    double noise, outliers, worst;
    guint32 seed;
} PsModelDevice;
PsDevice *ps_device_model(const PsModelDevice *model, GError **error);

void ps_device_close(PsDevice *device); /* NULL is fine */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsDevice, ps_device_close)

#pragma GCC visibility pop
G_END_DECLS
#endif
