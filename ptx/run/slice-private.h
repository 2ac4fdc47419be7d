/* SPDX-License-Identifier: BSD-3-Clause */
/* What slice.c, which finds the instructions of a slice, shares with slice-compute.c. */
#ifndef PIPESIM_PTX_RUN_SLICE_PRIVATE_H
#define PIPESIM_PTX_RUN_SLICE_PRIVATE_H

#include "ptx/run/slice.h"
#include "ptx/run/warp.h"

G_BEGIN_DECLS

/* Rows: the slots of the decoder that no step writes, a row of zeros, and results. */
#define PS_PTX_SLICE_SLOTS 1024
#define PS_PTX_SLICE_ZEROS PS_PTX_SLICE_SLOTS
#define PS_PTX_SLICE_ROWS (2 * PS_PTX_SLICE_SLOTS)

/* The dependences of a value. */
enum { PS_PTX_BY_GROUP = 1, PS_PTX_BY_THREAD = 2 };

/* How a value depends on the thread, the least first. */
typedef enum {
    PS_PTX_SETTLED, /* not at all, or only by comparisons that come out the same for all */
    PS_PTX_LINEAR,  /* a sum of multiples of its coordinates */
    PS_PTX_ORDERED, /* it grows or falls with each of them */
    PS_PTX_LOOSE    /* in any way */
} PsPtxSliceOrder;

/* An instruction of the slice. */
typedef struct {
    PsPtxStep step; /* its slots are rows */
    guint n_before;
    PsPtxBefore *before;
    gboolean reads; /* it loads from memory */
    guint bytes;    /* of a lane's access */
    guint depends;
    guint n_from, *from;       /* parts that it reads; NULL: none */
    guint old[PS_PTX_MAX_TO];  /* rows of results where the guard is false */
    guint regs[PS_PTX_MAX_TO]; /* registers of the results; their rows are in step.to */
    guint n_regs;
    guint64 needed;        /* bit by bit, the numbers that need it */
    gboolean done;         /* it can be computed */
    PsPtxSliceOrder order; /* of the results */
    gboolean compares;     /* its first two sources, one of which is not settled */
} PsPtxSlicePart;

/* A number that the slice computes. */
typedef struct {
    guint row;       /* the predicate, or the address's base */
    gboolean access; /* it is an address: */
    gboolean value;  /* it is a number */
    guint64 offset;  /* less its base */
    PsPtxSpace space;
    guint bytes;
    guint depends;
    PsPtxSliceOrder order;
} PsPtxSliceOutput;

struct PsPtxSlice {
    PsPtxMachine *machine;
    struct PsPtxDecoder *decoder;
    GArray *reaching; /* of each point, which instruction its registers come from: */
    guint *first;     /* ... from there on */
    guint *part_of;   /* per point: number of its part, and 1 */
    GPtrArray *parts; /* PsPtxSlicePart, each behind those that it reads */
    GArray *order;    /* guint: numbers of parts that are done, in the order to compute them */
    guint n_fixed;    /* number of the decoder's slots whose rows were made */
    guint n_rows;
    guint64 (*rows)[PS_PTX_LANES];
    PsPtxSliceOutput outputs[PS_PTX_SLICE_OUTPUTS];
    guint n_outputs;
    PsPtxRunner *runner;              /* in whose place steps are executed */
    guint64 constant;                 /* computed numbers that depend on nothing */
    double *spans;                    /* by row: the spans that slice-corners.c found */
    guint64 (*threads)[PS_PTX_LANES]; /* special registers of threads, warp by warp; or NULL */
};

#define PS_PTX_SLICE_REGISTERS 64 /* of an instruction */

/* Registers of the code. */
typedef struct {
    guint n, list[PS_PTX_SLICE_REGISTERS];
    gboolean more; /* there are too many */
} PsPtxRegisters;

/* Registers that a point writes; registers that it reads, with those that it may leave unchanged by
 * its guard. */
PsPtxRegisters ps_ptx_slice_written(const PsPtxPoint *at);
PsPtxRegisters ps_ptx_slice_read(const PsPtxPoint *at);

/* The instruction that wrote a register that the point reads: its point, and 1; 0: it was not
 * written. */
#define PS_PTX_SLICE_SEVERAL G_MAXUINT /* instructions, on different ways */
guint ps_ptx_slice_from(const PsPtxSlice *slice, guint point, guint reg);

/* Adds what an operand's special registers depend on; FALSE: on more than the place. */
gboolean ps_ptx_slice_by_place(const PsPtxOperand *operand, guint *depends);

/* Makes the part of a point, and those before it. FALSE: it cannot be computed. The part. */
gboolean ps_ptx_slice_add(PsPtxSlice *slice, guint point);
PsPtxSlicePart *ps_ptx_slice_part(const PsPtxSlice *slice, guint point);

/* Asks for the content of a register behind a point that was added; returns its number, or -1. */
int ps_ptx_slice_ask(PsPtxSlice *slice, guint point, guint reg);

/* The special register of a fixed row that places decide; PS_PTX_N_SPECIALS: it is none. The row.
 */
PsPtxSpecial ps_ptx_slice_special(const PsPtxSlice *slice, guint fixed);
guint64 *ps_ptx_slice_row(const PsPtxSlice *slice, guint fixed);

/* The first n lanes. */
guint32 ps_ptx_slice_first(guint n);

/* Computes, once, the parts that depend on nothing; all lanes are active then. FALSE: memory cannot
 * be read. */
gboolean ps_ptx_slice_begin(PsPtxSlice *slice, guint64 numbers);

/* Writes the numbers of groups, from the first on: so many lanes have the same. */
void ps_ptx_slice_place(const PsPtxSlice *slice, guint64 first, guint lanes);

/* Computes what these numbers need and depends on something of `least`, and on nothing but `most`.
 * FALSE: memory cannot be read. Gives what they come to. */
gboolean ps_ptx_slice_compute(PsPtxSlice *slice, guint64 numbers, guint least, guint most);
void ps_ptx_slice_give(const PsPtxSlice *slice, guint64 numbers,
                       guint32 lanes[PS_PTX_SLICE_OUTPUTS]);

/* Sets the order of a part whose sources have theirs. */
void ps_ptx_slice_find_order(const PsPtxSlice *slice, PsPtxSlicePart *part);

G_END_DECLS
#endif
