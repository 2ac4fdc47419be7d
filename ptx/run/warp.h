/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the executor share: the machine and its memory, barriers, warps and the paths
 * of their lanes.
 *
 * The lanes of a warp are on paths, at first all on one. Where lanes part, their path becomes a
 * fork, which waits at the point where they meet again, with a path below it for each part. A path
 * that comes to the fork's point leaves its lanes there; when the last one comes, the fork becomes
 * a path again. If a path parts at a branch whose lanes meet where the path itself ends, it needs
 * no new fork: its parts go below the same fork, so that iterations of a loop take no memory. Every
 * fork has at least two parts (paths, forks, lanes that have arrived), which have no lane in
 * common. So there are fewer than 64 paths and forks.
 */
#ifndef PIPESIM_PTX_RUN_WARP_H
#define PIPESIM_PTX_RUN_WARP_H

#include "base/message.h"
#include "ptx/native/native.h"
#include "ptx/run/families.h"
#include "ptx/run/run.h"
#include "ptx/step/operands.h"

G_BEGIN_DECLS

#define PS_PTX_MAX_WARPS 32
#define PS_PTX_MAX_MORE 7 /* further accesses of one instruction */
#define PS_PTX_MAX_PATHS 64
#define PS_PTX_BARRIERS 16
#define PS_PTX_TURN 4096 /* most warp instructions in a turn of a warp */
/* Warp instructions after which a path that may be waiting for another one of its warp lets others
 * run. */
#define PS_PTX_PATIENCE 65536

typedef struct PsPtxPhases PsPtxPhases; /* phase.h */
typedef struct PsPtxWatch PsPtxWatch;   /* watch.h */
typedef struct PsPtxOrigin PsPtxOrigin;
typedef struct PsPtxMisuse PsPtxMisuse;             /* misuse.c */
typedef struct PsPtxTensorMemory PsPtxTensorMemory; /* tensor-memory.h */

typedef enum {
    PS_PTX_RUNS,
    PS_PTX_POLLS,   /* it tries the same step again in its warp's next turn */
    PS_PTX_BARRIER, /* waits at a barrier */
    PS_PTX_CONVERGE /* bar.warp.sync */
} PsPtxState;

typedef struct {
    gboolean used;
    gboolean spins; /* a turn of its loop changed nothing (spin.c) */
    gboolean fork;
    guint pc;              /* next point; of a fork: the point where its parts meet */
    guint meet;            /* pc of the fork above, or PS_PTX_NOWHERE */
    guint32 lanes;         /* of a fork: lanes that have arrived there */
    gint above;            /* the fork above it, or -1 */
    guint parts;           /* of a fork: paths and forks right below it */
    guint8 state;          /* PsPtxState of a path */
    guint barrier;         /* PS_PTX_BARRIER: the barrier's number */
    guint32 others;        /* PS_PTX_CONVERGE: the lanes that it waits for */
    const PsPtxStep *step; /* that waits */
    guint32 waiting;       /* lanes that execute that step */
} PsPtxPath;

/* A turn of a loop that changes nothing. */
typedef struct {
    guint point; /* in the loop */
    guint32 lanes;
    gboolean reads; /* its last access to memory was here: */
    guint at;       /* by that point */
    PsPtxSpace space;
    guint bytes;
    guint64 address[PS_PTX_LANES];
} PsPtxSpin;

typedef struct PsPtxPending PsPtxPending;

