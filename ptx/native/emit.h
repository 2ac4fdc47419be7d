/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the compiler share. A value is a vector of 32 integers of 1, 32 or 64 bits;
 * numbers are bits of them. A kept row is a variable of the function, which LLVM makes a register;
 * of the other rows the present segment knows the value, once it has read or written it.
 */
#ifndef PIPESIM_PTX_NATIVE_EMIT_H
#define PIPESIM_PTX_NATIVE_EMIT_H

#include "ptx/native/llvm.h"
#include "ptx/native/plan.h"

G_BEGIN_DECLS

typedef struct {
    PsLlvm llvm[1];
    gpointer context, module, builder;
    PsLlvmValue function;
    const PsNativePlan *plan;
    PsLlvmType bit, byte, word, wide; /* integers of 1, 8, 32 and 64 bits */
    PsLlvmType pointer;               /* to bytes */
    PsLlvmType step_type;
    gboolean stays;    /* kept rows stay in memory between segments */
    gboolean permutes; /* the processor permutes elements of 64 bytes by others */
    PsLlvmValue call;  /* the function's parameter, and members of it: */
    PsLlvmValue slots, last, looks, warp, mask, meet;
    PsLlvmValue lanes;                     /* the mask as a vector */
    PsLlvmValue active;                    /* the number of its lanes */
    PsLlvmValue budget, threads, accesses; /* variables */
    PsLlvmValue *rows;                     /* variables, by slot; NULL: it is not kept */
    PsLlvmValue *known;                    /* by slot: of others, what the segment knows */
    guint8 *dirty;                         /* ... which is not yet in memory */
    PsLlvmBlock *segments;                 /* by point */
    guint end;                             /* the point behind the present segment */
    /* the block of the present segment by which steps leave it, behind which values are watched, or
     * NULL; the kept slots that it writes, a set; and the variable of the point at which to go on
     */
    PsLlvmBlock watches;
    guint64 *watched;
    PsLlvmValue next;
    /* the present step: */
    const PsPtxStep *step;
    const PsPtxMnemonic *mnemonic;
    PsLlvmValue guard; /* lanes that execute it, a vector; NULL: all of `lanes` */
    PsLlvmValue on;    /* the same as an integer */
} PsNativeEmit;

/* An instruction of LLVM. */
#define PS_NATIVE_TWO(EMIT, WHAT, A, B) (EMIT)->llvm->Build##WHAT((EMIT)->builder, A, B, "")
#define PS_NATIVE_ONE(EMIT, WHAT, A, TYPE) (EMIT)->llvm->Build##WHAT((EMIT)->builder, A, TYPE, "")

/* ---- values.c ------------------------------------------------------------------------------- */

/* 32 of the type; of integers of so many bits; of singles or doubles; that type for integers. */
PsLlvmType ps_native_vector(const PsNativeEmit *emit, PsLlvmType of);
PsLlvmType ps_native_integers(const PsNativeEmit *emit, guint bits);
PsLlvmType ps_native_numbers(const PsNativeEmit *emit, guint bits);
PsLlvmValue ps_native_splat(const PsNativeEmit *emit, guint bits, guint64 value);
/* A value that is no constant, in all lanes. */
PsLlvmValue ps_native_spread(const PsNativeEmit *emit, PsLlvmValue value);
PsLlvmValue ps_native_word(const PsNativeEmit *emit, guint32 value);
PsLlvmValue ps_native_wide(const PsNativeEmit *emit, guint64 value);
/* Cuts a vector to so many bits, or puts zeros or signs before it. */
PsLlvmValue ps_native_fit(const PsNativeEmit *emit, PsLlvmValue value, guint from, guint to,
                          gboolean sign);
PsLlvmValue ps_native_choose(const PsNativeEmit *emit, PsLlvmValue which, PsLlvmValue a,
                             PsLlvmValue b);
