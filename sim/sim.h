/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time: a kernel on the compute units of a GPU, by the rules T1 to T9 of the pipeline performance
 * model. Three steps: resolve the launch, bind classes to latencies, run.
 *
 *     ps_launch_resolve  ->  PsLaunch      how many groups, how many at once
 *     ps_machine_new     ->  PsMachine     every node's pipeline, lambda and Lambda in ticks
 *     ps_sim_run         ->  PsSimResult   cycles; listeners hear what happens on the way
 *
 * Time is exact: an integer number of ticks. A cycle has as many ticks as the least common
 * denominator of all latencies in play.
 */
#ifndef PIPESIM_SIM_SIM_H
#define PIPESIM_SIM_SIM_H

#include "gpu/gpu.h"
#include "idg/program.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* ---- the launch ---------------------------------------------------------------------------- */

/* Options that replace the graph's launch; 0 keeps it. */
typedef struct {
    gint64 groups;
    gint64 group_size;
    gint64 active; /* active groups per CU instead of what occupancy allows */
} PsLaunchOptions;

/* Most warps that a simulated CU holds; far above any GPU's, it bounds the memory of a run. */
#define PS_SIM_MAX_WARPS (1024 * 1024)

/* A launch on a GPU: the number of groups, and how many run at once. */
typedef struct {
    gint64 groups;          /* of the whole launch */
    gint64 group_size;      /* threads */
    gint64 warps_per_group; /* G */
    gint64 groups_per_cu;   /* N = ceil(groups / CUs) */
    gint64 active_groups;   /* M: what the CU holds at once, never more than N */
    gint64 fitting_groups;  /* what occupancy allows; 0: not even one fits */
    double occupancy;       /* M * G / most warps per CU, or 0 if the GPU states no limit */
    guint limited_by; /* PsLimitBits that allow no further group; 0 if one of the members below does
                       */
    gboolean limited_by_launch; /* the launch has no more groups for this CU */
    gboolean forced;            /* PsLaunchOptions.active decided */
} PsLaunch;

/* The resources of a CU that a group of so many threads of the kernel needs. */
PsGroupNeeds ps_kernel_needs(const PsKernel *kernel, gint64 group_size);

/* Appends a warning (char *, owned by the array) for a forced M that does not fit. FALSE and *error
 * when no group fits (PS_ERROR_VALUE), an option is below 0 (PS_ERROR_USAGE), or more than
 * PS_SIM_MAX_WARPS warps would be active (PS_ERROR_LIMIT). */
gboolean ps_launch_resolve(const PsKernel *kernel, const PsGpu *gpu, const PsLaunchOptions *options,
                           PsLaunch *launch, GPtrArray *warnings, GError **error);

/* ---- classes and their latencies ------------------------------------------------------------ */

/* Other figures for the classes that a name covers: the class that the graph asks for by that name,
 * and its subclasses; {0, 1} keeps one. They refer to the class of that name, or where the graph
 * asks for none, to the first class that it covers, as its first node has them: nodes that take as
 * long take the new figure, all others scale by the same factor (docs/reference/model.md,
 * What-ifs). So the present figure changes nothing. Of several that give a class an issue latency
 * the longest name wins, of equal names the later one; likewise for the completion latency. Where
 * class_name is a level's name ("l2"): another latency (cycles of the CU's clock), bandwidth (10^9
 * bytes per second of all CUs) or port (bytes per cycle and CU) of it. */
typedef struct {
    char *class_name;
    PsRational issue;
    PsRational completion;
    PsRational latency, bandwidth, port;
    gboolean times; /* the figures are factors: each cost that is covered is multiplied, after what
                       other what-ifs have given it */
    gboolean alone; /* of the class of that very name, and none of its subclasses */
} PsWhatIf;

/* Reads "CLASS.issue=V,CLASS.completion=V,LEVEL.latency=V,LEVEL.bandwidth=V,LEVEL.port=V..." into
 * PsWhatIf items, one per class or level, and one for its factors, which are written "x0.5" or
 * "*0.5". NULL and *error (PS_ERROR_USAGE) when it is malformed or a value is not above zero. */
GPtrArray *ps_what_if_parse(const char *text, GError **error);

/* FALSE and *error (PS_ERROR_USAGE) if one is about a class that no graph can ask this GPU for: the
 * description has no class of that name, nor above or below it. */