typedef struct {
    PsPtxWarp open; /* must come first: a pointer to it is one to the runner */
    PsPtxMachine *machine;
    guint32 live; /* lanes that have not ended */
    PsPtxPath paths[PS_PTX_MAX_PATHS];
    guint most_paths;          /* no path behind so many was used in this group */
    guint order[PS_PTX_LANES]; /* paths without forks; the last one runs */
    guint n_order;
    /* state of the running path, whose own fields are set when it stops */
    gboolean runs; /* FALSE: another path has to be chosen */
    guint pc, meet, depth;
    guint64 spins;       /* instructions since the path began to run */
    guint64 waits;       /* turns of loops that went by a clock */
    gboolean may_spin;   /* one of these reads what others write */
    gboolean spun;       /* in its last turn it did nothing else */
    PsPtxSpin spin;      /* how it did that */
    gboolean again;      /* set by a step that polls without success: it is not counted */
    gboolean yield;      /* set by a step after which other warps shall run */
    gboolean gave_way;   /* a compare-and-swap has let others come first (atomic.c) */
    guint64 began;       /* `executed` when its turn began */
    guint64 executed;    /* warp instructions, in this group */
    guint64 accesses;    /* those that touched memory or came to a barrier */
    guint8 *local;       /* lanes' own memory, machine->code->thread_bytes each */
    guint8 *stored;      /* for each of these bytes 1 if it was written, else 0 */
    GArray *pending;     /* PsPtxPending: copies that the warp has not waited for; NULL: none was */
    guint64 copy_groups; /* that it has made of copies (pending.h) */
    /* the present step's event */
    gboolean touched;
    PsPtxSpace space;
    guint bytes;
    guint32 idle;                  /* lanes that touch nothing, though they execute it */
    guint32 strays;                /* lanes that touch another space than the first one does */
    guint64 address[PS_PTX_LANES]; /* as places in the space's memory */
    guint n_more;
    guint64 more[PS_PTX_MAX_MORE][PS_PTX_LANES];
    const PsPtxWait *wait;
    GArray *enders; /* PsPtxEnder, of the same wait */
    GArray *pieces; /* PsPtxPiece, of a copy by a tensor map */
    guint32 remote; /* lanes that access shared memory of another group of the cluster: */
    PsPtxMachine *where[PS_PTX_LANES]; /* that one */
    /* at the barrier of the cluster: lanes that have arrived in its present phase, and lanes whose
     * phase is over and that did not wait for it yet */
    guint32 came, passed;
    guint registers; /* of a thread; 0: as many as the group began with */
    guint64 arrived; /* 2^32 plus what it found where the groups of a cooperative grid meet; 0: it
                        does not wait there */
    /* by row, if any is watched, else NULL: the bits that nobody wrote, the lanes that have any,
     * and their origin */
    guint64 (*undefined)[PS_PTX_LANES];
    guint32 *doubtful;
    guint n_doubtful; /* rows that have such lanes */
    PsPtxOrigin *origins;
} PsPtxRunner;

typedef struct {
    gboolean open; /* some thread has come */
    guint count;   /* threads that it waits for; 0: all */
    guint arrived; /* threads that have come, if count is not 0 */
    guint32 came[PS_PTX_MAX_WARPS];
    guint yes;       /* of .red: threads whose predicate is true ... */
    gboolean no;     /* ... and whether there is one whose is not */
    guint point;     /* the point to which the first thread came */
    gboolean parted; /* some only arrived, or it counts fewer threads than the group has */
} PsPtxBarrierState;

/* Four warps that multiply matrices together (warpgroup.c), as a set of bits. */
typedef struct {
    const PsPtxStep *step; /* the step at which those that came wait */
    guint32 came, done;
} PsPtxWarpgroup;

typedef struct {
    const char *name;
    guint64 address; /* in its space */
    guint64 size;
    guint64 apart; /* address less the place in the space's memory, if that is one piece */
    guint8 *data;
    guint8 *written; /* of shared memory: for each byte 0 if nobody wrote it, else 1, or 3 where a
                        copy is under way (pending.h); or NULL */
    guint64 known;   /* so many of these, from the first on, are known to be 1 */
    gboolean owned;
    gboolean heap; /* heap.h says which of its bytes may be accessed */
    int argument;  /* number of the argument, or -1: a variable of the module, or a field */
    const PsPtxField *field;       /* the field whose buffer it is, or NULL */
    const PsPtxVariable *variable; /* that it is, or NULL */
    const PsPtxPlaced *placed;     /* that it is, or NULL */
    PsPtxBlocks *blocks;           /* NULL: all bytes are there from the beginning */
} PsPtxBuffer;

