/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the verb profile. A program is run once for its launches and their times, and once
 * for counters, since counting makes kernels run again and again and disturbs their times:
 *
 *     profile.c          options, and what is said at the end
 *     child.c    runs a program as if the shell had started it
 *     cuda.c     CUDA: runs it under our injected library (latency-bench/profile)
 *     parts.c    reads what the library wrote, a file for each process
 *     ncu.c      counters from Nsight Compute instead
 *     write.c    launches and their counters, as the table of Nsight Compute
 *     recording.c  a recording of what launches begin with, with their times
 *     hip.c      HIP: drives AMD's profilers
 */
#ifndef PIPESIM_CLI_PROFILE_PROFILE_H
#define PIPESIM_CLI_PROFILE_PROFILE_H

#include "cli/system/output.h"
#include "pipesim-private.h"

typedef struct {
    const char *output; /* path, "-" for standard output */
    gboolean counters, use_ncu;
    const char *record;   /* path of a recording; NULL: none is wanted ... */
    const char *launches; /* ... which of them, as "12,20..30"; NULL: the first ones of each kind */
    guint64 memory;       /* ... and the most bytes of memory that it has */
    char **command;       /* NULL-terminated */
} ProfileOptions;

/* What was measured in one run. */
typedef struct {
    gint64 device;
    const char *capability, *name; /* "9.0" */
} ProfileDevice;

typedef struct {
    gint64 pid, start;
    char *program;
    gboolean done;   /* it ended by itself */
    GArray *devices; /* ProfileDevice */
} ProfileProcess;

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
} ProfileLaunch;

typedef struct {
    char *what, *text; /* see latency-bench/profile/record.h */
} ProfileFailure;

typedef struct {
    GPtrArray *processes; /* ProfileProcess, in order of their start */
    GArray *launches;     /* ProfileLaunch, in the order in which they were made */
    GPtrArray *failures;  /* ProfileFailure, each once */
    GStringChunk *texts;
    GHashTable *names; /* mangled -> readable */
} ProfileTrace;

ProfileTrace *profile_trace_new(void);
void profile_trace_free(ProfileTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProfileTrace, profile_trace_free)

/* Reads the files of a phase in the folder, and sorts. What a killed process left half is passed
 * over. */
ProfileTrace *profile_parts_read(const char *folder, const char *phase, GError **error);

/* A kernel's name as C++ has it, for one that a compiler made. Remembered in the trace. */
const char *profile_name(ProfileTrace *trace, const char *name);

/* The text of the first failure of that kind; NULL for none. */
const char *profile_failure(const ProfileTrace *trace, const char *what);
void profile_fail(ProfileTrace *trace, const char *what, const char *text);

/* Gives the counts of the second trace's launches to the first's: to the n-th launch of a kernel
 * those of the n-th. Returns to how many, and in *left for how many launches of either there was
 * none. */
guint profile_join(ProfileTrace *times, const ProfileTrace *counts, guint *left);

/* How many launches have times (only these are written), and how many of them counters. */
guint profile_timed(const ProfileTrace *trace);
guint profile_counted(const ProfileTrace *trace);
gboolean profile_write(const ProfileTrace *trace, Output *output, GError **error);

/* FALSE and *error: no list of launches. */
gboolean profile_launches_check(const char *launches, GError **error);

/* Which launches are to be recorded: a byte for each of the trace (g_free). Writes what the
 * injected library is told to that file. NULL and *error: none of them can be. */
guint8 *profile_recording_choose(const ProfileTrace *times, const char *launches, const char *path,
                                 GError **error);

/* Writes the recording of what the library left in the folder, and warns of what is missing. FALSE
 * and *error. */
gboolean profile_recording_write(const ProfileTrace *times, const guint8 *wanted,
                                 const char *folder, Output *output, guint *whole, GError **error);

/* The counters that Nsight Compute wrote to a file. NULL and *error where it did not. */
ProfileTrace *profile_ncu_read(const char *path, GError **error);

/* "ncu", its options, and the command (g_strfreev); NULL and *error where it is not installed. */
char **profile_ncu_command(const char *log, char **command, GError **error);

/* The best way to know each metric, of those whose counters are in a list (NULL: the first ways):
 * an array of char *, none twice. */
GPtrArray *profile_counters(const char *profiler, GHashTable *known);

/* The backends. They return the exit status: the command's own, where it ran. */
int profile_cuda(const ProfileOptions *options);
int profile_hip(const ProfileOptions *options);

#endif
