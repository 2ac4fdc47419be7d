/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a GPU is: the description that a file states, occupancy, and which latencies serve an
 * instruction class.
 */
#ifndef PIPESIM_GPU_GPU_H
#define PIPESIM_GPU_GPU_H

#include "base/message.h"
#include "base/level.h"
#include "base/rational.h"
#include "base/source.h"
#include "gpu/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The longest queue in front of a pipeline. */
#define PS_MOST_QUEUED 64

/* Part of a compute unit that serves instruction classes. */
typedef struct {
    char *name;
    gboolean per_scheduler; /* one for each warp scheduler; else one for the CU */
    gboolean
        halves; /* in halves: a warp of twice as many threads passes it twice (gpu/wide-warps.c) */
    gint64 queue; /* instructions of a scheduler that may wait in front of it (R11); 0: none */
    char *queue_source; /* the queue's: id of a PsSource, or NULL */
    char *source;       /* id of a PsSource, or NULL */
} PsPipeline;

/* The largest latency, in cycles, that a description may state. */
#define PS_MAX_LATENCY 1000000000

/* lambda and Lambda, both above zero, in cycles (of a pipeline per scheduler: of that one). */
typedef struct {
    PsRational issue;      /* lambda: cycles per warp instruction */
    PsRational completion; /* Lambda */
} PsLatency;

/* The latencies of a class at a number of active warps per CU (refinement R4). */
typedef struct {
    gint64 warps;
    PsLatency latency;
} PsLatencyAt;

/* A class of instructions: the pipeline that serves them, and for how long. */
typedef struct {
    char *name;     /* "global.load.A.8x8" */
    guint pipeline; /* index in the description's pipelines */
    PsLatency latency;
    PsRational wide_issue; /* lambda of a warp of twice as many threads; {0, 1}: twice as much */
    PsRational pass; /* cycles of each pass after the first, of an access that takes several (c4);
                        {0, 1}: the name's number changes nothing */
    PsRational operands; /* bytes of a product's factors that come from shared memory per cycle; {0,
                            1}: however many */
    PsRational work; /* multiply-adds of a warp, or bytes of a copy, in the time of `issue`; {0, 1}:
                        all take the same */
    GArray *at;      /* PsLatencyAt by growing warps; NULL: no table */
    gboolean
        derived;  /* not a row of the file: follows from <memory>, <atomics> or <local-memory> */
    char *source; /* id of a PsSource, or NULL */
    int line;     /* in the file, 0 if none */
} PsClass;

/* The class to take, with a warning, for a kind of instruction that the description lacks. The
 * kind is the first part of the class that a graph asks for ("integer", "conversion", "atomic"),
 * or "unknown" for every other. */
typedef struct {
    char *kind;
    char *class_name;
    int line;
} PsDefaultClass;

/* A peak for the roofline (docs/reference/model.md, section 5): T_SP, T_DP, T_int, T_add, T_ldst,
 * T_HP, T_tensor in 10^9 operations per second, B_mem, B_L2, B_L1, B_local in 10^9 bytes per
 * second, all at the base clock. value is what to calculate with; datasheet is the vendor's figure,
 * taken only where neither value nor a latency is known. Absent figures are {0, 1}. */
typedef struct {
    char *name;
    PsRational value;
    PsRational datasheet; /* also what a file states per CU and cycle, at the base clock */
    char *source;
    int line;
} PsPeak;

/* The place of accumulation registers, on which matrix operations may work beside the others (AMD's
 * AGPRs). */
typedef enum {
    PS_ACCUMULATORS_NONE,
    PS_ACCUMULATORS_APART, /* another file of as many registers, allocated in the same units */
    PS_ACCUMULATORS_JOINT, /* among the others, behind a thread's own from a multiple of 4 on */
} PsAccumulators;

