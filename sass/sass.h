/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code as PTX. Each machine instruction becomes one or more PTX instructions that do the
 * same, over registers named like the machine's. So ptx/run can execute it, 32 lanes at a time, and
 * a listener finds out to which machine instruction each point belongs.
 *
 * A subroutine's code is repeated wherever it is called. Lanes that part meet again at the nearest
 * point that all of their ways pass, as in PTX; machine instructions that hold lanes together
 * (BSSY, BSYNC and the like) do nothing.
 */
#ifndef PIPESIM_SASS_SASS_H
#define PIPESIM_SASS_SASS_H

#include "ptx/ptx.h"
#include "sass/lines.h"
#include "sass/listing.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Registers of the machine, by number: R0 to R254, UR0 to UR254, P0 to P6, UP0 to UP6. */
enum {
    PS_SASS_FIRST_REGISTER = 0,
    PS_SASS_FIRST_UNIFORM = 256,
    PS_SASS_FIRST_PREDICATE = 512,
    PS_SASS_FIRST_UNIFORM_PREDICATE = 520,
    PS_SASS_N_REGISTERS = 528
};

#define PS_SASS_MOST_TO 128
#define PS_SASS_MOST_FROM 140

typedef struct PsSassRow PsSassRow; /* table.h */

/* What a machine instruction reads and writes. */
typedef struct {
    const PsSassRow *row; /* NULL: the opcode is not known */
    gboolean moves;       /* it only copies one of its operands, whatever its class is */
    guint ops;            /* operations of a thread; for products of matrices see the PTX ... */
    const char *type;     /* ... on values of that type ("fp32", static); NULL: there are none */
    guint n_to, n_from;
    guint16 to[PS_SASS_MOST_TO], from[PS_SASS_MOST_FROM];
    gboolean address[PS_SASS_MOST_FROM]; /* as part of an address */
} PsSassUse;

/* The machine instruction behind a PTX instruction of the module. */
typedef struct {
    guint machine;   /* number of the instruction in the listing; G_MAXUINT: added before the first
                        one */
    gboolean stands; /* the graph's node is made of this one; others of the same machine instruction
                        are parts of it */
} PsSassOrigin;

/* A jump from one instruction to another that is not the next. */
typedef struct {
    guint from, to;
} PsSassEdge;

typedef struct PsSassCode PsSassCode;
struct PsSassCode {
    PsPtxModule *module; /* one kernel */
    PsSassListing *listing;
    GArray *uses;    /* PsSassUse, one for each machine instruction */
    GArray *origins; /* PsSassOrigin, one for each instruction of the module's kernel */
    GArray *edges;   /* PsSassEdge: branches, calls, returns */
    PsSassLines *lines;
    int capability;  /* 80 of sm_80 */
    guint n;         /* how many instructions of the listing are code and no padding */
    guint registers; /* registers of a thread, as the compiler counts them */
    guint64 frame;   /* bytes of a thread's stack */
    guint64 system;  /* bytes at the beginning of a group's shared memory that the system keeps for
                        itself */
};

/* The kernel as PTX. Parameters get the names that they have in `named`, the kernel of PTX that the
 * code was compiled from, or param_0, param_1, ... where that is NULL. Takes the listing over.
 * Unknown instructions keep their own names. NULL and *error (PS_ERROR_VALUE): a branch leaves the
 * code, or a call goes to a function that is not there or that is running already. */
PsSassCode *ps_sass_code_new(const PsSassImage *image, const PsSassKernel *kernel,
                             PsSassListing *listing, const PsPtxFunction *named, GError **error);
/* How many of a thread's registers (R0 to R254) are live at each instruction of the listing:
 * needed by it or by a later one, or its results (g_free). Predicates and uniform registers do
 * not count. */
guint *ps_sass_live(const PsSassCode *code);

#define PS_SASS_REGISTER_BANKS 2

/* Registers that an instruction reads of each bank, and how many of these the cache for operands
 * has (.reuse) unless another warp has read in between. */
typedef struct {
    guint8 of[PS_SASS_REGISTER_BANKS], kept[PS_SASS_REGISTER_BANKS];
} PsSassReads;

/* The same for each instruction of the listing (g_free). It is zero for an instruction whose result
 * does not come after a fixed time. It is zero, too, where an instruction takes pairs of registers
 * or addresses, since their banks are not known. */
PsSassReads *ps_sass_bank_reads(const PsSassCode *code);

/* Bytes of code that a scheduler of a chip of that compute capability (86) keeps; measured, or
 * assumed. */
guint ps_sass_code_cache(int capability, gboolean *measured);

/* The name of a register by its number, such as "R5"; interned. */
const char *ps_sass_register_name(guint reg);

/* The kernels of images (PsSassImage, at least one) with their parameters (param_0, ...), and the
 * program's variables, as PTX without code: enough to find what a launch needs. NULL and *error. */
PsPtxModule *ps_sass_outline(const GPtrArray *images, GError **error);

void ps_sass_code_free(PsSassCode *code);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassCode, ps_sass_code_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
