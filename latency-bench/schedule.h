/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies that NVIDIA's assembler (ptxas) knows. Instructions of fixed latency are not waited for
 * by hardware: the assembler has a warp issue nothing for so many cycles, its stall count, which
 * stands in the instruction. So chains of dependent instructions tell completion latencies, and
 * independent chains how often a scheduler starts an instruction of a class.
 *
 *     ps_schedule_source -> ptxas -> ps_schedule_read -> ps_schedule_describe ->
 * ps_gpu_write_family
 */
#ifndef PIPESIM_LATENCY_BENCH_SCHEDULE_H
#define PIPESIM_LATENCY_BENCH_SCHEDULE_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What decides when the result of a class may be used. */
typedef enum {
    PS_SCHEDULED_FIXED,      /* the assembler, by stall counts: both latencies are known */
    PS_SCHEDULED_SCOREBOARD, /* hardware: they are not */
    PS_SCHEDULED_BORROWED,   /* the assembler, but by those of another architecture: neither */
    PS_SCHEDULED_ABSENT      /* this architecture has no such instructions */
} PsScheduledBy;

typedef struct {
    const char *class_name; /* "fmadd"; static */
    PsScheduledBy by;
    char *instructions; /* the instructions for the class, "HADD2, HFMA2.MMA"; "" if it has none */
    gint64 issue;       /* cycles from one to the next in independent chains; 0: not told. Only
                           PS_SCHEDULED_FIXED makes it that of a description */
    gint64 completion;  /* cycles until the next of its chain; 0: not told */
} PsScheduled;

/* What one instruction leaves another, of another pipeline or by a predicate. */
typedef struct {
    const char *what; /* "integer operation to multiply-add"; static */
    char *from, *to;  /* instructions: "LOP3", "IMAD" */
    gint64 cycles;
} PsForward;

typedef struct {
    int capability;     /* 90 of sm_90 */
    GArray *classes;    /* PsScheduled, in the order of reports */
    GArray *forwards;   /* PsForward */
    const char *family; /* of gpus/families: common figures of the architecture's GPUs; NULL:
                           there are none */
} PsSchedule;

/* The chains in PTX, for an architecture ("sm_90"; g_free). NULL and *error (PS_ERROR_USAGE) where
 * the text names none whose machine code can be read: sm_75 to sm_121. */
char *ps_schedule_source(const char *architecture, GError **error);

/* What the assembler made of that source says. NULL and *error: no cubin, or a damaged one
 * (PS_ERROR_SYNTAX), or one of another source or architecture (PS_ERROR_VALUE). */
PsSchedule *ps_schedule_read(GBytes *cubin, const char *architecture, GError **error);
void ps_schedule_free(PsSchedule *schedule); /* NULL is fine */

/* Classes and their pipelines, with their source: compiler is its name and version,
 * "ptxas 13.0.88". Only a part of a description, to be written as a family. NULL and *error
 * (PS_ERROR_VALUE) where not a single class has fixed latencies. */
PsGpu *ps_schedule_describe(const PsSchedule *schedule, const char *compiler, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSchedule, ps_schedule_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
