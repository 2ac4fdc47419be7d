/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches undefined values: registers that are read before they are written, shared memory that no
 * thread of the group has written, and a thread's own memory (.local) that it has not written. All
 * read as zero here and as anything on a device. So a warning or an error tells where an address, a
 * branch or a result depends on them.
 *
 * watch-find.c follows the code and finds the steps that may read what nobody wrote, or what was
 * computed of it, and the rows that they read. Only these steps are watched, and those that write
 * these rows; most kernels have none. watch.c executes them: each row has for each lane its
 * undefined bits. To see whether a result depends on these bits, the step is executed again with
 * other values there. So a result that no value changes (r xor r, a factor of zero, the other half
 * of a register) is defined. Memory is checked where it is read. Only where a read finds bytes that
 * nobody wrote is the code followed again for what comes of them.
 *
 * A clock counts instructions here, so a clock's value counts as undefined, too, with all its bits:
 * the trips of a loop that goes by it are not known, and end the run, unless the launch allows it
 * (`clocks`), which makes the clock go faster with each turn. Storing it is what clocks are for.
 * The same holds of %smid and its like, which are zero here: on which compute unit a group runs
 * nobody knows.
 *
 * A value that a shuffle takes from a lane that has ended, never was or is not in its mask counts
 * as undefined from the first such shuffle on. It matters for ways, addresses and trips; storing it
 * is the program's own affair.
 *
 * A launch of many groups may leave most of them unwatched (`watches_some`).
 *
 * A warp none of whose rows has undefined bits is not watched: most kernels write a variable under
 * a condition and read it under the same. What it loads is looked at, and a clock that the code
 * reads has all warps watched.
 */
#ifndef PIPESIM_PTX_RUN_WATCH_H
#define PIPESIM_PTX_RUN_WATCH_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

typedef enum {
    PS_PTX_WATCH_NOTHING, /* what it writes is defined */
    PS_PTX_WATCH_COMPUTE,
    PS_PTX_WATCH_CLOCK, /* reads one, or %smid and its like */
    PS_PTX_WATCH_ACCESS,
    PS_PTX_WATCH_INDEX,  /* of a branch */
    PS_PTX_WATCH_CONTROL /* only its guard is looked at */
} PsPtxWatchKind;

/* The bits of a result that may differ if one bit of a source does. */
typedef enum { PS_PTX_SPREADS_ALL, PS_PTX_SPREADS_UP, PS_PTX_SPREADS_NOT } PsPtxSpreads;

struct PsPtxWatch {
    PsPtxExecute execute; /* the step's own, or NULL if it is executed as before */
    PsPtxWatchKind kind;
    PsPtxSpreads spreads;
    gboolean guard;                          /* may be undefined */
    gboolean stores, loads, shuffles, moves; /* by its opcode */
    guint n_from, n_address;     /* rows that may have undefined bits: values, and addresses */
    guint from[PS_PTX_MAX_FROM]; /* of a store an element each, else each once */
    guint address[PS_PTX_MAX_FROM];
    guint64 bits[PS_PTX_MAX_TO]; /* of the registers that it writes */
};

/* The origin of undefined bits: a register of the code, or the point of a load from shared memory
 * or the thread's own, of what reads a clock or its like, or of a shuffle. */
struct PsPtxOrigin {
    guint where;
    gboolean shared, own, clock, lane;
    gboolean computed; /* TRUE: they went through arithmetic since, and were not only moved */
    gboolean mixed;    /* two values with such bits met in a sum: they may cancel out */
};

/* watch-find.c: (re)makes the machine's watches; their steps are then executed by `execute`. If the
 * machine doubts memory, loads from shared memory and threads' own give undefined bits, too; if it
 * doubts lanes, shuffles do. */
void ps_ptx_watch_find(PsPtxMachine *machine, PsPtxExecute execute);
void ps_ptx_watch_free(PsPtxMachine *machine);

/* watch.c: watches steps that may read registers that nobody wrote. */
void ps_ptx_watch(PsPtxMachine *machine);
/* Before each group. */
void ps_ptx_watch_begin(PsPtxMachine *machine);
/* Makes the warps' records of undefined bits, unless they are there. */
void ps_ptx_watch_make(PsPtxMachine *machine);
/* Notes that all of a row was written elsewhere, if rows are watched. */
void ps_ptx_watch_define(PsPtxRunner *runner, guint row);
/* Called before a step whose guard may be undefined. */
void ps_ptx_watch_guard(PsPtxRunner *runner, const PsPtxStep *step);
/* Called after a load from shared memory or the thread's own, or an atomic operation there. */
void ps_ptx_watch_memory(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask);

/* Executes a shuffle that is not watched yet, and doubts lanes if it gives a reason to. */
void ps_ptx_watch_lanes(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                        PsPtxExecute execute);

/* watch-lanes.c: the lanes of mask for which a shuffle reads a lane that gives nothing: it has
 * ended or never was, is not in the shuffle's mask, or, if there is no mask, does not execute it.
 * *surely: the lanes for which that holds however lanes meet. */
guint32 ps_ptx_watch_astray(const PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                            guint32 *surely);

/* Loads from such memory that are looked at, of each point in each group. */
#define PS_PTX_MOST_LOOKS 64

/* Where a launch follows undefined values in some groups (watches_some): in so many at first, and
 * then in one of so many. */
#define PS_PTX_WATCHED_FIRST 64
#define PS_PTX_WATCHED_OF 64

/* watch-tell.c: the name of the special register that a point reads and whose value on a device
 * nobody knows here, other than a clock; NULL: it reads none. */
const char *ps_ptx_watch_special(const PsPtxCode *code, guint point);

/* The bits of a register of the code. */
guint64 ps_ptx_watch_bits(const PsPtxCode *code, guint number);

/* The use of undefined bits. The first three end the run, unless the bits may cancel out; a clock's
 * bits end it only in loops. */
typedef enum {
    PS_PTX_TELL_ADDRESS,
    PS_PTX_TELL_LOOP,
    PS_PTX_TELL_INDEX,
    PS_PTX_TELL_BRANCH,
    PS_PTX_TELL_GUARD, /* of an access */
    PS_PTX_TELL_STORED
} PsPtxTell;
/* TRUE if nothing with that key was told before; the lowest byte is at most 0x7f here. */
gboolean ps_ptx_watch_is_new(const PsPtxMachine *group, guint64 key);
void ps_ptx_watch_tell(PsPtxRunner *runner, const PsPtxStep *step, guint lane, PsPtxTell what,
                       const PsPtxOrigin *origin);

G_END_DECLS
#endif
