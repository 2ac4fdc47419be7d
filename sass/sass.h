/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code as PTX. Each machine instruction is told in one or more instructions of PTX that do
 * what it does, over registers that are the machine's; so ptx/ executes it, 32 lanes at a time, and
 * whoever listens to a run sees which machine instruction each point belongs to.
 *
 * Subroutines are expanded where they are called. Where lanes part they meet again at the nearest
 * point that all of their ways pass: instructions that hold lanes together are instructions, but do
 * nothing.
 */
#ifndef PIPESIM_SASS_SASS_H
#define PIPESIM_SASS_SASS_H

#include "ptx/ptx.h"
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

#define PS_SASS_MOST_TO 8
#define PS_SASS_MOST_FROM 24

typedef struct PsSassRow PsSassRow; /* table.h */

/* What a machine instruction reads and writes. */
typedef struct {
    const PsSassRow *row; /* NULL: nobody knows it */
    gboolean moves;       /* it only hands on one of its operands, whatever its class */
    guint n_to, n_from;
    guint16 to[PS_SASS_MOST_TO], from[PS_SASS_MOST_FROM];
    gboolean address[PS_SASS_MOST_FROM]; /* the source is a part of an address */
} PsSassUse;

/* Where an instruction of the module comes from. */
typedef struct {
    guint machine;   /* instruction of the listing; G_MAXUINT: what comes before the first */
    gboolean stands; /* it stands for that one; the others are parts of it */
} PsSassOrigin;

typedef struct PsSassCode PsSassCode;
struct PsSassCode {
    PsPtxModule *module; /* one kernel */
    PsSassListing *listing;
    GArray *uses;    /* PsSassUse, one for each machine instruction */
    GArray *origins; /* PsSassOrigin, one for each instruction of the module's kernel */
    guint registers; /* of a thread, as the compiler counts them */
    guint64 system;  /* bytes at the beginning of a group's memory that are the system's */
};

/* The kernel as PTX. The parameters are called like those of `named`, a kernel of PTX that it was
 * made of, or param_0, param_1, ... where that is NULL. Takes the listing over. The module's
 * warnings name instructions that nobody knows. NULL and *error (PS_ERROR_VALUE) for branches out
 * of the code and calls of what is not there or calls itself. */
PsSassCode *ps_sass_code_new(const PsSassImage *image, const PsSassKernel *kernel,
                             PsSassListing *listing, const PsPtxFunction *named, GError **error);
/* "R5" of the register's number; interned. */
const char *ps_sass_register_name(guint reg);

/* The kernels and their parameters (param_0, ...), and the variables of the program, as PTX without
 * code: what a launch is given is found by that. NULL and *error. */
PsPtxModule *ps_sass_outline(const PsSassImage *image, GError **error);

void ps_sass_code_free(PsSassCode *code);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassCode, ps_sass_code_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