/* What decides how many groups a CU holds. A zero means that it sets no limit (units: 1). */
typedef struct {
    gint64 warps;                /* most resident warps per CU */
    gint64 groups;               /* most resident groups per CU */
    gint64 group_size;           /* most threads of a group */
    gint64 registers;            /* per CU */
    gint64 registers_per_thread; /* most of a thread */
    gint64 register_unit;        /* registers are allocated to a warp in multiples of this */
    PsAccumulators accumulators;
    gint64 scalar_registers;          /* per CU: those that all threads of a warp share */
    gint64 scalar_registers_per_warp; /* most of a warp */
    gint64 scalar_register_unit;      /* they are allocated to a warp in multiples of this */
    gint64 warp_unit;    /* warps that registers allow are rounded down to such multiples */
    gint64 local_memory; /* bytes per CU */
    gint64 local_memory_per_group; /* most bytes of a group */
    gint64 local_memory_unit;      /* bytes are allocated to a group in multiples of this */
    gint64 local_memory_reserved;  /* bytes that each group loses to the system */
    gint64 tensor_memory;          /* columns per CU */
    char *source;                  /* id of a PsSource, or NULL */
    int line;                      /* in the file, 0 if none */
} PsLimits;

/* The caches that loads of global memory go through, for code that works out which share of them
 * reaches which memory; the simulation itself asks classes alone. Zero: not known, or none. */
typedef struct {
    gint64 l1;          /* the CU's own: bytes per CU, if a kernel leaves local memory as it is */
    gint64 l2;          /* bytes of the whole GPU */
    gboolean l1_global; /* plain loads of global memory are kept in L1 */
    char *source;       /* id of a PsSource, or NULL */
} PsCache;

/* A level of the memory hierarchy (rule R7 of docs/reference/model.md). Figures that are not stated
 * are {0, 1}. */
typedef struct {
    PsLevel level;
    gint64 bytes;    /* capacity: of L1 per CU, of other caches of the GPU; of device memory 0 */
    PsRational port; /* bytes per cycle that one CU moves there */
    PsRational bandwidth; /* 10^9 bytes per second of all CUs together, sustained */
    PsRational mixed;     /* the same, of device memory that is read and written; {0, 1}: as much */
    PsRational rows;      /* 10^9 of device memory per second that are opened; {0, 1}: no limit */
    char *rows_source;    /* its source: id of a PsSource, or NULL */
    PsRational dirty;   /* share of a cache that a benchmark leaves to be written back; {0, 1}: not
                           known */
    PsRational latency; /* cycles from issue until data that is found there can be used, unloaded */
    PsRational at; /* MHz: the latency is a time, that of so many cycles of this clock; {0, 1}: it
                      is in cycles of the CU's clock, at any clock */
    char *source;  /* id of a PsSource, or NULL */
    int line;      /* in the file, 0 if none */
} PsMemoryLevel;

/* Bytes that L2 fetches at once if a description states no "fetch": CUDA's
 * cudaLimitMaxL2FetchGranularity, which a program may change; AMD's L2 reads 64 bytes where it need
 * not read 32. */
#define PS_GPU_FETCH 64

/* Global memory as levels, from the CU outwards; the last is device memory. */
typedef struct {
    GArray *levels;     /* PsMemoryLevel; NULL: not stated */
    guint pipeline;     /* the pipeline that issues loads and stores */
    PsRational request; /* cycles that it takes for up to 4 bytes per thread */
    PsRational store;   /* cycles from a store until its warp may end, if no instruction waits */
    PsRational texture; /* cycles that it takes at least for a request of a texture; {0, 1}: not
                           stated */
    PsRational tag; /* cycles that L1 takes for each line that a request touches; {0, 1}: none */
    PsRational wavefront; /* cycles of the load/store unit for each pass of L1's banks, where the
                             graph counts them; {0, 1}: not stated */
    PsRational lookup;    /* then, cycles for each line that a request touches; {0, 1}: none */
    PsRational queue;     /* ns that a load waits at device memory that is busy all the time, if the
                             launch only reads or only writes; {0, 1}: it waits for the requests
                             before it */
    PsRational queue_mixed; /* the same if the launch does both */
    PsRational window;      /* ns of work at device memory by which that is known to be busy */
    gint64 line_bytes;      /* of the caches */
    gint64 sector_bytes;    /* part of a line that is moved */
    gint64 fill_bytes;  /* that the first level reads at once, for those who work out shares; 0: a
                           sector */
    gint64 fetch_bytes; /* that the last cache reads from device memory at once, for those who work
                           out shares */
    gboolean masked;    /* it takes parts of a sector; else the last cache reads the others first */
    gboolean l1_global; /* plain loads of global memory are kept in L1 */
    char *source;
    int line;
} PsMemory;