PsLlvmValue ps_native_compare(const PsNativeEmit *emit, int how, PsLlvmValue a, PsLlvmValue b);
/* A call of one of LLVM's own functions, whose name has these types. */
PsLlvmValue ps_native_intrinsic(const PsNativeEmit *emit, const char *name, PsLlvmType *types,
                                guint n_types, PsLlvmValue *with, guint n);
/* A pointer so many bytes behind another. */
PsLlvmValue ps_native_at(const PsNativeEmit *emit, PsLlvmValue from, PsLlvmValue bytes);
PsLlvmValue ps_native_load(const PsNativeEmit *emit, PsLlvmType type, PsLlvmValue from,
                           guint64 offset);
PsLlvmValue ps_native_store(const PsNativeEmit *emit, PsLlvmValue value, PsLlvmValue to,
                            guint64 offset);
/* A vector under the mask; at a pointer to its first element, which may be at any address. */
PsLlvmValue ps_native_load_masked(const PsNativeEmit *emit, PsLlvmType vector, PsLlvmValue from,
                                  PsLlvmValue lanes);
void ps_native_store_masked(const PsNativeEmit *emit, PsLlvmValue value, PsLlvmValue to,
                            PsLlvmValue lanes, guint align);
PsLlvmBlock ps_native_block(const PsNativeEmit *emit, const char *name);
/* What follows goes to that block. */
void ps_native_begin(const PsNativeEmit *emit, PsLlvmBlock block);

/* ---- rows.c --------------------------------------------------------------------------------- */

/* The bits that a variable of the slot has; 0: it is not kept. */
guint ps_native_row_bits(const PsNativeEmit *emit, guint slot);
/* The slot's value, cut or with zeros. */
PsLlvmValue ps_native_get(PsNativeEmit *emit, guint slot, guint bits);
/* The value of source number `which`. */
PsLlvmValue ps_native_source(PsNativeEmit *emit, guint which, guint bits);
/* TRUE if source number `which` is the same constant in all lanes. */
gboolean ps_native_constant(const PsNativeEmit *emit, guint which, guint64 *value);
/* Makes a value of so many bits the slot's, in lanes that execute the step. */
void ps_native_put(PsNativeEmit *emit, guint slot, PsLlvmValue value, guint bits);
/* Reads the slot from memory; first writes there what only the function has of it. */
PsLlvmValue ps_native_fetch(const PsNativeEmit *emit, guint slot, guint bits);
void ps_native_flush(PsNativeEmit *emit, guint slot);
/* Counts the threads that execute the present step. */
void ps_native_count(const PsNativeEmit *emit);
/* Writes the rows that the segment has and that are read from that point on. */
void ps_native_flush_living(PsNativeEmit *emit, guint point);
/* Calls the present step, with its sources in memory. The function ends if the step fails, or
 * (`watches`) if its results have to be watched. */
void ps_native_call_step(PsNativeEmit *emit, gboolean watches);
/* Ends the block by which such steps of the present segment leave. */
void ps_native_end_watches(PsNativeEmit *emit);
/* Leaves the function before a point. */
void ps_native_leave(PsNativeEmit *emit, guint point);

/* ---- others --------------------------------------------------------------------------------- */

/* FALSE: it is none of these, or its form is not known here. */
gboolean ps_native_integer(PsNativeEmit *emit);
gboolean ps_native_quotient(PsNativeEmit *emit);
gboolean ps_native_number(PsNativeEmit *emit);
gboolean ps_native_conversion(PsNativeEmit *emit);
gboolean ps_native_bits(PsNativeEmit *emit);
gboolean ps_native_lanes(PsNativeEmit *emit);
void ps_native_access(PsNativeEmit *emit, gboolean reads);

/* TRUE if the mnemonic is `form` and one type behind it, which has no other parts. */
gboolean ps_native_is(const PsNativeEmit *emit, const char *form);

/* A subnormal single becomes a zero of its sign. */
PsLlvmValue ps_native_flushed(const PsNativeEmit *emit, PsLlvmValue bits);

/* The whole function. */
void ps_native_emit(PsNativeEmit *emit);

G_END_DECLS
#endif
