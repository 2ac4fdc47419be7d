/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common declarations of latency-bench's folders. Internal to latency-bench/.
 */
#ifndef PIPESIM_LATENCY_BENCH_INTERNAL_H
#define PIPESIM_LATENCY_BENCH_INTERNAL_H

#include "latency-bench/bench.h"

/* ---- kernels (plan/) ----------------------------------------------------------------------- */

/* TRUE if the kernel has chains of one class, whose slopes are the class's latencies. */
static inline gboolean ps_bench_has_chains(PsBenchKind kind)
{
    return kind == PS_BENCH_CHAIN || kind == PS_BENCH_LOCAL || kind == PS_BENCH_GLOBAL;
}

/* In PS_MEMORY_TILES: the element that follows an element, both as indices of words. */
guint32 ps_bench_next_tile(const PsBenchKernel *kernel, guint32 word);

/* The kernel that empties caches: it reads a buffer once, as a whole. Free with
 * ps_bench_kernel_free. */
PsBenchKernel *ps_bench_sweep(void);

/* The whole source for a backend: "CUDA", "HIP" or "OpenCL". Free with g_free. */
char *ps_bench_source(const PsBenchKernel *kernel, const char *backend);

/* On a device with so many CUs and such warps. */
PsFootprint ps_bench_footprint(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                               const PsBenchLaunch *launch);

/* Whether a launch must find caches without any of its buffer: drivers sweep twice the last cache
 * before it. */
gboolean ps_bench_is_cold(const PsBenchKernel *kernel, const PsBenchLaunch *launch);

/* Bytes of the device's last cache, or, where its driver may not report it, of the largest that
 * GPUs have. */
gint64 ps_bench_last_cache(const PsDeviceInfo *info);

/* Bytes of dynamic local memory with which a CU holds that many groups; at least `needed`. -1: so
 * many do not fit. */
gint64 ps_bench_local_memory(const PsDeviceInfo *info, gint64 groups, gint64 needed);

/* ---- devices (device/) --------------------------------------------------------------------- */

/* Calls of PsDeviceClass, with their checks. */
PsBenchProgram *ps_device_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error);
void ps_device_release(PsDevice *device, PsBenchProgram *program);
gboolean ps_device_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error);
char *ps_device_code(PsDevice *device, PsBenchProgram *program);
GBytes *ps_device_image(PsDevice *device, PsBenchProgram *program);
gboolean ps_device_check(PsDevice *device, GError **error);

/* Frees what a description of a device owns. */
void ps_device_info_clear(PsDeviceInfo *info);

/* ---- machine code (code/) ------------------------------------------------------------------ */

/* Whether the file is one of machine code at all; else it is the text of a compiler, or LLVM's. */
gboolean ps_code_is_machine(GBytes *image);

/* FALSE and *error (PS_ERROR_DEVICE: why) if the code is not what the kernel measures: by the
 * machine code, if image is machine code and can be read, else by the compiler's text, if there is
 * one (both may be NULL). *unseen gets the reason why machine code could not be read (g_free), or
 * NULL. */
gboolean ps_bench_check_code(const PsBenchKernel *kernel, GBytes *image, const char *text,
                             char **unseen, GError **error);

/* ---- samples (raw/) and the fit (fit/) ----------------------------------------------------- */

/* Writes a row. It is in the file as a whole when this returns or, where it fails, not at all. */
gboolean ps_raw_writer_put(PsRawWriter *writer, const PsRawRow *row, GError **error);

/* The points of a class's curve: slopes between the shortest and the longest run of equal launches,
 * each repeat for itself, in cycles per link; NaN where the longer took no longer. Rows with a
 * problem do not count. Free with g_array_unref. */
GArray *ps_raw_hull(const PsRaw *raw, const char *class_name); /* PsHullPoint */

/* Fits points of several ilp and warps, repeats welcome, in any order. schedulers: of the CU, 0 if
 * not known. Then the scope is unknown, as also if all points have the same ilp, and lambda is the
 * CU's. Robust against outliers. With fewer than two usable points everything is unknown. */
void ps_hull_fit(const PsHullPoint *points, guint n, gint64 schedulers, PsHullFit *fit);
void ps_hull_fit_clear(PsHullFit *fit);

#endif
