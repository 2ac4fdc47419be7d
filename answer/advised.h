/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an answer has of advice: one thing to do each, and what it would give. advice/ makes it.
 *
 * Since: 0.1
 */
#ifndef PIPESIM_ANSWER_ADVISED_H
#define PIPESIM_ANSWER_ADVISED_H

#include "answer/explain.h"
#include "answer/sensitivity.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What a simulation changed to find out what advice would give. */
typedef enum {
    PS_CHANGE_NONE,         /* that nothing helps is advice, too */
    PS_CHANGE_CLASS,        /* an access without its conflict, coalesced, or a what-if taken back */
    PS_CHANGE_PIPELINE,     /* issue latencies of all classes of a pipeline, halved */
    PS_CHANGE_PIPELINES,    /* the same of several pipelines */
    PS_CHANGE_LEVEL,        /* twice the rate of a level of memory */
    PS_CHANGE_LATENCY,      /* a completion latency of one class, halved */
    PS_CHANGE_LATENCIES,    /* completion latencies of classes that one class of the GPU serves */
    PS_CHANGE_LATE_WARP,    /* what comes last at a barrier runs another warp's code */
    PS_CHANGE_PORTS,        /* issue ports twice as wide (R1) */
    PS_CHANGE_NEEDS,        /* fewer registers or bytes of local memory, so that more groups fit */
    PS_CHANGE_ACTIVE,       /* as many groups at once as fit */
    PS_CHANGE_EVEN_GROUPS,  /* so many groups that all CUs end at once */
    PS_CHANGE_MORE_GROUPS,  /* more groups, which take no longer */
    PS_CHANGE_NO_OVERHEADS, /* launches that cost nothing (R5) */
    PS_CHANGE_SHAPE,        /* groups of another size, and as many as do the same work */
    PS_CHANGE_INVERSE,      /* integer divisions by what is the same for all as multiplications */
    PS_CHANGE_NARROW_DIVISION, /* divisions of 64-bit integers as of 32 bits */
    PS_CHANGE_APPROXIMATE,     /* exact functions of a line as approximate ones */
    PS_CHANGE_FAST_MATH,       /* all exact functions, with very small numbers as zeros, too */
    PS_CHANGE_SINGLE,          /* doubles between singles as singles */
    PS_CHANGE_NARROW_INDEX,    /* indices of 64 bits as of 32 bits */
    PS_CHANGE_COUNTER,         /* a counter of the type that it is converted to */
    PS_CHANGE_WIDER,           /* one wider access instead of several that are beside each other */
    PS_CHANGE_ALIGNED,         /* accesses that begin with a sector */
    PS_CHANGE_IN_REGISTERS, /* accesses before or behind loops in which their address stays; sums of
                               a group, of each thread first, for atomics of all to one address */
    PS_CHANGE_IN_LOCAL,     /* what a group loads again from local memory, or adds up there */
    PS_CHANGE_OWN_PLACES, /* stores or atomics of each group, or thread, at an address of its own */
    PS_CHANGE_SORTED,     /* threads of a warp go one way, or run a loop equally often */
    PS_CHANGE_SHARED_OUT, /* all warps run a loop equally often */
    PS_CHANGE_TENSOR,     /* multiply-adds as products of matrices */
    PS_CHANGE_LOOP,       /* a loop's iterations at once, or its loads earlier */
    PS_CHANGE_RAISED,     /* loads of straight code earlier */
    PS_CHANGE_READ_ONLY   /* loads by the path of data that stays, where L1 keeps nothing else */
} PsChange;

/* A way to write a loop, and what it would give. */
typedef struct {
    guint times;           /* iterations at once; 1: as it is */
    gboolean ahead;        /* loads are of the iteration after that which uses them */
    guint sums;            /* sums that become `times` each, added up behind the loop */
    gboolean rounds;       /* of floating point, so that results are rounded otherwise */
    gboolean passes_store; /* loads come before stores that they came after: it must be known that
                              these write elsewhere */
    gboolean apart;        /* a barrier or a branch in it keeps iterations one after the other */
    guint loads;           /* in an iteration */
    guint registers;       /* per thread that it takes more, as estimated */
    double seconds;        /* NaN where that is not known */
} PsLoopWay;

/* What a compiler makes of `#pragma unroll` before a loop of several iterations at once. */
typedef struct {
    guint times;    /* that it was asked for; 0: it was not */
    gboolean same;  /* it makes the same code */
    double seconds; /* what the other code takes; NaN where it is the same, or not known */
    char *why;      /* why that is not known, a clause; NULL: it is, or nobody asked */
} PsPragma;

