/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of ps_bench_describe: curves are taken from the raw rows (curve.c), fitted, and become
 * classes on pipelines (class.c, unit.c); rates become peaks (peak.c). All parts add warnings,
 * sources and pipelines through add.c. Internal to the library.
 */
#ifndef PIPESIM_LATENCY_BENCH_DESCRIBE_H
#define PIPESIM_LATENCY_BENCH_DESCRIBE_H

#include "latency-bench/bench.h"

/* A description in the making. */
typedef struct {
    const PsRaw *raw;
    PsGpu *gpu;
    GArray *fits;        /* PsBenchFit */
    GPtrArray *warnings; /* char * */
    double clock;        /* MHz: median of all samples; the device's own if no sample has one */
} PsDescribe;

void ps_describe_warn(PsDescribe *describe, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Adds a source; id may be NULL; takes text. */
void ps_describe_source(PsDescribe *describe, const char *id, PsSourceKind kind, char *text);

/* The name of a source that is one class's alone, such as "local-store-bound" (g_free): without
 * dots, and with no digit to begin with. */
char *ps_describe_source_name(const char *class_name, const char *what);

/* The name of the device, as messages and the description have it: one line of UTF-8 (g_free). */
char *ps_describe_name(const PsDeviceInfo *info);

/* Chip and limits, as the device states them; at the end, when the classes are there, the
 * refinements that the measurements ask for. */
void ps_describe_chip(PsDescribe *describe);
void ps_describe_model(PsDescribe *describe);

/* Warns of classes that could not be measured, and why: once for many classes. */
void ps_describe_problems(PsDescribe *describe);

/* Fits every curve of the raw rows: fills in `fits`. */
void ps_describe_fit(PsDescribe *describe);

/* ---- figures beside classes ---------------------------------------------------------------- */

/* Times of the repeats of a launch of a benchmark of PS_BENCH_LEVEL: medians, NaN where not
 * known. */
typedef struct {
    const PsRawRow *row; /* one of them; borrowed */
    double cycles, seconds;
} PsTaken;

/* All launches of the class, by size of the buffer, then in the order of measurement
 * (g_array_unref). */
GArray *ps_describe_taken(const PsDescribe *describe, const char *class_name); /* PsTaken */

/* The same launches, each pair of lengths as one: the time of a trip. */
GArray *ps_describe_trips(const PsDescribe *describe, const char *class_name); /* PsTaken */

/* The time of an iteration of the only launch of the class; NULL if there is none. Free with
 * g_free. */
PsTaken *ps_describe_trip(const PsDescribe *describe, const char *class_name);

/* The fit of the class of that name; NULL if there is none. Borrowed. */
const PsHullFit *ps_describe_hull(const PsDescribe *describe, const char *class_name);

/* The class's cycles between two issues of the CU; NaN if not known. */
double ps_describe_issue(const PsDescribe *describe, const char *class_name);

/* The decimal of a figure whose confidence interval is not known. */
PsRational ps_describe_figure(double value);

/* Index of the pipeline of that name, which is added if it is missing. */
guint ps_describe_pipeline(PsGpu *gpu, const char *name, gboolean per_scheduler);

/* The levels of memory (level.c), if walks through buffers tell them apart; the costs of launches
 * and groups (launch.c), atomics (atomic.c) and local memory (local.c), once there are levels. */
void ps_describe_levels(PsDescribe *describe);
void ps_describe_requests(PsDescribe *describe); /* part of the levels (request.c) */
void ps_describe_queue(PsDescribe *describe);    /* part of the levels (queue.c) */
void ps_describe_atomics(PsDescribe *describe);
void ps_describe_local(PsDescribe *describe);
void ps_describe_launches(PsDescribe *describe); /* when the classes are there */

/* Adds the number of instructions that wait in front of special functions (burst.c), once the
 * classes are there. */
void ps_describe_bursts(PsDescribe *describe);

/* Whether the class follows from the levels, launches, atomics and local memory: no row states it
 * again. */
gboolean ps_describe_follows(const PsDescribe *describe, const PsBenchFit *fit);

/* The same for local memory: the stated figures give the class, and loads and stores of several
 * words have the latencies that were measured. */
gboolean ps_describe_follows_local(const PsDescribe *describe, const PsBenchFit *fit);

/* ---- classes ------------------------------------------------------------------------------- */

/* The curves' classes, further classes that graphs ask for and nobody measured, and the defaults of
 * kinds. Returns the number of measured classes. */
guint ps_describe_classes(PsDescribe *describe);

/* Takes what integer multiply-adds in turns with those of single precision tell: whether both have
 * one pipeline. They are no class. */
#define PS_DESCRIBE_BESIDE "imad.beside"

/* TRUE if the class is of an access in several passes. The other function adds the cost of each
 * pass, once the classes are there (pass.c). */
gboolean ps_describe_is_pass(const char *class_name);
void ps_describe_passes(PsDescribe *describe);
void ps_describe_substitutes(PsDescribe *describe);

/* The pipeline that serves a class: "fp32". Borrowed. */
const char *ps_describe_unit(const char *class_name);

/* "IADD3, half IMAD.IADD": the instructions in a class's chains in an architecture's code, where
 * compilers give it to two units in turns; else NULL. Borrowed; architecture may be NULL. */
const char *ps_describe_mixture(const char *class_name, const char *architecture);

void ps_describe_peaks(PsDescribe *describe);

/* The decimal with the fewest digits that is as good as the estimate: rounded by at most a quarter
 * of the half width of its confidence interval. It has four significant digits if that is not known
 * to be wide, and more only if it would fall outside of the interval. {0, 1} if a description may
 * not state the value. */
PsRational ps_describe_decimal(const PsEstimate *estimate);

#endif
