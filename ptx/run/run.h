/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes a kernel's work-groups, their warps on 32 lanes each, to learn which ways they go and
 * which addresses they touch. Results are those of the device, in memory that the caller can read;
 * approximate instructions (sin.approx, ...) are as exact as the C library's.
 *
 * Lanes that part at a branch run one side after the other and meet at the branch's immediate
 * post-dominator (flow.c says what that is where threads end early). A group's warps take turns:
 * each runs until a barrier, until it waits for another warp, or for some thousand instructions.
 * Groups run one after another, those of a cluster together.
 */
#ifndef PIPESIM_PTX_RUN_RUN_H
#define PIPESIM_PTX_RUN_RUN_H

#include "ptx/run/launch.h"
#include "ptx/step/step.h"

G_BEGIN_DECLS

/* What a warp waited for at an mbarrier: its own asynchronous copies, by their points, ascending,
 * and for each copy how many executions ago it was (1: the latest). */
typedef struct {
    guint point, back;
} PsPtxAwaited;
typedef struct {
    guint n;
    PsPtxAwaited *list;
    guint n_enders;  /* warps and points of all that ended it, ascending: so the waits of a loop */
    guint64 *enders; /* two waits differ if other code ends them */
} PsPtxWait;

/* An execution that a phase of an mbarrier, or a barrier, counted when it was completed: of an
 * instruction that arrives there, or whose bytes did. */
typedef struct {
    guint rank;    /* rank of its group in the cluster; 0 if there is none */
    guint warp;    /* warp in that group */
    guint point;   /* point of the code */
    guint64 index; /* which of the executions of the point by that warp with any lane; the first is
                      0. Of several the phase has the latest */
    gboolean copy; /* its bytes arrived; else the warp itself */
} PsPtxEnder;

/* A piece of global memory that a copy by a tensor map moves: a row of its box. */
typedef struct {
    guint64 address;
    guint bytes;
} PsPtxPiece;

/* An event: what a warp does at one point of the code. Valid during the call. */
typedef struct {
    guint warp;             /* number in its group */
    guint point;            /* of the code */
    guint32 active;         /* lanes that have come to the point */
    guint32 mask;           /* the lanes among them whose guard is true, which execute it */
    guint depth;            /* points at which its lanes still have to meet others of the warp */
    gboolean memory;        /* TRUE: the following fields are set */
    PsPtxSpace space;       /* GLOBAL, SHARED, LOCAL, CONST, never GENERIC or PARAM */
    guint bytes;            /* per lane */
    guint32 idle;           /* lanes in mask that access nothing: copies of no bytes */
    guint32 remote;         /* lanes in mask whose bytes lie in shared memory of another group */
    const guint64 *address; /* of each other lane in mask; global: virtual, others: offsets */
    guint n_more; /* further accesses of the same instruction (wmma): of the same kind, at other
                     addresses */
    const guint64 (*more)[PS_PTX_LANES]; /* their addresses */
    const PsPtxPiece *pieces; /* of a copy by a tensor map: what it moves of global memory. Its
                                 `bytes` are the sum, its address is the first */
    guint n_pieces;
    const PsPtxWait *wait; /* of a wait for an mbarrier that is over, else NULL; equal ones are the
                              same pointer; owned by the machine */
    const PsPtxEnder *enders; /* of a wait that is over, for an mbarrier or at a barrier that is no
                                 meeting of all: all that ended it, in any order */
    guint n_enders;
    guint rank; /* of the warp's group, as of its enders */
} PsPtxEvent;

/* Callbacks of a run; functions may be NULL. */
typedef struct {
    gpointer data;
    void (*group_begins)(gpointer data, const guint group[3]);
    void (*executed)(gpointer data, const PsPtxEvent *event);
    /* Called in place of `executed` for n points that follow each other, the event's first, to
     * which the same lanes came in turn, and which access no memory. masks: of each of them; NULL:
     * all lanes executed them all. NULL: they, too, are told one by one. */
    void (*straight)(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks);
    /* Called when a wait is over at a barrier at which not all warps meet: its count is of fewer
     * threads, or some only arrived. The event has the waiting warp, its point and mask, and the
     * enders: all arrivals, with the warp's own. For the warp that came last, it is called before
     * `executed`. */
    void (*met)(gpointer data, const PsPtxEvent *event);
    void (*group_ends)(gpointer data);
} PsPtxListener;

typedef struct PsPtxMachine PsPtxMachine;

/* FALSE and *error (PS_ERROR_VALUE) if no group may have that many threads. */
gboolean ps_ptx_block_check(const guint block[3], GError **error);

/* A machine for a launch. Buffers lie at virtual addresses of 256 bytes' alignment, with more
 * unused space between them than any of them has bytes, as far as there are addresses. The launch's
 * arguments are copied; the buffers' data stay the caller's and must live as long as the machine,
 * as must the module. NULL and *error: PS_ERROR_VALUE for a missing argument (lists all parameters
 * with types), a launch that the kernel does not allow
 * (.reqntid, .maxntid, more than 1024 threads), code that cannot be expanded. */
PsPtxMachine *ps_ptx_machine_new(const PsPtxModule *module, const PsPtxLaunch *launch,
                                 GError **error);
void ps_ptx_machine_free(PsPtxMachine *machine);

/* The code that the machine executes, to which the points in events belong; borrowed. */
const PsPtxCode *ps_ptx_machine_code(const PsPtxMachine *machine);

