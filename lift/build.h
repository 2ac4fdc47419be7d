/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a kernel that was executed to its instruction dependence graph: loops rolled, access
 * patterns as classes and shares, trip counts as expressions of the kernel's arguments where they
 * follow from these, dependences through registers, source lines.
 *
 * PTX is not what the hardware executes: the assembler folds and drops instructions. Rules, each of
 * which can be turned off, do what it will do; docs/reference/build.md explains them with examples:
 *
 *     moves        mov, cvta, and conversions between integers of 32 and 64 bits that only widen
 *                  or narrow are no instructions: who reads the result reads the source
 *     addresses    an addition of a constant to an address, a product of an index and the size of
 *                  an element, or a shift and an addition that become one: one instruction or none
 *     merge-loads  loads of local memory at adjacent addresses become one of 8 or 16 bytes, as far
 *                  as their alignment allows it, and stores likewise
 *     loops        a loop's counter, its comparison and the branch back are one node of the class
 *                  "loop"
 *     parameters   loads of kernel parameters are operands from constant memory, no instructions
 *     specials     reads of %tid, %ctaid, ... are no instructions of their own
 *     dead         results that nobody needs
 *     constants    numbers and parameters that no operand can hold are moves
 *     frame        what every warp does once: it sets its stack pointer, reads each of its numbers
 *                  (%tid, %ctaid, ...), and exits
 *     schedule     within straight code, loads come as early and their first uses as late as
 *                  operands, memory and registers allow
 */
#ifndef PIPESIM_LIFT_BUILD_H
#define PIPESIM_LIFT_BUILD_H

#include "base/progress.h"
#include "idg/idg.h"
#include "ptx/run/launch.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Rules for what a compiler would still do with PTX. */
typedef enum {
    PS_BUILD_MOVES,
    PS_BUILD_ADDRESSES,
    PS_BUILD_MERGE_LOADS,
    PS_BUILD_LOOPS,
    PS_BUILD_PARAMETERS,
    PS_BUILD_SPECIALS,
    PS_BUILD_DEAD,
    PS_BUILD_CONSTANTS,
    PS_BUILD_FRAME,
    PS_BUILD_SCHEDULE,
    PS_BUILD_UNROLL,
    PS_BUILD_N_RULES
} PsBuildRule;

/* Cycles that an assembler keeps between two of a warp's instructions of one unit; 0: none. */
typedef struct {
    guint special;  /* special functions */
    guint tensor;   /* products of matrices */
    guint matrices; /* loads of matrices, and asynchronous copies */
} PsBuildApart;

typedef struct PsSassCode PsSassCode; /* sass/sass.h */