gboolean ps_what_if_check(const GPtrArray *what_ifs, const PsGpu *gpu, GError **error);

/* One for a class, or a level, that keeps all figures; class_name is copied. It belongs to the
 * caller.
 */
PsWhatIf *ps_what_if_new(const char *class_name);
void ps_what_if_free(PsWhatIf *what_if);

/* A class that the graph asks for, bound to one of the GPU's. */
typedef struct {
    const char *asked;    /* borrowed from the graph */
    const PsClass *class; /* what serves it, borrowed from the GPU */
    PsMatch match;
    PsLatency latency; /* cycles, what-ifs and refinement R4 applied; on a pipeline of the whole CU,
                          unless per_scheduler */
    guint pipeline;    /* index in the GPU's pipelines */
    gboolean per_scheduler; /* each scheduler has that pipeline (only with refinement R1) */
    gboolean by_levels;     /* rules R7 and R8 set its nodes' costs; its latencies are those of its
                               first node */
    guint queue;       /* R11: instances of a scheduler that may wait in front of that pipeline */
    gint64 issue;      /* lambda in ticks */
    gint64 completion; /* Lambda in ticks */
} PsMachineClass;

/* A server, which instances pass one after the other, first come, first served, on their way
 * through memory (rules R7 and R8): a level, or what serves atomics, parts of sectors or a spot for
 * the whole chip. */
typedef struct {
    char *name;               /* "l2", "atomics", "partial", "spot NAME" */
    PsLevel level;            /* PS_N_LEVELS: none */
    PsRational rate;          /* of a level: bytes per cycle that it has for the simulated CU */
    PsRational queue_cycles;  /* of device memory that makes loads wait by how busy it is (R7): how
                                 long, where it is busy all the time; else 0 */
    PsRational window_cycles; /* then, the work that it has before it when it is */
    gint64 queue, window;     /* the same in ticks */
} PsServer;

/* A stop of an instance of a node at a server. */
typedef struct {
    guint server;        /* index in the machine's servers */
    guint weight;        /* of 1024: the part of its waiting there that delays the instance */
    PsRational cycles;   /* service time */
    gint64 service;      /* the same in ticks */
    gboolean has_window; /* the server's is above 0 */
} PsStop;

#define PS_STOP_WHOLE 1024 /* a weight of 1 */

/* Most stops of a node: levels, and the three servers of rule R8. */
#define PS_MAX_STOPS (PS_N_LEVELS + 3)

/* The cost of a node: mostly its class's. */
typedef struct {
    PsLatency latency; /* cycles, as of PsMachineClass */
    gint64 issue;      /* lambda, ticks */
    gint64 completion; /* Lambda, ticks; for posted instances: lambda, or their drain */
    gint64 hold;       /* R9, ticks: its warp issues nothing for so long after it */
    gboolean posted;   /* no instruction waits for its access to memory (T5, R7) */
    PsRational drain;  /* cycles for which a posted instance keeps its warp, at least */
    guint n_stops;     /* 0 if rule R7 does not set the node's costs */
    PsStop *stops;
    PsRational moved[PS_N_LEVELS]; /* mean bytes of an instance at each level, if rule R7 sets the
                                      node's costs */
    gboolean opens;                /* R7: it takes device memory as long as opening its rows */
    PsRational parts; /* R8: cycles of L2's slices for sectors that an instance writes in part */
} PsNodeCost;

/* Most schedulers that a simulated CU has. */
#define PS_SIM_MAX_SCHEDULERS 1024

/* Most pipelines that a kernel may use with schedulers (R1). */
#define PS_SIM_MAX_SCHEDULER_PIPELINES 64

/* The content of the last cache before device memory when the launch begins (R7). */
typedef enum {
    PS_CACHE_COLD,  /* nothing of the launch's data, and nothing that must be written back */
    PS_CACHE_WARM,  /* data that a launch on the same buffers left there, if all of it fits */
    PS_CACHE_DIRTY, /* data that a benchmark wrote there, some of which must be written back */
} PsCacheState;

/* "cold", "warm" or "dirty". Static. */
const char *ps_cache_state_name(PsCacheState state);

/* Refinements of docs/reference/model.md, section 4, resolved against a GPU; all zero is the
 * published model. */