/* Atomic operations on global memory (rule R8), in 10^9 per second of the whole GPU; {0, 1}: sets
 * no limit. */
typedef struct {
    gboolean stated;
    guint pipeline;      /* the pipeline that issues atomics */
    PsRational request;  /* cycles that it takes for one */
    PsRational latency;  /* latency, as of a level */
    PsRational at;       /* MHz at which the latency is stated, as of a level */
    PsRational address;  /* lanes' requests at one address */
    PsRational per_line; /* requests at one line, to all of its sectors */
    PsRational block;    /* lines beside each other that take turns as one; {0, 1}: one */
    PsRational sectors;  /* sectors with atomics, at any place */
    PsRational partial;  /* sectors that stores write in part, at any place */
    PsRational stores;   /* whole sectors that stores move to L2; {0, 1}: by its bandwidth */
    PsRational loads;    /* sectors that L2 gives while a launch also stores */
    PsRational write;    /* requests of stores, at one sector; {0, 1}: as "address" */
    PsRational rates_at; /* MHz of the compute units at which these rates were measured, and with
                            which they scale; {0, 1}: they are the same at every clock */
    char *source;
    int line;
} PsAtomics;

/* Local memory: what follows for its classes from the wavefronts that they take. */
typedef struct {
    gboolean stated;
    guint pipeline;
    PsRational wavefront;    /* cycles per wavefront of a CU */
    PsRational least;        /* cycles that an instruction takes at least */
    PsRational completion;   /* cycles, of an instruction of one wavefront */
    PsRational atomic;       /* an atomic takes so many times as long ... */
    PsRational atomic_issue; /* ... and its pipeline so many times as long; {0, 1}: as `atomic` */
    PsRational
        swap; /* compare-and-swap takes its pipeline so many times as long as other atomics */
    char *source;
    int line;
} PsLocalMemory;

/* Among the nodes that could issue now, which one does (refinement R3 of docs/reference/model.md,
 * section 4).
 */
typedef enum {
    PS_POLICY_FIFO,   /* what became ready first (rule T3) */
    PS_POLICY_LRR,    /* warps in turn */
    PS_POLICY_GTO,    /* the warp that issued last, else the oldest */
    PS_POLICY_GTY,    /* the warp that issued last, else the one with the greatest slot */
    PS_POLICY_OLDEST, /* the group launched first */
} PsPolicy;

/* Whether the nodes of a warp wait for those before them (refinement R2). */
typedef enum { PS_ORDER_DATAFLOW, PS_ORDER_PROGRAM } PsOrder;

/* The refinements of the published model (docs/reference/model.md, section 4) that a description
 * asks for; all zero is the published model. */
typedef struct {
    gboolean schedulers; /* R1 */
    PsOrder order;       /* R2 */
    PsPolicy policy;     /* R3 */
    gboolean contention; /* R4 */
    gboolean overheads;  /* R5 */
    gboolean all_cus;    /* R6 */
    gboolean levels;     /* R7 and R8 */
} PsModel;

