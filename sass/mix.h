/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which classes of instructions a kernel's code has, without a disassembler: an instruction's
 * lowest nine bits say which one it is. Their meaning was found from listings; an instruction that
 * no listing showed has no known class.
 */
#ifndef PIPESIM_SASS_MIX_H
#define PIPESIM_SASS_MIX_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
    PS_SASS_MIX_SINGLE,  /* arithmetic on 32 bits of floating point */
    PS_SASS_MIX_DOUBLE,  /* on 64 */
    PS_SASS_MIX_HALF,    /* on pairs of 16 */
    PS_SASS_MIX_TENSOR,  /* products of matrices */
    PS_SASS_MIX_SPECIAL, /* reciprocals, roots, exponentials, sines */
    PS_SASS_MIX_INTEGER,
    PS_SASS_MIX_CONVERSION,
    PS_SASS_MIX_MOVE,     /* moves, special registers, exchanges within a warp */
    PS_SASS_MIX_GLOBAL,   /* accesses to global memory, and generic ones */
    PS_SASS_MIX_LOCAL,    /* accesses to a thread's own memory: spilled registers, arrays */
    PS_SASS_MIX_SHARED,   /* accesses to shared memory */
    PS_SASS_MIX_CONSTANT, /* loads of constants */
    PS_SASS_MIX_BARRIER,  /* barriers, fences, waiting */
    PS_SASS_MIX_BRANCH,
    PS_SASS_MIX_UNKNOWN,
    PS_SASS_MIX_PADDING, /* counts as none */
    PS_SASS_N_MIX
} PsSassMixClass;

/* Counts of a kernel's instructions as they stand in its code, not as they are executed. */
typedef struct {
    gint64 all; /* without padding */
    gint64 of[PS_SASS_N_MIX];
} PsSassMix;

/* The class of an instruction in code for sm_`capability`, by its first 64 bits. *name becomes its
 * name in listings, without modifiers, NULL if not known; name may be NULL. */
PsSassMixClass ps_sass_mix_class(guint64 word, int capability, const char **name);

/* The class of the kernel's i-th instruction. */
PsSassMixClass ps_sass_mix_at(const PsSassImage *image, const PsSassKernel *kernel, gsize i);

PsSassMix ps_sass_mix(const PsSassImage *image, const PsSassKernel *kernel);

/* "local", as facts name it, NULL for padding; static. */
const char *ps_sass_mix_name(PsSassMixClass mix_class);

#pragma GCC visibility pop
G_END_DECLS
#endif