typedef struct {
    gint64 schedulers;      /* R1: warp schedulers of a CU; 0: none */
    PsRational issue_width; /* R1: instructions per cycle and scheduler */
    PsOrder order;          /* R2 */
    PsPolicy policy;        /* R3 */
    gboolean contention;    /* R4 */
    gboolean overheads;     /* R5 */
    gboolean all_cus;       /* R6 */
    gboolean levels;        /* R7 and R8 */
    PsCacheState cache;     /* R7 */
} PsRefinements;

/* A refinement that is on, off, or as the GPU's description asks. */
typedef enum { PS_CHOICE_GPU, PS_CHOICE_OFF, PS_CHOICE_ON } PsChoice;

/* PsRefinementOptions.schedulers for none at all. */
#define PS_NO_SCHEDULERS (-1)

/* Options that replace the refinements of the description; all zero keeps them. */
typedef struct {
    gboolean published;  /* start from the published model instead of the description's */
    gint64 schedulers;   /* R1: that many, PS_NO_SCHEDULERS, or 0 as the description says */
    gboolean has_order;  /* order replaces the description's */
    gboolean has_policy; /* policy replaces the description's */
    PsOrder order;       /* R2 */
    PsPolicy policy;     /* R3 */
    PsChoice contention; /* R4 */
    PsChoice overheads;  /* R5 */
    PsChoice all_cus;    /* R6 */
    PsChoice levels;     /* R7 and R8 */
    PsCacheState cache;  /* with R7, which must be on then unless it is cold */
} PsRefinementOptions;

/* The refinements in play on that GPU. options may be NULL. The issue width of schedulers is the
 * description's, 1 per cycle where that states none. FALSE and *error when options ask for
 * overheads, levels or tables over active warps (contention) that the description does not state
 * (PS_ERROR_USAGE), or for less than one or more than PS_SIM_MAX_SCHEDULERS schedulers
 * (PS_ERROR_LIMIT). */
gboolean ps_refinements_resolve(const PsGpu *gpu, const PsRefinementOptions *options,
                                PsRefinements *refinements, GError **error);

/* Options that replace the description's figures; all zero keeps them. */
typedef struct {
    const GPtrArray *what_if; /* PsWhatIf, may be NULL */
    PsRefinements refinements;
    PsRational clock; /* MHz; 0: the usual one, ps_gpu_usual_clock */
} PsMachineOptions;

/* A kernel bound to a GPU's latencies. */
typedef struct {
    const PsKernel *kernel; /* borrowed, like gpu: both must outlive the machine */
    const PsGpu *gpu;
    PsLaunch launch;
    PsRefinements refinements;
    gint64 n_cus; /* simulated CUs: 1, the fullest, unless R6 is on */
    gint64 ticks_per_cycle;
    gint64 port_busy;         /* R1: ticks that an instruction keeps its scheduler's port; else 0 */
    gint64 read_window;       /* R10: ticks within which operands are read; 0: it takes no time */
    gint64 group_launch;      /* R5: ticks from a group's launch until its first nodes are ready */
    gint64 group_interval;    /* R5: least ticks from one launch on a CU to the next */
    gint64 turnaround;        /* R5: ticks from a group's end until its place takes the next */
    gint64 fetch;             /* R5 with R7: ticks from the start until a CU has the kernel's first
                                 instructions and its arguments */
    PsRational kernel_launch; /* R5: microseconds, to be added to the time of a run */
    guint n_classes;
    PsMachineClass *classes; /* in the order in which the graph asks for them first */
    guint **class_of;        /* [program][node]: index in classes */
    PsNodeCost **costs;      /* [program][node] */
    PsRational clock;        /* MHz */
    gint64 busy_cus;         /* that have groups: they share what CUs share */
    gboolean warm;           /* what goes to device memory is found in the last cache */
    gboolean counted;        /* R7: accesses take the load/store unit by their wavefronts */
    gint64 written_back;     /* of 1024: what loads move at device memory besides (--cache dirty) */
    gint64 mixed;       /* of 1024: how much of device memory's traffic is reads and writes mixed */
    gboolean parts;     /* R8: the launch writes sectors in part, and that has a rate */
    gboolean stored;    /* R8: the launch stores anything, and whole sectors have a rate */
    const char *slices; /* R8: the server that is L2's slices: "partial", or "stores" if whole
                           sectors take more of its time; NULL: there is none */
    guint n_levels;     /* without rule R7: none */
    PsMemoryLevel levels[PS_N_LEVELS]; /* the GPU's, what-ifs applied; sources are the GPU's */
    GArray *servers;                   /* PsServer: the levels, then those of rule R8 */
} PsMachine;

