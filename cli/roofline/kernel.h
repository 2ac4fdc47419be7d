/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel with what the roofline says of it on each GPU: all that the reports tell.
 */
#ifndef PIPESIM_CLI_ROOFLINE_KERNEL_H
#define PIPESIM_CLI_ROOFLINE_KERNEL_H

#include "cli/roofline/notes.h"
#include "pipesim-private.h"

/* A GPU at a clock. */
typedef struct {
    PsGpu *gpu;
    PsRational clock;      /* MHz */
    gboolean is_asked_for; /* that clock, whatever a profile says of its own */
    PsPeaks peaks;
    PsRational highest; /* MHz: the clock that is asked for, or the highest that it has */
    PsPeaks limits;     /* at that, for ceilings */
} RooflineGpu;

/* What is not known is NaN. */
typedef struct {
    PsParams params;        /* the kernel's, of code as it was built for that GPU */
    PsRational clock;       /* MHz: the GPU's, or that at which the kernel was measured on it */
    gboolean is_clock_told; /* by the profile */
    PsPeaks peaks;          /* at that clock, B_mem as this kernel mixes reads and writes */
    PsPrediction prediction;
    PsCeilings ceilings; /* of the highest figures that the description has, ps_peaks_limits */
    double error;        /* (predicted - measured) / measured */
    double rate;         /* operations per second: achieved, or predicted if estimated */
    double efficiency;   /* that rate as a share of the plain roofline */
    double headroom;     /* its inverse, a factor */
    gboolean estimated;  /* not measured, or on another GPU (of a profile that does not tell: the
                            others than the first) */
} RooflineResult;

typedef struct {
    char *path; /* of its file */
    PsProfileKernel *kernel;
    GArray *results;   /* RooflineResult, one for each GPU */
    gboolean is_apart; /* results differ in params */
} RooflineKernel;

/* gpus holds RooflineGpu; the kernel and the path of its file are copied. on_gpus has what code
 * counts on each GPU, whose caches it was built for; NULL where the kernel's own metrics or
 * parameters are those on all. What a reader should know goes to notes. NULL and *error where a GPU
 * lacks a peak that the kernel needs. Ends with roofline_kernel_unref. */
RooflineKernel *roofline_kernel_new(const PsProfileKernel *kernel, const char *path,
                                    const PsMetrics *on_gpus, const GArray *gpus, Notes *notes,
                                    GError **error);
RooflineKernel *roofline_kernel_ref(RooflineKernel *kernel);
void roofline_kernel_unref(void *kernel);

const RooflineGpu *roofline_gpu(const GArray *gpus, guint i);
const RooflineResult *roofline_result(const RooflineKernel *kernel, guint gpu);

/* How long it took on that GPU; NaN where it was not measured there. */
double roofline_achieved(const RooflineKernel *kernel, const RooflineResult *result);

/* The name of its highest ceiling; NULL where none is known. */
const char *roofline_highest(const RooflineResult *result);

/* What people call a ceiling of that kernel: "shared" in place of "local" for kernels from CUDA. */
const char *roofline_ceiling_words(const PsProfileKernel *kernel, PsCeilingKind kind);

/* The highest ceiling in these words; NULL where none is known. */
const char *roofline_highest_words(const PsProfileKernel *kernel, const RooflineResult *result);

/* A copy of a kernel, as profiles own them (ps_profile_kernel_free). */
PsProfileKernel *roofline_copy(const PsProfileKernel *kernel);

/* TRUE if a profiler's name of a device clearly is not that GPU: both have a model's number, and
 * have none in common. "Tesla V100-SXM2-16GB" may be "Tesla V100", "Tesla K40c" is not. */
gboolean roofline_is_other_device(const char *device, const char *gpu);

/* TRUE if the name of a device is more than a number that the profiler gave it. */
gboolean roofline_is_device(const char *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(RooflineKernel, roofline_kernel_unref)

#endif
