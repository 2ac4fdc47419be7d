/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A campaign of micro-benchmarks: what is run (the plan), what came out (raw samples, kept in a CSV
 * file), and the GPU description that follows from it.
 *
 *     ps_device_open -> ps_bench_plan -> ps_bench_measure -> raw CSV -> ps_raw_load ->
 * ps_bench_describe -> PsGpu
 */
#ifndef PIPESIM_LATENCY_BENCH_BENCH_H
#define PIPESIM_LATENCY_BENCH_BENCH_H

#include "base/progress.h"
#include "latency-bench/device.h"
#include "latency-bench/fit.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* ---- the plan ------------------------------------------------------------------------------ */

typedef enum { PS_GRID_FULL, PS_GRID_QUICK, PS_GRID_REDUCED } PsBenchGrid; /* 5 minutes, 1, tests */

/* A launch to be made, and how often. */
typedef struct {
    guint kernel; /* index in the plan's kernels */
    PsBenchLaunch launch;
    guint repeats;
} PsBenchPoint;

typedef struct {
    GPtrArray *kernels; /* PsBenchKernel */
    GArray *points; /* PsBenchPoint: those of one kernel together; lengths in pairs, for slopes */
    GPtrArray *warnings; /* char *: what is left out, or assumed, and why */
} PsBenchPlan;

/* The plan for a device: occupancies by dynamic local memory, and only what the device has.
 * pattern: kernels whose names match (a glob), NULL: all. */
PsBenchPlan *ps_bench_plan(const PsDeviceInfo *info, PsBenchGrid grid, const char *pattern);
void ps_bench_plan_free(PsBenchPlan *plan);

/* The part of its buffer that a launch touches, from its first trip to its last. Zeros without a
 * buffer. */
typedef struct {
    gint64 bytes;   /* of its distinct sectors */
    gint64 lines;   /* distinct */
    gint64 sectors; /* distinct, of all warps of the first CU in one step of one chain */
    gint64 reuse;   /* least bytes of other sectors that are touched before any sector is touched
                       again (with its own); 0: none is */
} PsFootprint;

/* ---- raw samples --------------------------------------------------------------------------- */

/* A run of a point. Texts are owned. */
typedef struct {
    char *kernel, *class_name; /* names; of the kernel and of its class */
    PsBenchKind kind;
    gint64 ilp, unroll;
    double operations;
    PsBenchLaunch launch;
    PsFootprint footprint;
    PsBenchSample sample;
    char *problem; /* the reason why there is no sample; NULL: there is one */
} PsRawRow;

typedef struct {
    char *path;
    PsDeviceInfo info;
    char *when;       /* ISO 8601, UTC: start of the measurements; NULL: not known */
    GPtrArray *rows;  /* PsRawRow */
    gboolean cut_off; /* the last row was not whole, and was dropped */
} PsRaw;

/* Reads a raw file. Every figure is checked: NULL and *error (PS_ERROR_READ, _SYNTAX, _VALUE), with
 * file, line and column. */
PsRaw *ps_raw_load(const char *path, GError **error);
void ps_raw_free(PsRaw *raw);

/* A raw file that grows row by row. A row has a sample or a problem. plans NULL: a file that exists
 * is an error. Else (PsBenchPlan, of this device) goes on after the rows of a file that is there
 * already; done (may be NULL) then gets them. Such a file must be of the same device, hold nothing
 * but rows of these plans, and be written as this writer writes: else, or while another process
 * measures into it, it is left as it is, with *error. */
typedef struct PsRawWriter PsRawWriter;
PsRawWriter *ps_raw_writer_new(const char *path, const PsDeviceInfo *info, const GPtrArray *plans,
                               PsRaw **done, GError **error);
gboolean ps_raw_writer_close(PsRawWriter *writer, GError **error);

/* ---- measuring ----------------------------------------------------------------------------- */

typedef struct {
    PsRawWriter *writer;
    const PsRaw *done; /* rows that need not be measured again; or NULL */
    /* Hears PS_PHASE_POINTS before each kernel and after each point. If it ends the work, that is
     * no error here: the measured rows are kept. */
    PsHearer progress;
    GPtrArray *warnings; /* char *: points and kernels that were skipped, with the reason */
    char **unseen; /* NULL, or gets why a kernel's machine code could not be looked at (g_free) */
} PsBenchMeasure;

/* Runs the plan. Points that lack resources, and kernels that do not compile, are rows with a
 * problem, and warnings. FALSE and *error where the device fails, its timer does not advance, or a
 * row cannot be written. */
gboolean ps_bench_measure(PsDevice *device, const PsBenchPlan *plan, const PsBenchMeasure *measure,
                          GError **error);

/* ---- the description ----------------------------------------------------------------------- */

/* A class with its fit, for reports. */
typedef struct {
    char *class_name; /* its name in the description: "local.load.c2" */
    PsHullFit fit;
    GArray *points; /* PsHullPoint: what was fitted */
} PsBenchFit;

typedef struct {
    PsGpu *gpu;          /* measured, with provenance: valid for ps_gpu_write and ps_gpu_parse */
    GArray *fits;        /* PsBenchFit */
    GPtrArray *warnings; /* char *: figures that were not identifiable, or left out */
} PsBenchResult;

/* Fits every class, takes the peaks, writes the description. NULL and *error (PS_ERROR_VALUE) where
 * not a single class could be measured. */
PsBenchResult *ps_bench_describe(const PsRaw *raw, GError **error);
void ps_bench_result_free(PsBenchResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRaw, ps_raw_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBenchPlan, ps_bench_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBenchResult, ps_bench_result_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