/* Groups that run together: those of a cluster, or of a cooperative grid, or a single one. */
typedef struct {
    guint n;
    PsPtxMachine **groups; /* by rank; the first has what all share */
    gboolean came;      /* lanes may have arrived in the present phase of the cluster's barrier */
    gboolean met;       /* a phase of that barrier is over */
    gboolean impatient; /* tests of mbarriers may fail now: no warp could go on otherwise */
} PsPtxCluster;

typedef struct {
    PsPtxExecute execute; /* the step's own */
    guint n;
    PsPtxBefore *before;
} PsPtxPrelude;

/* The lanes whose predicate is 1; of lanes that have none, anything. */
typedef guint32 (*PsPtxSetLanes)(const guint64 predicate[PS_PTX_LANES]);

/* The readers of a machine's addresses (notes). */
enum { PS_PTX_NOTED_LISTENER = 1, PS_PTX_NOTED_SPIN = 2, PS_PTX_NOTED_WATCH = 4 };

/* A machine executes a group. The machines of a cluster have the same code, launch and memory, and
 * each its own warps, shared memory and barriers. */
struct PsPtxMachine {
    PsPtxCluster *cluster;
    guint rank; /* in it */
    const PsPtxModule *module;
    PsPtxCode *code;
    PsPtxLaunch launch;
    PsPtxArgument *arguments;
    GPtrArray *warnings;
    GHashTable *warned;        /* these texts */
    GArray *warned_of;         /* PsPtxWarned, for each warning */
    GHashTable *warned_points; /* points of barriers that a warning was about, since threads had
                                  ended before */

    GArray *buffers[PS_PTX_N_SPACES]; /* PsPtxBuffer, by address; of LOCAL: none */
    const PsPtxBuffer *heap;          /* of them, or NULL */
    PsPtxBuffer **last; /* the place of a point's last access, for writing and for reading, or
                           NULL */
    guint64 place[PS_PTX_N_SPACES]; /* the bits of an address that are its place in the space's
                                       memory; the others keep arrays apart */
    guint8 *constant;
    guint8 *param;
    guint64 param_bytes;
    guint8 *shared;
    guint64 shared_bytes;
    guint64 dynamic; /* address of the first byte that the launch gives, if it gives any */
    guint8 *written; /* for each of these bytes 1 if the group has written it, else 0; or NULL */
    guint8 *looks;   /* by point: loads from shared memory that were checked in this group */
    guint64 window[PS_PTX_N_SPACES]; /* generic address of the space's first byte; global: 0 */
    guint64 window_bytes;
    GHashTable *addresses; /* PsPtxVariable of the module -> its address, as guint64 * */

    PsPtxVectors vectors; /* whose variants of operations are executed */
    gboolean no_products; /* as of PsPtxDecode */
    PsPtxSetLanes set_lanes;
    PsPtxStep *steps;      /* one for each point, and one that ends the kernel */
    PsPtxStep *plain;      /* the same before any was watched; NULL: none is */
    GHashTable *preludes;  /* point -> PsPtxPrelude */
    GHashTable *bringers;  /* point -> the step's own PsPtxExecute, as PsPtxPrelude; or NULL */
    PsPtxMisuse **misuses; /* by point: what misuse.c keeps of its step, or NULL */
    guint n_slots;         /* rows.c says in which order */
    guint n_kept;
    GArray *fixed; /* PsPtxFixed, the first slots */
    guint
        *kept_registers; /* of the slots behind these: the register of the code that it is, and 1 */
    gboolean skips;      /* it has steps that are skipped */
    PsPtxWatch **watches;   /* by point; NULL: none is watched */
    gboolean plain_suits;   /* warps may execute `plain` that have no undefined bits */
    guint8 *watched_rows;   /* whose undefined bits are kept; or NULL */
    gboolean trusts;        /* what nobody wrote is not followed in this group */
    gboolean memory_doubts; /* the code reads memory that nobody wrote */
    gboolean lane_doubts;   /* a shuffle takes what a lane has that gives nothing */
    gboolean memory_mixed;  /* its writes may have undefined bits that cancel out */
    GHashTable *told;       /* what was told of undefined bits, for each origin once; or NULL */
    guint8 *slot_memory;
    guint64 *slots; /* in it, at the beginning of a cache line */
    guint8 *local, *stored;