/* Binds. options may be NULL: the published model without what-ifs. Appends warnings for fewer
 * groups than CUs (not with levels of memory), for classes that a default stands in for, for tables
 * over active warps that are not used, for contention on a GPU that has no such table, which the
 * machine then is without, and for holds (R9) in dataflow order, with which it is in program order.
 * Each what-if must match at least one class, or a level. NULL and *error for a class that the GPU
 * lacks (naming the node's file and line and the classes that there are), for schedulers whose
 * issue width is not above 0, for latencies without a common tick, and (PS_ERROR_LIMIT) where the
 * simulated CUs hold more than PS_SIM_MAX_WARPS warps or schedulers. */
PsMachine *ps_machine_new(const PsKernel *kernel, const PsGpu *gpu, const PsLaunch *launch,
                          const PsMachineOptions *options, GPtrArray *warnings, GError **error);
void ps_machine_free(PsMachine *machine);

/* A time in ticks as exact cycles. */
PsRational ps_machine_cycles(const PsMachine *machine, gint64 ticks);

/* ---- running ------------------------------------------------------------------------------- */

/* A group on each of some CUs that do the same at the same times; if only one CU is simulated, a
 * group on that one. */
typedef struct {
    guint cu;     /* the first of the CUs, from 0 */
    guint n_cus;  /* they are cu, cu + 1 ... cu + n_cus - 1 */
    gint64 group; /* of the first, in order of launch on all CUs, from 0 */
    gint64 step;  /* from one of the CUs to the next, the number of the group grows by so much */
    guint place;  /* on its CU, from launch to end: the lowest that was free, below M */
    guint kind;   /* of the kernel's */
} PsGroups;

/* One instance of a node, on each of these CUs. */
typedef struct {
    PsGroups of;
    guint warp;      /* in its group */
    guint program;   /* of the kernel */
    guint node;      /* of the program */
    gint64 position; /* in the warp's program order, from 0 */
    gint64 delay;    /* ticks by which it completes later than its Lambda says, since it waited for
                        servers, or in front of its pipeline; 0 for a barrier */
    gint64 queued;   /* those in front of its pipeline (R11), from its issue until that begins */
} PsInstance;

/* Marks of the beginnings of stretches that may come to repeat; each new one replaces the one
 * before it of the same number. */
#define PS_SIM_MARKS 12

/* Time that the run skipped because everything in it repeats what was just simulated. */
typedef struct {
    guint cu, n_cus;     /* on which CUs, as of PsGroups */
    guint mark;          /* the mark that the stretch began at */
    gint64 from, to;     /* ticks: skipped is from <= time < to */
    gint64 period;       /* ticks: the stretch before `from` that repeats */
    gint64 times;        /* number of periods: to - from = times * period, about so if estimated */
    gint64 instructions; /* skipped warp instructions, on all these CUs */
    gint64 groups;       /* groups launched in them */
    gboolean estimated;  /* extrapolated: the stretch repeats only in the mean */
} PsSkip;

/* Sums of what was issued: PsListener.tallied. */
typedef struct PsTally PsTally;

/* Callbacks for events; those that a listener does not need are NULL. Times are ticks. Events of
 * one kind on one pipeline come in order of time; other calls come as soon as the engine knows of
 * the event, so a listener that needs all in order must sort them. Arguments are valid during the
 * call only.
 *
 * CUs that do the same at the same times are reported together, once, from the start to the end of
 * their run; then the next such CUs, from the start again.
 *
 * A listener that adds up must count skipped time, too: when marked is called it saves its sums
 * under that number; when skipped is called it adds `times` times the growth of its sums since
 * skip->mark. */
