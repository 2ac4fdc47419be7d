/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the importers of AMD's profilers share: counters, under whichever name the architecture and
 * the profiler's version give them. Four kinds of files:
 *
 *     rocprof v1, v2, rocprofiler-compute    a row per launch, a column per counter: rocprof.c
 *     rocprofv3 counter_collection.csv       a row per launch and counter: rocprof-long.c
 *     rocprofv3 kernel_trace.csv             a row per launch, only times: rocprof.c
 *     results.stats.csv, kernel_stats.csv    a row per kernel, only times: rocprof.c
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_ROCPROF_H
#define PIPESIM_ROOFLINE_IMPORT_ROCPROF_H

#include "roofline/import/import.h"

/* The counter of the formulas that holds durations; no profiler's name. */
#define PS_ROCPROF_DURATION "duration"

/* Wide files and rocprofv3's differ in how one collects a counter. */
extern const PsFormulas ps_rocprof_formulas;
extern const PsFormulas ps_rocprofv3_formulas;

/* How a column, or a named value, adds to a counter. */
typedef struct {
    int counter;   /* of the collector; -1: it is not needed */
    gboolean adds; /* adds to other values of the same launch: channels, spellings for parts of a
                      whole */
    gboolean per_wave; /* counts waves' instructions: times the wave size */
} PsRocprofCounter;

/* TCC_EA0_RDREQ[3], FetchSize, ...: by the names that formulas use. */
PsRocprofCounter ps_rocprof_counter(const PsCollector *collector, const char *name);

/* The state that all launches of a file share. */
typedef struct {
    PsImport *import;
    PsCollector *collector;
    int name, device, start, end, wave; /* columns; -1: none */
    int wave_size;                      /* of the present row */

    /* What the file contains, for warnings at the end. */
    gboolean waves;       /* counters of waves' instructions */
    gboolean new_reads;   /* names that architectures have whose reads may be of 128 bytes */
    gboolean large_reads; /* these reads are counted, or summed up by the profiler */
    int rounded_line;     /* the first with times that are rounded; 0: none */
} PsRocprof;

/* Finds the columns by any of their names. FALSE and *error if there is no kernel's name, or only
 * one of the two times. */
gboolean ps_rocprof_init(PsRocprof *rocprof, PsImport *import, PsCollector *collector,
                         GError **error);

/* The file has a counter of this name. */
void ps_rocprof_note(PsRocprof *rocprof, const char *name);

/* Begins the launch on this row, which has its name and device. */
gboolean ps_rocprof_launch(PsRocprof *rocprof, GError **error);

/* Takes the row's times as those of the launch, if there are any. */
gboolean ps_rocprof_duration(PsRocprof *rocprof, GError **error);

/* A field of this row is the value of a counter. */
gboolean ps_rocprof_put(PsRocprof *rocprof, PsRocprofCounter counter, int column, GError **error);

/* The same for a value that stands in no row. */
void ps_rocprof_put_value(PsRocprof *rocprof, PsRocprofCounter counter, double value);

/* Hands on the remaining kernels, and warns. */
gboolean ps_rocprof_finish(PsRocprof *rocprof, GError **error);

/* Whether a text begins as rocprofv3's JSON does; the other one reads it. */
gboolean ps_import_is_rocprof_json(const char *text);
gboolean ps_import_rocprof_json(PsImport *import, GError **error);

extern const PsImporter ps_import_rocprof;
extern const PsImporter ps_import_rocprof_trace;
extern const PsImporter ps_import_rocprof_stats;
extern const PsImporter ps_import_rocprofv3;

#endif