    guint n_warps;
    PsPtxRunner *warps;
    PsPtxBarrierState barriers[PS_PTX_BARRIERS];
    guint open_barriers; /* their number; all others are zeros */
    PsPtxWarpgroup warpgroups[PS_PTX_MAX_WARPS / 4];
    gpointer product;          /* room of warpgroup.c, or NULL */
    PsPtxTensorMemory *tensor; /* NULL: nobody has asked for any */
    guint group[3];
    const PsPtxListener *listener;
    guint64 heard, enough; /* accesses that it heard of in this group; soon after so many of them it
                              hears nothing more; 0: it hears all */
    guint notes; /* who may look at runners' addresses when a step is executed; 0: nobody */
    PsPtxPhases *phases;
    GMutex *lock;     /* of the state that several machines share while they execute groups of the
                         launch; NULL: there is one machine */
    guint64 ahead;    /* ticks by which clocks are ahead of the executed instructions */
    gboolean stopped; /* ps_ptx_machine_stop was called */
    PsPtxFault fault; /* why the group failed */
    guint64 changes;  /* values that atomic operations changed */
    gboolean spun;    /* some path spun in a group, and got out: */
    guint spun_at;    /* the point where it spun */
    gboolean spun_inside; /* while other lanes of its warp could go on */
    guint64 held;         /* bytes of blocks that are made, as counted last */
    gboolean trouble;     /* these are too many, or a block could not be made: */
    GError *unmade;       /* why not, or NULL */
    GArray *earlier;      /* what undo.c keeps of blocks that are written; NULL: nothing */
    guint64 limit;        /* warp instructions of a group */
    guint64 left;         /* of them */
    guint64 warp_instructions, thread_instructions;
    /* of the steps, and of those before any was watched: NULL: not yet, or none; and its lengths of
     * segments, by point */
    struct {
        const PsPtxNativeCode *code;
        const guint *segments;
    } native[2];
    guint64 counted; /* warp instructions that launch.compiled has heard of */
};

static inline PsPtxRunner *ps_ptx_runner(PsPtxWarp *warp)
{
    return (PsPtxRunner *)(gpointer)warp;
}

/* ---- machine.c ------------------------------------------------------------------------------ */

/* The best kind of vectors that this processor has. */
PsPtxVectors ps_ptx_vectors(void);

/* As ps_ptx_machine_new, which takes the best. */
PsPtxMachine *ps_ptx_machine_with(const PsPtxModule *module, const PsPtxLaunch *launch,
                                  PsPtxVectors vectors, GError **error);

/* ---- warps.c -------------------------------------------------------------------------------- */

/* The warps of the machine's group, and their registers. */
gboolean ps_ptx_warps_make(PsPtxMachine *machine, GError **error);
void ps_ptx_warps_free(PsPtxMachine *machine);

/* ---- decode.c ------------------------------------------------------------------------------- */

/* Makes the machine's steps and slots. */
void ps_ptx_decode(PsPtxMachine *machine);

/* Decodes one point's instruction alone into a step with slots of that decoder, without warnings of
 * its operands. What comes before it is in the decoder's `before`. FALSE: it is not known, or does
 * more than compute and access memory. The step has to be cleared in either case. */