/* Warnings of what could not be executed as on the device (an unknown instruction that was skipped,
 * a call of printf), each once. Borrowed. */
const GPtrArray *ps_ptx_machine_warnings(const PsPtxMachine *machine);

/* Virtual address of the buffer that is argument number `argument`; 0: the argument is no
 * buffer. */
guint64 ps_ptx_machine_address(const PsPtxMachine *machine, guint argument);

/* A buffer in global memory, or a variable of the module there. */
typedef struct {
    const char *name; /* the machine's */
    guint64 address, size;
} PsPtxExtent;

/* All of these, ascending (g_free); *n: how many. */
PsPtxExtent *ps_ptx_machine_extents(const PsPtxMachine *machine, guint *n);

/* Sets the most warp instructions of each group that runs from now on; 0: the launch's own limit
 * again. */
void ps_ptx_machine_limit(PsPtxMachine *machine, guint64 instructions);

/* Ends the running group soon, and all that would run after it, with PS_ERROR_CANCELLED. For its
 * listener. */
void ps_ptx_machine_stop(PsPtxMachine *machine);

/* TRUE if the group is the first of its cluster, or there are no clusters. To execute all groups,
 * run these; each runs the others of its cluster. */
gboolean ps_ptx_group_leads(const PsPtxMachine *machine, const guint group[3]);

/* The number of groups of a cluster; 1: there are no clusters. */
guint ps_ptx_machine_cluster(const PsPtxMachine *machine);

/* Runs one work-group; with it, all others of its cluster, of which the listener hears nothing.
 * FALSE and *error:
 *   PS_ERROR_VALUE  an address outside every buffer (which thread, which source line, which buffer
 *                   is nearest and how far), misaligned, a barrier that not all threads reach
 * (which warps wait where), a loop that waits for what no thread of the group writes, trap, an
 * integer argument that an instruction does not allow PS_ERROR_LIMIT  most_instructions: the loop,
 * by its source line, that was running */
gboolean ps_ptx_run_group(PsPtxMachine *machine, const guint group[3],
                          const PsPtxListener *listener, GError **error);

/* From now on what groups write to global memory can be taken back, by ps_ptx_machine_tried. */
void ps_ptx_machine_try(PsPtxMachine *machine);
/* Ends that; with undo, global memory holds what it did when it began, so that a group that was
 * executed since may be executed again. */
void ps_ptx_machine_tried(PsPtxMachine *machine, gboolean undo);

/* The reason why the last group failed. */
PsPtxFault ps_ptx_machine_fault(const PsPtxMachine *machine);

/* FALSE and *error (PS_ERROR_VALUE, with the line) if threads of an ended group waited in a loop
 * for memory that its other threads wrote: the number of trips is then no property of the
 * kernel. */
gboolean ps_ptx_machine_check_spins(const PsPtxMachine *machine, GError **error);

/* The purposes of the waits for mbarriers at a point, in all ended groups; 0: no wait has ended
 * yet. They are a meeting of the group if only OWN and OTHERS are set. */
typedef enum {
    PS_PTX_WAIT_OWN = 1,    /* arrivals and copies of the warp itself, if any */
    PS_PTX_WAIT_OTHERS = 2, /* also those of other warps */
    PS_PTX_WAIT_APART = 4   /* not all warps arrived right before it, and waited just once */
} PsPtxWaitKind;
guint ps_ptx_machine_wait(const PsPtxMachine *machine, guint point);

/* The way that warps take at a point, in all groups: the short one, unless at least half of the
 * executions had a lane that needs another; then the more frequent of the other two. */
PsPtxWay ps_ptx_machine_way(const PsPtxMachine *machine, guint point);

/* A product with tensor memory (tcgen05.mma), as its descriptors state it. */
typedef struct {
    const char *factor, *result; /* types as PTX spells them: "e4m3" for all that go as 8 bits do */
    guint m, n, k;
    gboolean pair; /* of two groups: m counts the rows of both */
    gboolean held; /* its first factor is in tensor memory */
    gboolean sparse;
    gboolean differs; /* TRUE: the point executed others, too; this is one of them */
    guint by; /* of a pair, which groups asked for it: 1: those of even ranks, 2: of odd ones */
} PsPtxTensorProduct;

/* The product of that point; NULL: none was executed there. Valid as long as the machine lives. */
const PsPtxTensorProduct *ps_ptx_machine_product(const PsPtxMachine *machine, guint point);

/* The rank of a group in its cluster. */
guint ps_ptx_machine_rank(const PsPtxMachine *machine, const guint group[3]);

/* The most columns of tensor memory that a group had at once. */
guint ps_ptx_machine_columns(const PsPtxMachine *machine);

/* How often, in all groups, warps came to the point and skipped it because the executor does not
 * know the instruction. */
guint64 ps_ptx_machine_skipped(const PsPtxMachine *machine, guint point);

/* The launch's most_instructions, or the default if that is 0. */
guint64 ps_ptx_machine_most(const PsPtxMachine *machine);

/* TRUE if groups wrote to more bytes of buffers than may be kept, for which the last one ended. */
gboolean ps_ptx_machine_full(const PsPtxMachine *machine);

/* Warp and thread instructions executed so far. */
void ps_ptx_machine_counts(const PsPtxMachine *machine, guint64 *warps, guint64 *threads);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxMachine, ps_ptx_machine_free)

G_END_DECLS
#endif