/* The costs that refinement R5 counts; {0, 1}: not stated. */
typedef struct {
    gboolean stated;           /* the description says something of them */
    PsRational kernel_launch;  /* microseconds, added to the time of a run */
    PsRational group_launch;   /* cycles from a group's launch until its first nodes are ready */
    PsRational group_interval; /* least cycles from one launch of a CU to its next */
    PsRational turnaround;     /* cycles from a group's end until its place can take the next */
    PsRational dispatch;       /* least cycles from one launch to the next, of the whole GPU */
    PsRational
        timer; /* microseconds that a timer round one launch counts besides; no part of a run */
    PsRational in_graph; /* microseconds of a launch in a graph of launches; no part of a run */
    char *source;        /* id of a PsSource, or NULL */
} PsOverheads;

/* The link to the host's memory. */
typedef struct {
    gboolean stated;
    PsRational to_device, to_host; /* 10^9 bytes per second */
    PsRational latency;            /* microseconds that each copy takes besides */
    char *source;                  /* id of a PsSource, or NULL */
} PsHostLink;

/* A description, as its file states it. What a field does not say is in gpu/gpu.fields. */
struct PsGpu {
    char *path; /* the file that it was read from, NULL if built in memory */
    char *name; /* "GeForce GTX 1060 6GB" */
    char *vendor;
    char *architecture;
    guint capability; /* 86 for NVIDIA's compute capability 8.6; 0: not stated */
    gint64 compute_units;
    PsRational clock;       /* MHz, base */
    PsRational boost_clock; /* MHz; {0, 1} if not known */
    PsRational load_clock;  /* MHz that it holds under load; {0, 1} if not known */
    char *load_source;      /* source of the clock under load: id of a PsSource, or NULL */
    PsRational power_clock; /* MHz that power leaves busy tensor cores; {0, 1} if not known */
    char *power_source;     /* source of that clock: id of a PsSource, or NULL */
    gint64 device_memory;   /* MiB; 0 if not known */
    char *memory_source;    /* source of the size: id of a PsSource, or NULL */
    gint64 warp_size;
    gint64 schedulers;      /* per CU; 0 if not known */
    PsRational issue_width; /* instructions per cycle and scheduler; {0, 1} if not known */
    gint64 read_window;     /* cycles within which an instruction reads its operands of the banks
                               of registers; 0: reading takes no time */
    gboolean pairs;         /* two CUs may run groups as one (gpu/paired-units.c) */
    char *chip_source;      /* source of the other figures above: id of a PsSource, or NULL */
    PsLimits limits;
    PsCache cache;
    PsMemory memory;
    PsAtomics atomics;
    PsLocalMemory local;
    PsOverheads overheads;
    PsHostLink host;
    PsModel model;
    GPtrArray *sources;       /* PsSource */
    GPtrArray *pipelines;     /* PsPipeline */
    GPtrArray *classes;       /* PsClass; only ps_gpu_add_class adds to it */
    GPtrArray *defaults;      /* PsDefaultClass */
    GPtrArray *peaks;         /* PsPeak */
    GHashTable *by_name;      /* classes by their names; for gpu/ alone */
    GHashTable *kept_sources; /* sources of figures of families; for gpu/ alone */
};

/* An empty description: one compute unit, warps of 32, no limits, pipelines or classes. Code that
 * builds one in memory fills it in; every array owns what is added to it. It belongs to the caller,
 * who frees it with ps_gpu_free (NULL is fine). name is copied. */
PsGpu *ps_gpu_new(const char *name);

/* Add a new item to these arrays, empty but for its name, which is copied and never changes. A
 * class is on the first pipeline and has latencies of 1. The description owns them. */
PsPipeline *ps_gpu_add_pipeline(PsGpu *gpu, const char *name);
PsClass *ps_gpu_add_class(PsGpu *gpu, const char *name);

/* Adds a level of memory behind the others, with nothing but its name. The description owns it; the
 * pointer holds until the next level is added. */
PsMemoryLevel *ps_gpu_add_level(PsGpu *gpu, PsLevel level);