gboolean ps_ptx_decode_alone(const PsPtxMachine *machine, struct PsPtxDecoder *decoder, guint point,
                             PsPtxStep *step);

/* ---- misuse.c ------------------------------------------------------------------------------- */

/* Puts a warning before a step whose operands may not be what somebody meant. */
void ps_ptx_misuse(PsPtxMachine *machine, PsPtxStep *step);

/* ---- unknown.c ------------------------------------------------------------------------------ */

/* Makes it a step that nobody knows how to execute: it is skipped, or ends the run, as the launch
 * says. what: the instruction, for messages; the step takes it. */
void ps_ptx_skip_step(PsPtxStep *step, char *what);

/* ---- rows.c --------------------------------------------------------------------------------- */

/* Gives slots their final numbers, after decoding. registers: by slot, the register of the code,
 * and 1; 0: it is none. */
void ps_ptx_rows_place(PsPtxMachine *machine, const guint *registers);
/* Writes the slots that are the same in each group; the other one, before each group, writes the
 * rest. */
void ps_ptx_rows_make(const PsPtxRunner *runner);
void ps_ptx_rows_begin(const PsPtxRunner *runner);
/* TRUE if a special register depends on the thread; its value for a thread of any group, counted as
 * lane plus 32 times its warp; the value of another one for the machine's group. */
gboolean ps_ptx_rows_of_thread(PsPtxSpecial special);
guint64 ps_ptx_rows_thread(const PsPtxMachine *machine, PsPtxSpecial special, guint thread);
guint64 ps_ptx_rows_group(const PsPtxMachine *machine, PsPtxSpecial special);

/* ---- control.c ------------------------------------------------------------------------------ */

/* Executes a call of a function with a body. The only step that is executed with an empty mask,
 * too: then all lanes go to the call's end. */
void ps_ptx_enter(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);
/* The step behind the last point. */
void ps_ptx_end_kernel(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);

/* ---- memory.c ------------------------------------------------------------------------------- */

/* Buffers of the arguments and the module's variables, parameters, constant and shared memory. */
gboolean ps_ptx_memory_new(PsPtxMachine *machine, GError **error);
void ps_ptx_memory_clear(PsPtxMachine *machine);
/* Shared memory of its own for another group of the cluster, whose machine has the first's as yet;
 * what it drops is that alone. */
void ps_ptx_memory_again(PsPtxMachine *machine);
void ps_ptx_memory_drop(PsPtxMachine *machine);

/* ---- touch.c -------------------------------------------------------------------------------- */

/* Makes a block, and notes whether it is written. The machine notes a failure, or too many blocks,
 * as its trouble, for ps_ptx_settle. */
void ps_ptx_make_block(PsPtxMachine *machine, const PsPtxBlocks *blocks, gsize block,
                       gboolean writes);
/* Keeps the bytes of a block that is about to be written (undo.c). */
void ps_ptx_keep_block(PsPtxMachine *machine, const PsPtxBlocks *blocks, gsize block);
/* Called between two steps when the machine is in trouble: drops blocks that nobody wrote, or sets
 * the warp's error. */
void ps_ptx_settle(PsPtxRunner *runner);

/* The last buffer of the space that begins at or before the address, or NULL. */
PsPtxBuffer *ps_ptx_buffer_at(const PsPtxMachine *machine, PsPtxSpace space, guint64 address);

/* Notes what the step touches for the listener, at the runner's addresses, unless it has touched
 * something before. */
static inline void ps_ptx_note(PsPtxRunner *runner, PsPtxSpace space, guint bytes)
{
    if (runner->touched || space == PS_PTX_PARAM)
        return;
    runner->touched = TRUE;
    runner->n_more = 0;
    runner->space = space;
    runner->bytes = bytes;
    runner->idle = 0;
    runner->strays = 0;
}