/* What is executed, and how it becomes a graph. */
typedef struct {
    const PsPtxModule *module; /* borrowed, like all below */
    const PsSassCode *machine; /* machine code, which `module` is the translation of, or NULL; no
                                  rule is applied to machine code */
    gboolean made;             /* an assembler made it of PTX now; else it is the caller's */
    PsPtxLaunch launch;
    const char *grid_text[3];  /* expressions over arguments' names that gave the grid, or NULL */
    const char *block_text[3]; /* the same as a text */
    guint n_samples; /* groups to run; 0: those that stand for all (lift/groups/kinds.h) */
    const guint (*samples)[3];
    gboolean rules[PS_BUILD_N_RULES];
    gint64 registers;      /* per thread; 0: not known */
    gint64 full_registers; /* per thread, the most with which a compute unit holds all its warps; 0:
                              not known */
    PsBuildApart apart;
    gint64 accumulators;     /* accumulation registers per thread */
    gint64 scalar_registers; /* per warp; 0: not known */
    guint64 l1, l2;      /* bytes of the L1 of a compute unit and of L2; 0: not known: then L1 keeps
                            nothing, and L2 everything that is read */
    guint64 sector;      /* bytes of the parts in which lines come to compute units; 0: 32 */
    guint64 fill;        /* bytes that L1 reads at once; 0: a sector */
    guint64 fetch;       /* bytes that L2 fetches from device memory at once; 0: a sector of 32 */
    gboolean rows;       /* rows of device memory that accesses open for themselves are counted */
    gboolean masked;     /* device memory takes parts of a sector; else L2 reads the others first */
    guint place;         /* lines of L2 beside each other whose atomics take turns; 0: one */
    guint compute_units; /* 0: not known */
    /* How many groups a compute unit holds at once if each needs so many bytes of local memory.
     * NULL, or a result of 0: not known. */
    guint (*resident)(gpointer data, guint64 local_memory);
    /* How many bytes of L1 a compute unit has then. NULL: l1. */
    guint64 (*l1_beside)(gpointer data, guint64 local_memory);
    gpointer resident_data; /* for both */
    gboolean
        l1_global; /* L1 keeps what loads of global memory read, although they do not ask for it */
    gboolean made_up;         /* buffers hold made-up data, and none its real content */
    const char *content_name; /* for messages: how the user gives their content; of made_up */
    gboolean partial;         /* skip instructions that nobody knows how to execute */
    const char *partial_name; /* for messages: what the user calls `partial`, or NULL */
    const char *sample_name;  /* for messages: what the user calls samples, or NULL */
    const char *source; /* path of the source for comments, or NULL: the file that .file names */
    const char *name;   /* of the graph; NULL: the kernel's */
    PsHearer progress;  /* of PS_PHASE_GROUP */
    /* Called when the samples have been executed, before other groups are: at this time buffers
     * hold only what the samples wrote. Or NULL. */
    void (*sampled)(gpointer data);
    gpointer sampled_data;
} PsBuildOptions;

/* Options with all rules on, and everything else zero. */
void ps_build_options_init(PsBuildOptions *options);

/* Instructions of one class, in warps' instructions of all sampled groups. */
typedef struct {
    char *class_name;
    gint64 before; /* every rule off */
    gint64 after;
} PsBuildMix;

/* For machine code: how soon after an instruction of fixed latency the compiler issues the first
 * reader of its result, by the stall counts between them. A class has the soonest of its results:
 * no latency of it is longer. */
typedef struct {
    char *class_name;
    guint cycles;
    guint writer, reader; /* both instructions, as offsets in the code */
    guint pairs;          /* the number of such pairs that were looked at */
    gboolean adjacent; /* for how many of them the reader comes next, so that the stall count is for
                          it alone */
} PsBuildStall;

/* Sectors of global memory that a cache is asked for, and those that it has, as profilers count
 * them: stores hit in L1 if loads have brought the sector, and always in L2. */
typedef struct {
    double l1, l1_hits, l2, l2_hits;
} PsBuildRates;

/* The result of a build: the graph, and how it came about. */
typedef struct {
    PsIdg *idg;
    GPtrArray *mix;       /* PsBuildMix, most frequent first */
    GPtrArray *stalls;    /* PsBuildStall, by class; none of PTX */
    GPtrArray *warnings;  /* texts, besides the module's own warnings */
    guint64 static_local; /* .shared bytes of PTX itself, not of the launch; 0 of machine code */
    guint64 warp_instructions, thread_instructions; /* executed */
    guint64 groups; /* groups of the launch that were executed to their end, each counted once */
    PsBuildRates rates; /* of all executed groups */
    double seconds;     /* that execution took */
} PsBuild;

/* Runs the sampled groups, or some all over the grid, and makes the graph of groups that stand for
 * all (lift/groups/kinds.h), one of each kind, with a warning if they are far from the mean. A few
 * more groups run to show what they share in caches, whichever become the graph. Buffers hold what
 * the kernel wrote. NULL and *error as ps_ptx_machine_new and ps_ptx_run_group. */
PsBuild *ps_build(const PsBuildOptions *options, GError **error);
void ps_build_free(PsBuild *build);

/* The graph as the text of a file. Free with g_free. NULL and *error (PS_ERROR_LIMIT) if it is so
 * long that ps_idg_load would refuse it. */
char *ps_build_write(const PsBuild *build, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBuild, ps_build_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