/* One thing to do about it, with what it would give. What the change does not need is 0 or NULL. */
typedef struct {
    PsCause cause;
    PsChange change;
    char *class_name;    /* that it is about, or NULL; clean */
    guint class_index;   /* the machine's that is the cause; G_MAXUINT for none */
    guint program, node; /* of the answer's kernel: where most of it is; node G_MAXUINT: it is the
                            launch's, or nowhere */
    const PsServerRow *server; /* of the answer's that is busy; NULL where it is no such thing */
    double seconds;    /* predicted by a simulation, NaN where the advice is that nothing helps */
    double half_width; /* of their 95 % interval; 0: exact */
    /* 1 - seconds / now; of EVEN_GROUPS, what the work of this launch takes less at the rate of
     * other groups; 0 of MORE_GROUPS, and where seconds is NaN. */
    double gain;
    gboolean alone; /* nothing else gains as much as is worth telling */
    char *sentence; /* what to do, and what it would give, with its numbers; no full stop */
    double share;   /* PIPELINE: of its busy time, what device memory needs, NaN where that is no
                       matter; LATE_WARP: of the time of all warps, spent at barriers; PORTS: of the
                       critical path, waiting for ports; ACTIVE, NONE: of the critical path, the
                       completion latency of class_; SORTED: of a warp's threads, that stay away;
                       SHARED_OUT: of what the last does in the loop, what warps do in the mean;
                       READ_ONLY: of what the loads ask L2 for, what L1 would have */
    const PsAvoidable *avoidable;   /* CLASS; of the answer's sensitivities */
    const PsSensitivity *latency;   /* LATENCY; likewise */
    GArray *pipelines;              /* PIPELINE, PIPELINES: guint, of the GPU's, busiest first */
    GArray *classes;                /* LATENCIES: guint, of the machine's, that are waited for */
    guint warp;                     /* LATE_WARP, SHARED_OUT: that comes last */
    gint64 other_warp;              /* LATE_WARP: whose code it ran */
    guint kind;                     /* LATE_WARP, SHARED_OUT: of groups, in which it is */
    gint64 groups;                  /* NEEDS, ACTIVE: at once; *_GROUPS: of the launch */
    gint64 registers, local_memory; /* NEEDS: with which one more group fits, where they limit */
    gboolean alike;                 /* SORTED: it is a loop that some threads leave before others */
    guint first_line, last_line;    /* SORTED: of the source where they stay away; 0: not known */
    guint part_line;                /* SORTED: where they part; SHARED_OUT: of the loop */
    guint multiply_adds;            /* TENSOR: of a loop's iteration that go, */
    guint products, loads;          /* and products of matrices and loads that come */
    guint grid[2][3], block[2][3];  /* SHAPE: now, and then, in x, y and z */
    /* INVERSE to COUNTER: the operation there that is longest on the path. */
    char *op;            /* as PTX calls it; clean */
    char *by;            /* INVERSE: what it divides by, clean; else NULL */
    guint before, after; /* instructions that it takes, and would take */
    guint lines;         /* source lines with such operations that were changed */
    /* WIDER: bytes that a thread moves at once; ALIGNED: sectors of a request; IN_REGISTERS and
     * IN_LOCAL of reuse: times that a thread's bytes there are loaded or stored, or sectors that a
     * group moves; OWN_PLACES of local memory: threads that meet: now, and then. */
    gint64 now, then;
    guint offset;     /* ALIGNED: PsIdgItem */
    char *spot;       /* of ONE_ADDRESS in global memory: where they meet (PsIdgItem); clean */
    guint more_lines; /* of WIDER to OWN_PLACES: other source lines with such accesses */
    PsTrust trust;    /* what is known of the figures that it rests on: of the classes that it is
                         about, or, of the launch, of what takes 2 % of the critical path */
    guint loop;       /* LOOP: a node of the program in its own body, by whose line it
                         is known */
    GArray *ways;     /* LOOP: PsLoopWay; the first is it, others were tried beside; RAISED: one,
                         whose loads are those that come earlier */
    PsPragma pragma;  /* LOOP */
} PsAdvice;

/* What the next smaller need of registers or local memory would give, where these limit how many
 * groups a CU holds: the most with which one more fits. */
typedef struct PsOccupancyStep {
    gint64 groups;                  /* at once then */
    gint64 registers, local_memory; /* then; 0 of what does not limit them */
    double seconds;                 /* simulated */
    double half_width;              /* of their 95 % interval; 0: exact */
    double gain;                    /* 1 - seconds / now; below 0 it takes longer */
    gboolean pays;                  /* the gain is worth telling: advice does */
} PsOccupancyStep;

#pragma GCC visibility pop
G_END_DECLS
#endif