/* As ps_ptx_touch, in any space. */
typedef struct {
    PsPtxSpace space;
    guint bytes;
    const guint64 *address; /* of each lane */
    gboolean reads;         /* it only reads */
    guint64 offset;         /* that is added to each address */
} PsPtxTouched;
gboolean ps_ptx_reach(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                      const PsPtxTouched *what, guint8 *memory[PS_PTX_LANES]);

/* ... and notes it as a further access of the step, unless it is the first one. */
gboolean ps_ptx_reach_more(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                           const PsPtxTouched *what, guint8 *memory[PS_PTX_LANES]);

/* The space of a generic address; *offset: the address in that space. */
PsPtxSpace ps_ptx_window(const PsPtxMachine *machine, guint64 address, guint64 *offset);

/* ---- fault.c -------------------------------------------------------------------------------- */

/* The subject of a warning, which is told once: a key, with a number that says of what. */
typedef enum {
    PS_PTX_WARNS_ENDED = 1, /* threads that had ended before a barrier: its point */
    PS_PTX_WARNS_PLACES,    /* a barrier at several places: a point */
    PS_PTX_WARNS_MISUSE,    /* misuse.c: a point */
    PS_PTX_WARNS_REMOTE,    /* ranks.c: a point */
    PS_PTX_WARNS_VALUES,    /* watch-tell.c: its own number */
    PS_PTX_WARNS_SPACES,    /* touch.c: a point */
    PS_PTX_WARNS_PENDING,   /* pending.c: a point */
    PS_PTX_WARNS_CALL /* a function that is another one here: the sentence's place in memory */
} PsPtxWarns;
#define PS_PTX_WARNS(WHAT, NUMBER) ((guint64)(WHAT) << 56 ^ (guint64)(NUMBER))

/* A warning, as it was given. */
typedef struct {
    guint64 group, order; /* of the grid's groups, and of the machine's warnings */
    guint64 key;
    const char *text; /* the machine's */
} PsPtxWarned;

/* Adds a warning, once; takes text over. */
void ps_ptx_machine_warn(PsPtxMachine *machine, guint64 key, char *text);

/* "thread (1,0,0) of group (2,0,0)"; free with g_free. */
char *ps_ptx_thread_text(const PsPtxRunner *runner, guint lane);

/* A lane's access; the space is not generic. */
typedef struct {
    guint lane;
    PsPtxSpace space;
    guint64 address;
    guint bytes;
    gboolean reads; /* it only reads */
} PsPtxReach;

/* Set the warp's error and return NULL. */
guint8 *ps_ptx_outside(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach);
guint8 *ps_ptx_misaligned(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach);
gboolean ps_ptx_writes(const PsPtxRunner *runner, const PsPtxStep *step);

/* ---- paths.c -------------------------------------------------------------------------------- */

void ps_ptx_paths_begin(PsPtxRunner *runner);

/* A part of a path: its lanes, and the point where they go on. */
typedef struct {
    guint32 lanes;
    guint pc;
} PsPtxPart;

/* Splits the running path into parts, which meet again at `meet`. Parts that go to the same point
 * become one. */
void ps_ptx_paths_part(PsPtxRunner *runner, const PsPtxPart *parts, guint n, guint meet);

/* Lanes of the running path end. Barriers may be complete without them: see ps_ptx_barriers_check.
 */
void ps_ptx_paths_end(PsPtxRunner *runner, guint32 lanes);

/* Ends the running path at the point where its lanes meet others. */
void ps_ptx_paths_meet(PsPtxRunner *runner);

/* The running path waits, behind the step or (PS_PTX_POLLS) at it. */
void ps_ptx_paths_wait(PsPtxRunner *runner, PsPtxState state, const PsPtxStep *step, guint32 mask);

/* Makes a path run; FALSE: none can. */
gboolean ps_ptx_paths_choose(PsPtxRunner *runner);

