/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels as profilers saw them. A file's kind is found by its content:
 *
 *     nvprof --csv            metrics, gpu-trace and gpu-summary
 *     Nsight Compute --csv    long form, and the wide form of --page raw
 *     nsys stats --format csv cuda_gpu_kern_sum and cuda_gpu_trace: durations alone
 *     rocprof                 wide form of v1 and v2 (also rocprofiler-compute's pmc_perf.csv)
 *     rocprofv3               counter_collection.csv and kernel_trace.csv
 *     nsys export, rocpd      SQLite databases of Nsight Systems, and of rocprofv3
 *     rocprofv3 JSON          --output-format json
 *     JSON                    {"kernels": [{"name", "parameters": {"K_type", ...}}]}, ours
 */
#ifndef PIPESIM_ROOFLINE_PROFILE_H
#define PIPESIM_ROOFLINE_PROFILE_H

#include "base/progress.h"
#include "roofline/roofline.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A kernel with all its launches on one device, or one launch. Counts are sums over the launches.
 */
typedef struct {
    char *name;
    char *device;         /* as the profiler names it, "Tesla K40c"; NULL if not known */
    guint capability;     /* of the device, as PsGpu.capability; 0: not known */
    gint64 launches;      /* 0: not known */
    gint64 launch;        /* which one of its kernel, from 1; 0: all together */
    gboolean has_metrics; /* FALSE: params were measured elsewhere (JSON) */
    PsMetrics metrics;
    PsParams params;
    double seconds;       /* measured, of all launches together; NaN if not known */
    int line;             /* the line where the file first has it */
    gboolean says_shared; /* the memory of a group is "shared" in its words (CUDA), else "local" */
} PsProfileKernel;

/* Frees it, and what is in it. */
void ps_profile_kernel_free(PsProfileKernel *kernel);

/* How a profile is read. */
typedef struct {
    gboolean apart; /* launches of a kernel are kept apart, if the file does so */

    /* If not NULL, kernels go here one by one and are not kept (each may be gone after the call);
     * FALSE and *error ends the reading. */
    gboolean (*each)(void *self, const PsProfileKernel *kernel, GError **error);
    void *self;
    PsHearer progress; /* of PS_PHASE_FILE */
} PsProfileOptions;

/* A profile, read. */
typedef struct {
    char *path;
    const char *kind;    /* "nvprof metrics", "Nsight Compute", ... ; borrowed */
    GPtrArray *kernels;  /* PsProfileKernel, in the order of the file; empty with `each` */
    GPtrArray *warnings; /* char *: "FILE: metric M_fp32 is missing ..." */
} PsProfile;

/* Reads a file ("-" is standard input). options may be NULL. Memory grows with the distinct
 * kernels, not with launches (nor with launches apart where `each` takes them). NULL and *error
 * (PS_ERROR_READ, _SYNTAX, _VALUE), with file, line and column, at the first thing that is wrong;
 * a file of an unknown kind is an error that lists the kinds. */
PsProfile *ps_profile_load(const char *path, const PsProfileOptions *options, GError **error);
void ps_profile_free(PsProfile *profile);

/* Gives kernels of the profile without a duration one from another profile's kernels of the same
 * name (and device, if both name one): of as many launches, or from their mean. Returns how many
 * got one. */
guint ps_profile_join(PsProfile *profile, const PsProfile *durations);

/* Replaces the description's peaks by those that another benchmark measured on that GPU, at the
 * clock that it usually holds: rocprof-compute's roofline.csv (its first device), the output of
 * mixbench (the highest of each type), ERT's roofline.json or the text behind it, or a description
 * (which pipesim bench measured). FALSE and *error (PS_ERROR_READ, _SYNTAX, _VALUE), with file,
 * line and column if there are any. */
gboolean ps_peaks_load(PsGpu *gpu, const char *path, GError **error);

/* The counters that a profiler ("ncu", "rocprofv3") should collect for all metrics that its files
 * are read for. ';' separates metrics, '|' the ways to know one (the best first), ',' the counters
 * of a way. All of these must exist, but for a way that begins with '?'. Free with g_free; NULL for
 * another profiler. */
char *ps_profile_counters(const char *profiler);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsProfile, ps_profile_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsProfileKernel, ps_profile_kernel_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
