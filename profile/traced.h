/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace of a program's run: its processes, the launches that they made, and their failures. A
 * program is run once for its launches and their times, and once for counters, since counting makes
 * kernels run again and again and disturbs their times.
 */
#ifndef PIPESIM_PROFILE_TRACED_H
#define PIPESIM_PROFILE_TRACED_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    gint64 device;
    const char *capability, *name; /* "9.0" */
} PsTracedDevice;

typedef struct {
    gint64 pid, start;
    char *program;
    gboolean done;   /* it ended by itself */
    GArray *devices; /* PsTracedDevice */
} PsTracedProcess;

typedef struct {
    guint process; /* its place among the trace's */
    gint64 device, context, stream, order;
    gint64 start, end; /* ns; 0 where they could not be taken */
    gint64 grid[3], block[3];
    gint64 registers, static_memory, dynamic_memory;
    gboolean graph;     /* launched by a CUDA graph */
    const char *kernel; /* its name, readable */
    const char *symbol; /* as the code has it */
    const char *counts; /* "METRIC=VALUE METRIC=VALUE"; NULL where it was not counted */
} PsTracedLaunch;

typedef struct {
    char *what, *text; /* see latency-bench/profile/record.h */
} PsTracedFailure;

typedef struct {
    GPtrArray *processes; /* PsTracedProcess, in order of their start */
    GArray *launches;     /* PsTracedLaunch, in the order in which they were made */
    GPtrArray *failures;  /* PsTracedFailure, each once */
    GStringChunk *texts;
    GHashTable *names; /* mangled -> readable */
} PsTraced;

/* An empty trace. */
PsTraced *ps_traced_new(void);
void ps_traced_free(PsTraced *trace);

/* Reads the files of a phase in the folder, and sorts their launches. The injected library wrote a
 * file for each process (latency-bench/profile/record.h). The last line of a killed process may be
 * cut; it is passed over. NULL and *error where a file cannot be read. */
PsTraced *ps_traced_read(const char *folder, const char *phase, GError **error);

/* A kernel's name as C++ has it, for one that a compiler made. Remembered in the trace. */
const char *ps_traced_name(PsTraced *trace, const char *name);

/* The text of the first failure of that kind; NULL for none. */
const char *ps_traced_failure(const PsTraced *trace, const char *what);
void ps_traced_fail(PsTraced *trace, const char *what, const char *text);

/* Copies counts from the second trace to the first: the n-th launch of a kernel gets the counts of
 * the n-th launch there. Returns how many launches got counts; *left: launches of either trace
 * without a partner. What CUDA graphs launch is not counted. */
guint ps_traced_join(PsTraced *times, const PsTraced *counts, guint *left);

/* TRUE if the launch has a time. CUPTI cannot time every launch, and without one of its launches'
 * times the sum of a kernel is not known. */
gboolean ps_traced_is_timed(const PsTracedLaunch *launch);

/* How many launches have times, and how many of them counters. */
guint ps_traced_timed(const PsTraced *trace);
guint ps_traced_counted(const PsTraced *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTraced, ps_traced_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
