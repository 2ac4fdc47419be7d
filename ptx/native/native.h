/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's code compiled for this processor, 32 lanes as vectors. It computes, bit for bit, what
 * the steps of the same points compute.
 *
 * It is entered at the beginning of a segment: points that follow each other straight on. It goes
 * from segment to segment as long as all lanes go the same way and the budget has room for a whole
 * segment. It stops before points that it does not execute: where lanes part or meet, barriers, and
 * the like. Then all rows that are read from there on are in the warp's slots.
 */
#ifndef PIPESIM_PTX_NATIVE_NATIVE_H
#define PIPESIM_PTX_NATIVE_NATIVE_H

#include "ptx/step/operands.h"

G_BEGIN_DECLS

/* The arguments of compiled code, which knows the places of these members. */
typedef struct {
    guint64 (*slots)[PS_PTX_LANES];
    gpointer *last;      /* the memory that a point accessed last: 2 * point, plus 1 for reading */
    const guint8 *looks; /* by point: how often its loads from shared memory were checked */
    PsPtxWarp *warp;
    guint64 budget;   /* points that it may still execute; it subtracts those that it did */
    guint64 threads;  /* gets their number in threads' instructions ... */
    guint64 accesses; /* ... and those that touched memory */
    guint32 mask;     /* the lanes that come to `pc` */
    guint pc;         /* the point where it begins, and then where it stopped */
    guint meet;       /* it stops before that point */
} PsPtxNativeCall;

/* The offsets, in bytes, of the members of a piece of memory that compiled code reads. */
typedef struct {
    gsize address, size, data;
    gsize written, known; /* of shared memory: bytes that were written, and those that surely
                             were */
    gsize blocks;         /* NULL: it has no blocks ... */
    gsize whole, made;    /* ... and in these: all may be read; a byte of each block */
    guint block;          /* bytes of one */
    guint8 made_there;    /* the bit of `made` without which a block may not be read, ... */
    guint8 made_written;  /* ... and that without which it may not be written */
    guint8 most_looks;    /* so often loads are looked at */
} PsPtxNativePlaces;

/* Executes the step of the warp for the lanes of mask. TRUE: it failed, or a loaded value is to be
 * watched; then steps are executed one by one from there on. */
typedef gboolean (*PsPtxNativeStep)(PsPtxWarp *warp, guint point, guint32 mask);

/* The code to compile. */
typedef struct {
    const PsPtxCode *code;
    const PsPtxStep *steps;
    guint n_slots, n_fixed, n_kept; /* fixed ones come first, then those that are kept */
    const PsPtxFixed *fixed;        /* by slot */
    const guint8 *bits;             /* of each of these: 1, 32 or 64 */
    const guint8 *shared;           /* by slot: 1 if others than steps read it */
    const guint8 *stops;            /* by point: 1 if it has to stop there */
    PsPtxNativeStep step;
    PsPtxNativePlaces places;
} PsPtxNativeSource;

typedef struct PsPtxNativeCode PsPtxNativeCode;

/* NULL: there is no LLVM here, the processor has no AVX2, or the code is too long. */
PsPtxNativeCode *ps_ptx_native_compile(const PsPtxNativeSource *source);
void ps_ptx_native_free(PsPtxNativeCode *code);

/* TRUE if a compiler is there. */
gboolean ps_ptx_native_there(void);

/* By point: the number of points of the segment that begins there; 0: none does. */
const guint *ps_ptx_native_lengths(const PsPtxNativeCode *code);
void ps_ptx_native_run(const PsPtxNativeCode *code, PsPtxNativeCall *call);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxNativeCode, ps_ptx_native_free)

G_END_DECLS
#endif