/* How a class was found. */
typedef enum {
    PS_MATCH_EXACT,   /* the description has that class */
    PS_MATCH_PARENT,  /* "global.load" stood in for "global.load.A", or ".c8" for ".c5" */
    PS_MATCH_DEFAULT, /* the kind's default class, a guess */
} PsMatch;

/* The class that serves a graph's request: the one of that name. Else, if the last part is a letter
 * and a number (the degree of a conflict, "c4"), the one of the next higher degree, else of the
 * highest. Else the one without the last part, and so on; then the default of its kind; then the
 * default of the kind "unknown". NULL: there is none. Borrowed. match may be NULL. */
const PsClass *ps_gpu_class(const PsGpu *gpu, const char *asked, PsMatch *match);

/* Adds what follows from memory, atomics and local memory to a description that was built in
 * memory, once these are filled in. A file's description has it already; a second call replaces the
 * additions of the first. It adds the sizes of caches, and classes that no row states: `memory` and
 * `global` (at the base clock a request of 4 bytes per thread that nothing but device memory
 * serves, all CUs alike), `atomic`, `local` and `atomic.local`. They are marked as derived, and
 * never written. FALSE and *error (PS_ERROR_LIMIT) if figures are too fine or too far apart. */
gboolean ps_gpu_derive(PsGpu *gpu, GError **error);

/* The clock in MHz of an answer if nobody chooses one: the clock under load if it is known, else
 * the boost clock, else the base clock. */
PsRational ps_gpu_usual_clock(const PsGpu *gpu);

/* The highest clock in MHz that the description states. */
PsRational ps_gpu_highest_clock(const PsGpu *gpu);

/* The sources of a description: the number of its elements with a source of each kind, and of those
 * without one. */
typedef struct {
    guint of[PS_N_SOURCE_KINDS];
    guint unsourced;
} PsProvenance;

/* Counts every element that can name a source: chip, limits, caches, pipelines, levels of memory
 * and their common figures, atomics, local memory, overheads, the link to the host, classes and
 * peaks, as far as they are there. An element whose figures are from several files counts once for
 * each kind that it has. An element that follows from others (a class that is `derived`) does not
 * count. */
PsProvenance ps_gpu_provenance(const PsGpu *gpu);

/* The resources that one group needs of a CU. */
typedef struct {
    gint64 group_size;       /* threads, at least 1 */
    gint64 registers;        /* per thread; 0: not known, sets no limit */
    gint64 local_memory;     /* bytes per group */
    gint64 accumulators;     /* accumulation registers per thread */
    gint64 scalar_registers; /* per warp; 0: not known, sets no limit */
    gint64 tensor_memory;    /* columns per group */
} PsGroupNeeds;

/* The resources that can limit occupancy, as bits. */
typedef enum {
    PS_LIMIT_WARPS = 1 << 0,
    PS_LIMIT_GROUPS = 1 << 1,
    PS_LIMIT_REGISTERS = 1 << 2,
    PS_LIMIT_LOCAL_MEMORY = 1 << 3,
    PS_LIMIT_SCALAR_REGISTERS = 1 << 4,
    PS_LIMIT_TENSOR_MEMORY = 1 << 5,
} PsLimitBits;

/* How many groups a CU holds at once, and which resources allow no more. */
typedef struct {
    gint64 warps_per_group; /* G = ceil(group size / warp size) */
    gint64 groups;          /* M: most groups that one CU holds; G_MAXINT64 without any limit */
    guint limited_by;       /* PsLimitBits: every resource that allows no further group */
} PsOccupancy;

/* Occupancy from the description's limits. FALSE and *error (PS_ERROR_VALUE, naming the file and
 * the line of the limits) when not even one group fits: the message states its needs and the
 * limits. */
gboolean ps_gpu_occupancy(const PsGpu *gpu, const PsGroupNeeds *needs, PsOccupancy *occupancy,
                          GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