/* Stops the running path at the end of a turn; if it spins, or may be spinning, the others run
 * first next time. */
void ps_ptx_paths_stop(PsPtxRunner *runner, gboolean spins);

/* ---- spin.c --------------------------------------------------------------------------------- */

/* TRUE where it is time to see whether the running path spins, at the end of a turn that began when
 * the warp had executed `before` instructions. */
gboolean ps_ptx_spin_is_due(const PsPtxRunner *runner, guint64 before);

/* Executes at most so many instructions of the running path, to see whether it spins; the runner
 * then has the answer. */
gboolean ps_ptx_spins(PsPtxRunner *runner, guint64 most);

/* The path has spun, and was stopped. */
void ps_ptx_spin_note(PsPtxRunner *runner);

/* Lets the launch bring memory that lanes of the cluster wait for; then none counts as having
 * waited. FALSE: all of it was there before. */
gboolean ps_ptx_spin_bring(PsPtxMachine *machine);

/* Lets the launch's points bring the memory that they read. */
void ps_ptx_spin_others(PsPtxMachine *machine);

/* meeting.c: in a cooperative launch, lets a warp read the word at which its grid's groups meet
 * only when all have arrived since it did: a loop that waits for that goes round once. */
void ps_ptx_meeting_prepare(PsPtxMachine *machine);

/* Sets the error if all paths of the group spin or wait. */
void ps_ptx_spin_fail(const PsPtxMachine *machine, GError **error);

/* ---- cluster.c ------------------------------------------------------------------------------ */

/* A cluster of the machine alone; then the machines of its other groups. */
PsPtxCluster *ps_ptx_cluster_new(PsPtxMachine *machine);
gboolean ps_ptx_cluster_fill(PsPtxMachine *machine, GError **error);
/* Frees the other groups' machines, and the cluster. */
void ps_ptx_cluster_free(PsPtxMachine *machine);

/* The number of groups of a cluster; 1: the launch asks for no clusters. */
static inline guint ps_ptx_cluster_size(const PsPtxMachine *machine)
{
    const guint *cluster = machine->launch.cluster;
    return MAX(cluster[0], 1) * MAX(cluster[1], 1) * MAX(cluster[2], 1);
}
/* The machine that has what all groups of the cluster share. */
static inline PsPtxMachine *ps_ptx_first(const PsPtxMachine *machine)
{
    return machine->cluster->groups[0];
}
/* Gives the machines of a cluster the groups that they execute, `group` among them, and returns
 * that one's machine. */
PsPtxMachine *ps_ptx_cluster_place(PsPtxMachine *machine, const guint group[3]);
/* An address in shared memory has the rank of its group above so many bits, as in machine code. */
#define PS_PTX_RANK_AT 24
#define PS_PTX_RANK_MASK G_GUINT64_CONSTANT(0xff)
static inline guint64 ps_ptx_cluster_base(const PsPtxMachine *machine)
{
    return machine->launch.workspace ? 0 : (guint64)machine->rank << PS_PTX_RANK_AT;
}
/* The same address in the shared memory of the group of that rank. */
static inline guint64 ps_ptx_cluster_at(const PsPtxMachine *machine, guint64 address, guint64 rank)
{
    return machine->cluster->n == 1 || machine->launch.workspace
               ? address
               : (address & ~(PS_PTX_RANK_MASK << PS_PTX_RANK_AT)) | rank << PS_PTX_RANK_AT;
}
/* Ends phases of the cluster's barrier that were only waiting for threads that have ended now. */
void ps_ptx_cluster_check(const PsPtxMachine *machine);
/* TRUE for steps that wait at the cluster's barrier. */
gboolean ps_ptx_cluster_waits(const PsPtxStep *step);

/* ---- ranks.c -------------------------------------------------------------------------------- */