typedef struct {
    void *self; /* first argument of every call */
    void (*launched)(void *self, gint64 time, const PsGroups *groups);
    void (*issued)(void *self, gint64 time, gint64 ready, const PsInstance *instance);
    void (*completed)(void *self, gint64 time, const PsInstance *instance);
    void (*finished)(void *self, gint64 time, const PsGroups *groups);
    void (*marked)(void *self, guint mark);
    void (*skipped)(void *self, const PsSkip *skip);
    void (*tallied)(void *self, const PsTally *tally); /* for the library's own listeners: what was
                        issued since the last such call, before each mark and skip and at the end */
} PsListener;

/* About how many instances may at once be ready and wait, or be under way: it bounds the memory of
 * a run whose graph lets an instruction run ahead of the others. */
#define PS_SIM_WAITING_LIMIT (4 * 1024 * 1024)

/* Most memory that the state of the resident warps may take. */
#define PS_SIM_MAX_BYTES (G_GINT64_CONSTANT(1) << 30)

/* How long it took. */
typedef struct {
    gint64 ticks;         /* when the last group is done (T9) */
    PsRational cycles;    /* the same in cycles */
    gint64 instructions;  /* warp instructions issued on the simulated CUs */
    gint64 skips;         /* how often time was skipped */
    gint64 skipped_ticks; /* how much of it in all, on the CU that is done last */
    gboolean stopped;     /* the run failed, because of most_instructions */
    gint64 half_width;    /* ticks: the 95 % interval of `ticks` is this much to either side; 0: the
                             result is exact. G_MAXINT64: hurried before anything was known of it */
    gint64 estimated_ticks; /* what of skipped_ticks was extrapolated */
    gint64 simulated; /* what of `instructions` was simulated, and not skipped, CUs that do the
                         same counted together */
} PsSimResult;

/* How a run goes; all zero is the usual. */
typedef struct {
    const PsListener *listeners;
    guint n_listeners;
    gboolean no_fast_forward; /* simulate every instruction */
    gint64 whole_from;        /* ticks: nothing is skipped of whole_from <= time < whole_to */
    gint64 whole_to;
    gint64 most_instructions; /* the most that are simulated, on all CUs; 0: without limit */
    /* The half-width of the 95 % interval that is wanted, as a share of the time, above 0 and at
     * most PS_SIM_MAX_PRECISION; 0: the result is exact. Only runs of more instructions than are
     * simulated in about a second (PS_SIM_EXACT_INSTRUCTIONS) are extrapolated, and only where they
     * are steady (docs/evidence/intervals.md). */
    double precision;
    gint64 exact_instructions; /* instead of PS_SIM_EXACT_INSTRUCTIONS; 0: that */
    /* NULL, or a number that another thread sets (g_atomic_int_set) to other than 0 when time is
     * out. Then the run is extrapolated, if it can be, at the next group or iteration, and the
     * result's interval is as wide as it then is. With it the same call need not give the same
     * result. */
    const gint *hurry;
    /* NULL, or a number that another thread sets in the same way to end the run, with
     * PS_ERROR_CANCELLED. */
    const gint *cancel;
} PsSimOptions;

/* The widest interval that an option may ask for: half the time. */
#define PS_SIM_MAX_PRECISION 0.5

/* A run that issues, or has simulated, no more instructions than this is not extrapolated, but
 * where it is in a hurry. */
#define PS_SIM_EXACT_INSTRUCTIONS 8000000

/* Runs the machine's N groups, M at once; with refinement R6 the groups of all its CUs. options may
 * be NULL: no listener. Deterministic, and reentrant: threads may run machines at the same time.
 * Groups without any instruction take no time and raise no events. Without listeners and
 * most_instructions, fewer instructions are simulated where the run repeats itself: what repeats is
 * looked for harder. FALSE and *error
 * (PS_ERROR_LIMIT) when the run takes more than 2^62 ticks or issues more than 2^63 instructions,
 * when its warps need more than PS_SIM_MAX_BYTES, when it has schedulers and uses more than
 * PS_SIM_MAX_SCHEDULER_PIPELINES pipelines, when PS_SIM_WAITING_LIMIT is reached (the message
 * names the node), or, soon after it has come to them, when it simulates more than
 * most_instructions; those that are skipped do not count. (PS_ERROR_USAGE) when the precision is
 * none. */
gboolean ps_sim_run(const PsMachine *machine, const PsSimOptions *options, PsSimResult *result,
                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsMachine, ps_machine_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWhatIf, ps_what_if_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
