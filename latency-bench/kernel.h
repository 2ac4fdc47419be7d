/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Micro-benchmarks: kernels that consist of a chain of dependent instructions of one class, or of
 * several independent chains (sections III-B and IV-B of The Pipeline Performance Model).
 *
 * One source serves all devices: C of the kind that CUDA, HIP and OpenCL share, with a prelude of
 * macros for each (kernels/prelude-*.h). Every kernel has the same parameters:
 *
 *     NAME(GLOBAL uint *memory, uint elements, uint step, uint length,
 *          GLOBAL ulong *times, GLOBAL uint *cus, GLOBAL uint *sink)
 *
 * NAME being that of the kernel, with '_' for what C does not allow; in OpenCL dynamic local memory
 * is an eighth one. It writes for each warp w the counter at its start and end to times[2 w] and
 * times[2 w + 1] and the number of its CU to cus[w]. Lengths are below 2^30. The same work stands
 * beside it as a graph, for devices that simulate: its parameter `length` is the trips of the loop,
 * and nothing in it is outside the times. Where it goes through a buffer of any size, further
 * parameters say which levels of memory serve it: `l2` ... `device` are 1 for a level that it gets
 * to, else 0; `warp` is the size of a warp.
 */
#ifndef PIPESIM_LATENCY_BENCH_KERNEL_H
#define PIPESIM_LATENCY_BENCH_KERNEL_H

#include "idg/idg.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The content of the buffer before a launch. */
typedef enum {
    PS_MEMORY_NONE,
    PS_MEMORY_ZERO,   /* all zeros */
    PS_MEMORY_RING,   /* one ring through N lines of 256 bytes, the largest power of two that fits:
                         at its position p is the line 0x9E3779B1 p (p + 1) / 2 modulo N. Element i
                         leads to the same of the next line, and one that is left over to itself:
                         it holds the lower 32 bits of that one's address, of which the upper are
                         all the same (without addresses: its offset in bytes); no kernel changes
                         that */
    PS_MEMORY_WALK,   /* one ring through all lines of 128 bytes, in random order: the first 64 bits
                         of a line are the next one's address (without addresses: its offset in
                         bytes), the second 64 its own. Kernels change those of the first line */
    PS_MEMORY_TILES,  /* each element of a matrix of order 1024 leads to the one that its thread of
                         mmul  needs next (ps_bench_next_tile), said as in a ring; no kernel changes
                         that */
    PS_MEMORY_FLOATS, /* floats from 1 to below 2, in no order: what data commonly are */
} PsBenchMemory;

/* The way of a launch through its buffer: the addresses of its loads and stores
 * (plan/footprint.c). */
typedef enum {
    PS_ACCESS_NONE,
    PS_ACCESS_RING,    /* chains through a ring of lines (kernels/ring.h) */
    PS_ACCESS_STREAM,  /* from start to end, all threads side by side (stream.h, mix.h, ...) */
    PS_ACCESS_SHARED,  /* words that all warps share, again and again (pointer.h) */
    PS_ACCESS_OWN,     /* each thread's own words, again and again (pointer.h, own.h) */
    PS_ACCESS_TILES_A, /* a matrix's tiles, along its rows (pattern.h) */
    PS_ACCESS_TILES_B, /* down its columns */
    PS_ACCESS_WALK,    /* one warp through a ring of lines (walk.h) */
    PS_ACCESS_FLOW,    /* tiles of all groups (flow.h) */
    PS_ACCESS_COPY,    /* from such tiles of the first half to those of the second */
    PS_ACCESS_SAME,    /* one word of each warp */
    PS_ACCESS_APART,   /* lines of a warp's lanes */
    PS_ACCESS_MISS,    /* as FLOW, with a word of each line */
    PS_ACCESS_POINT,   /* one word of all threads (touch.h) */
    PS_ACCESS_SECTOR,  /* a sector of all warps */
    PS_ACCESS_LINE,    /* a line of all warps */
    PS_ACCESS_LINES,   /* 16 of them, in turns */
    PS_ACCESS_SECTORS, /* side by side, and on */
    PS_ACCESS_PARTIAL, /* a word in a sector of its own, and on */
} PsBenchAccess;

/* The purpose of a kernel. */
typedef enum {
    PS_BENCH_CHAIN,     /* dependent instructions: lambda and Lambda of a class */
    PS_BENCH_LOCAL,     /* local memory: step is the conflict degree */
    PS_BENCH_GLOBAL,    /* dependent loads of global memory: step is the stride */
    PS_BENCH_STREAM,    /* bytes per second */
    PS_BENCH_PEAK,      /* operations per second */
    PS_BENCH_INTENSITY, /* step multiply-adds per load: the mixbench-like sweep */
    PS_BENCH_MIX,       /* arithmetic with a share of loads (after Volkov), for validation */
    PS_BENCH_LEVEL,     /* levels of memory, atomics, launches: its class says which figure */
    PS_BENCH_WHOLE,     /* a whole kernel, for validation */
} PsBenchKind;

typedef struct {
    char *name; /* "fadd-ilp2": unique */
    PsBenchKind kind;
    char *class_name; /* instruction class that it measures, "fadd", "local.load"; of a peak: "T_SP"
                       */
    gint64 ilp;       /* independent chains in each warp */
    gint64 unroll;    /* instructions of each chain per trip of the loop */
    double operations; /* that one thread does per trip; bytes of a stream */
    gint64 step; /* meaning depends on the kernel: conflict degree, stride, ...; 1 if it has none */
    gboolean needs_fp64, needs_fp16;
    gboolean untimed; /* it writes no times, which would cost too much: seconds alone are known */
    gboolean again;   /* the step of its launches is how often it is launched between one start of
                         the timer and its end */
    const char *backends; /* that can compile it: "CUDA HIP"; NULL: all */
    int since; /* the first of NVIDIA's compute capabilities, as 80, that has such; 0: all have */
    PsBenchMemory memory;
    PsLevel level;        /* of memory: the level that shall have its data; its buffer follows from
                             that, */
    gint64 bytes;         /* unless the kernel needs a buffer of this size; else 0 */
    PsBenchAccess access; /* which of its words, */
    gint64 width;         /* in bytes that one thread loads or stores at once */
    gint64 apart; /* words between neighbouring threads' words, if these are not side by side; else
                     0 */
    gint64 group_size; /* threads of its groups; 0: any number */
    char *source;      /* with the prelude still to come */
    PsIdg *graph;      /* the same work; NULL if a model cannot do it */
} PsBenchKernel;

/* All micro-benchmarks, PsBenchKernel; the caller frees the array. */
GPtrArray *ps_bench_kernels(void);
void ps_bench_kernel_free(PsBenchKernel *kernel);

#pragma GCC visibility pop
G_END_DECLS
#endif