/* The value of a special register of clusters in the present group; 0: it is no such register. */
guint64 ps_ptx_cluster_special(const PsPtxMachine *machine, PsPtxSpecial special);
/* The machine in whose shared memory the address lies, which gets that machine's rank if it has
 * none; NULL: the warp's error is set. */
PsPtxMachine *ps_ptx_cluster_owner(PsPtxRunner *runner, const PsPtxStep *step, PsPtxReach *reach);
/* Sets the warp's error if the bytes lie in no array of that machine, and returns NULL. */
guint8 *ps_ptx_cluster_outside(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxReach *reach);
/* The machine whose shared memory has the byte; NULL: none. */
PsPtxMachine *ps_ptx_cluster_holds(const PsPtxMachine *machine, const guint8 *memory);
/* TRUE if the cluster has all groups of the set of ranks; else the warp's error is set. */
gboolean ps_ptx_cluster_has(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint64 ranks);

/* ---- barrier.c ------------------------------------------------------------------------------ */

/* step->kind of an instruction at a barrier. */
enum {
    PS_PTX_BARRIER_SYNC = 1,
    PS_PTX_BARRIER_ARRIVE = 2,
    PS_PTX_BARRIER_POPC = 4,
    PS_PTX_BARRIER_AND = 8,
    PS_PTX_BARRIER_OR = 16
};

/* Lanes come to a barrier; if `wait`, they stay until it is complete. */
typedef struct {
    guint barrier;
    guint count;
    gboolean wait;
    gboolean reduce;
    guint32 yes; /* lanes whose predicate is true */
} PsPtxArrival;
void ps_ptx_barrier_come(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                         const PsPtxArrival *arrival);

/* Completes barriers that were only waiting for threads that have ended now. */
void ps_ptx_barriers_check(PsPtxMachine *machine);

/* The waiting warps and their places, for the message when no warp can go on. Free with g_free. */
char *ps_ptx_deadlock(const PsPtxMachine *machine);

/* ---- warpgroup.c ---------------------------------------------------------------------------- */

/* Which warps of its warpgroup a path at such a step waits for, as a text (g_free); NULL: the step
 * is no product of a warpgroup. */
char *ps_ptx_warpgroup_missing(const PsPtxRunner *runner, const PsPtxStep *step);

/* ---- tensor-memory.c ------------------------------------------------------------------------ */

void ps_ptx_tensor_begin(PsPtxMachine *machine);
void ps_ptx_tensor_free(PsPtxMachine *machine);
/* FALSE and *error if the group ended and did not free its columns. */
gboolean ps_ptx_tensor_check(const PsPtxMachine *machine, GError **error);
/* TRUE for steps that wait for columns. */
gboolean ps_ptx_tensor_waits(const PsPtxStep *step);

/* ---- registers.c ---------------------------------------------------------------------------- */

/* What a path at a step that takes registers waits for, as a text (g_free); NULL: it is no such
 * step. */
char *ps_ptx_registers_missing(const PsPtxRunner *runner, const PsPtxStep *step);

/* ---- compiled.c ----------------------------------------------------------------------------- */

/* Looks whether it is time to compile the code of launch.compiled, which is not NULL. */
void ps_ptx_compiled_look(PsPtxRunner *runner);
/* Executes at most so many steps by code that is compiled, from the beginning of a segment on.
 * FALSE: not a single one. */
gboolean ps_ptx_go_compiled(PsPtxRunner *runner, guint64 budget);

/* ---- warp.c --------------------------------------------------------------------------------- */

extern const PsPtxSetLanes ps_ptx_set_lanes[PS_PTX_N_VECTORS];

/* Executes at most `budget` steps of the warp; it ends earlier if it yields, fails, or none of its
 * paths can go on. */
void ps_ptx_go_on(PsPtxRunner *runner, guint64 budget);

/* Executes one step of the running path. */
void ps_ptx_one(PsPtxRunner *runner);

G_END_DECLS
#endif
