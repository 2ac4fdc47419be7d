/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel with its roofline on each GPU: all that the reports tell.
 */
#ifndef PIPESIM_TELL_ROOFLINE_KERNEL_H
#define PIPESIM_TELL_ROOFLINE_KERNEL_H

#include "gpu/gpu.h"
#include "idg/idg.h"
#include "roofline/ceilings.h"
#include "roofline/profile.h"
#include "roofline/roofline.h"
#include "roofline/terms.h"
#include "tell/facts.h"
#include "tell/json.h"
#include "tell/notes.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A GPU at a clock. */
typedef struct {
    const PsGpu *gpu;
    PsRational clock;      /* MHz */
    gboolean is_asked_for; /* that clock, whatever a profile says of its own */
    PsPeaks peaks;
    PsRational highest; /* MHz: the clock that was asked for, or the GPU's highest */
    PsPeaks limits;     /* peaks at that clock, for ceilings */
} PsRooflineGpu;

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
    double headroom;     /* that time as a multiple of the least: of the plain roofline's, or of the
                            highest ceiling's where that is above it */
    gboolean is_headroom_of_ceiling;
    gboolean estimated; /* not measured, or on another GPU (of a profile that does not tell: the
                           others than the first) */
} PsRooflineResult;

typedef struct {
    char *path; /* of its file */
    PsProfileKernel *kernel;
    GArray *results;   /* PsRooflineResult, one for each GPU */
    gboolean is_apart; /* results differ in params */
} PsRooflineKernel;

/* The GPU at that clock in MHz, which was asked for or is its usual one. */
PsRooflineGpu ps_roofline_gpu_at(const PsGpu *gpu, PsRational clock, gboolean is_asked_for);

/* The kernel of a graph, without figures yet (ps_profile_kernel_free). */
PsProfileKernel *ps_roofline_graph_kernel(const PsIdg *idg);

/* gpus holds PsRooflineGpu; the kernel and the path of its file are copied. on_gpus has the counts
 * of code on each GPU, for whose caches it was built; NULL if the kernel's own metrics or
 * parameters hold on all. Messages for a reader go to notes. NULL and *error if a GPU lacks a peak
 * that the kernel needs. Free with roofline_kernel_unref. */
PsRooflineKernel *ps_roofline_kernel_new(const PsProfileKernel *kernel, const char *path,
                                         const PsMetrics *on_gpus, const GArray *gpus,
                                         PsNotes *notes, GError **error);
PsRooflineKernel *ps_roofline_kernel_ref(PsRooflineKernel *kernel);
void ps_roofline_kernel_unref(void *kernel);

const PsRooflineGpu *ps_roofline_gpu(const GArray *gpus, guint i);
const PsRooflineResult *ps_roofline_result(const PsRooflineKernel *kernel, guint gpu);

/* The kernel's measured time on that GPU; NaN if it was not measured there. */
double ps_roofline_achieved(const PsRooflineKernel *kernel, const PsRooflineResult *result);

/* The name of its highest ceiling; NULL if none is known. */
const char *ps_roofline_highest(const PsRooflineResult *result);

/* The name for people of a ceiling of that kernel: "shared" in place of "local" for kernels from
 * CUDA. */
const char *ps_roofline_ceiling_words(const PsProfileKernel *kernel, PsCeilingKind kind);

/* The highest ceiling in these words; NULL if none is known. */
const char *ps_roofline_highest_words(const PsProfileKernel *kernel,
                                      const PsRooflineResult *result);

/* A copy of a kernel, as profiles own them (ps_profile_kernel_free). */
PsProfileKernel *ps_roofline_copy(const PsProfileKernel *kernel);

/* TRUE if a profiler's name of a device clearly is not that GPU: both have a model's number, and
 * have none in common. "Tesla V100-SXM2-16GB" may be "Tesla V100", "Tesla K40c" is not. */
gboolean ps_roofline_is_other_device(const char *device, const char *gpu);

/* TRUE if the name of a device is more than a number that the profiler gave it. */
gboolean ps_roofline_is_device(const char *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRooflineKernel, ps_roofline_kernel_unref)

/* ---- facts --------------------------------------------------------------------------------- */

/* A kernel with its predictions on these GPUs (ps_told_free). The kernel must live as long as its
 * facts. apart: kernels are single launches. */
PsTold *ps_roofline_told(PsRooflineKernel *kernel, const GArray *gpus, gboolean apart);

/* The document `pipesim roofline --format json`: its text before all kernels, one of them, and its
 * text behind. */
void ps_roofline_json_begin(PsJson *json);
void ps_roofline_json_kernel(PsJson *json, PsRooflineKernel *kernel, const GArray *gpus,
                             gboolean apart);
void ps_roofline_json_end(PsJson *json, const GArray *gpus, const GPtrArray *warnings);

#pragma GCC visibility pop
G_END_DECLS
#endif
