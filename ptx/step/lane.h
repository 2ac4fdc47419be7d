/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions for a step's 32 lanes, made from an expression for one. A lane that is masked out is
 * computed like the others and its result dropped: no expression may trap, and a plain loop over a
 * buffer that aliases nothing is one that compilers vectorise.
 *
 * Most instructions are an entry in a table: the mnemonic as it is written, the function, and the
 * types of the sources.
 */
#ifndef PIPESIM_PTX_STEP_LANE_H
#define PIPESIM_PTX_STEP_LANE_H

#include "ptx/step/step.h"
#include <string.h>

G_BEGIN_DECLS

/* A loop over lanes. No lane reads what another one writes: a result has the slot of a source, or
 * one of its own. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* not every expression has vectors */
#define PS_PTX_EACH_LANE                                                                           \
    _Pragma("clang loop vectorize(assume_safety)") for (guint lane = 0; lane < PS_PTX_LANES; lane++)
#else
#define PS_PTX_EACH_LANE _Pragma("GCC ivdep") for (guint lane = 0; lane < PS_PTX_LANES; lane++)
#endif

/* A loop over lanes that has no vectors. */
#ifdef __clang__
#define PS_PTX_EACH_LANE_ALONE _Pragma("unroll 8") for (guint lane = 0; lane < PS_PTX_LANES; lane++)
#else
#define PS_PTX_EACH_LANE_ALONE                                                                     \
    _Pragma("GCC unroll 8") for (guint lane = 0; lane < PS_PTX_LANES; lane++)
#endif

/* What __attribute__ takes to compile for processors with these instructions: PS_PTX_AVX2 of a
 * function's variants. Elsewhere the variants are the same. */
#ifdef __x86_64__
#define PS_PTX_FOR_AVX2 (target("avx2,fma"))
#else
#define PS_PTX_FOR_AVX2 ()
#endif

#define PS_PTX_INLINE static inline __attribute__((always_inline))

/* Writes the lanes of mask. */
PS_PTX_INLINE void ps_ptx_give(PsPtxWarp *warp, guint slot, const guint64 value[PS_PTX_LANES],
                               guint32 mask)
{
    guint64 *to = warp->slots[slot];
    if (mask == G_MAXUINT32) {
        PS_PTX_EACH_LANE to[lane] = value[lane];
        return;
    }
#define PS_PTX_BITS(N) (N), (N) << 1, (N) << 2, (N) << 3, (N) << 4, (N) << 5, (N) << 6, (N) << 7
    static const guint64 bit[PS_PTX_LANES] = {PS_PTX_BITS(1ULL), PS_PTX_BITS(1ULL << 8),
                                              PS_PTX_BITS(1ULL << 16), PS_PTX_BITS(1ULL << 24)};
    PS_PTX_EACH_LANE to[lane] = (mask & bit[lane]) != 0 ? value[lane] : to[lane];
}

/* Lanes of source number `which`. */
static inline const guint64 *ps_ptx_source(const PsPtxWarp *warp, const PsPtxStep *step,
                                           guint which)
{
    return warp->slots[step->from[which]];
}

/* Computes all lanes of a result from those of three sources, which not every operation reads. */
typedef void (*PsPtxCompute)(guint64 *to, const guint64 *a, const guint64 *b, const guint64 *c);

/* An operation, in the variants of PsPtxVectors: as a step, and by itself. */
typedef struct {
    PsPtxExecute execute[PS_PTX_N_VECTORS];
    PsPtxCompute compute[PS_PTX_N_VECTORS];
} PsPtxOperation;

PS_PTX_INLINE void ps_ptx_compute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                                  PsPtxCompute compute)
{
    guint64 result[PS_PTX_LANES];
    guint64 *to = mask == G_MAXUINT32 ? warp->slots[step->to[0]] : result;
    compute(to, ps_ptx_source(warp, step, 0), ps_ptx_source(warp, step, 1),
            ps_ptx_source(warp, step, 2));
    if (mask != G_MAXUINT32)
        ps_ptx_give(warp, step->to[0], result, mask);
}

/* The lanes of an operation NAME for one kind of vectors, and the step. */
#define PS_PTX_VARIANT(NAME, FOR, RESULT, TYPE, EXPRESSION)                                        \
    __attribute__(FOR) PS_PTX_INLINE void NAME##_lanes(                                            \
        guint64 *to, const guint64 *from_a, const guint64 *from_b, const guint64 *from_c)          \
    {                                                                                              \
        PS_PTX_EACH_LANE                                                                           \
        {                                                                                          \
            TYPE a = (TYPE)from_a[lane];                                                           \
            TYPE b = (TYPE)from_b[lane];                                                           \
            TYPE c = (TYPE)from_c[lane];                                                           \
            (void)a, (void)b, (void)c;                                                             \
            to[lane] = (RESULT)(EXPRESSION);                                                       \
        }                                                                                          \
    }                                                                                              \
    __attribute__(FOR) static void NAME##_step(PsPtxWarp *warp, const PsPtxStep *step,             \
                                               guint32 mask)                                       \
    {                                                                                              \
        ps_ptx_compute(warp, step, mask, NAME##_lanes);                                            \
    }                                                                                              \
    __attribute__(FOR) static void NAME##_compute(guint64 *to, const guint64 *a, const guint64 *b, \
                                                  const guint64 *c)                                \
    {                                                                                              \
        NAME##_lanes(to, a, b, c);                                                                 \
    }

/* The PsPtxOperation NAME with sources a, b and c of TYPE. RESULT is an unsigned type of the
 * result's size, so that the bits above it become zeros. AVX2 is the expression where such a
 * processor has an instruction for what takes several. */
#define PS_PTX_OPERATION(NAME, RESULT, TYPE, EXPRESSION, AVX2)                                     \
    PS_PTX_VARIANT(NAME##_plain, (), RESULT, TYPE, EXPRESSION)                                     \
    PS_PTX_VARIANT(NAME##_avx2, PS_PTX_FOR_AVX2, RESULT, TYPE, AVX2)                               \
    static const PsPtxOperation NAME[1] = {                                                        \
        {{NAME##_plain_step, NAME##_avx2_step}, {NAME##_plain_compute, NAME##_avx2_compute}}};

/* The same of an expression with one, two or three sources. */
#define PS_PTX_EACH_1(NAME, RESULT, TYPE, EXPRESSION)                                              \
    PS_PTX_OPERATION(NAME, RESULT, TYPE, EXPRESSION, EXPRESSION)
#define PS_PTX_EACH_2(NAME, RESULT, TYPE, EXPRESSION)                                              \
    PS_PTX_OPERATION(NAME, RESULT, TYPE, EXPRESSION, EXPRESSION)
#define PS_PTX_EACH_3(NAME, RESULT, TYPE, EXPRESSION)                                              \
    PS_PTX_OPERATION(NAME, RESULT, TYPE, EXPRESSION, EXPRESSION)

/* Types of an entry's sources; one that is missing is like the source's before it. */
#define PS_PTX_ENTRY_TYPES 4

typedef struct {
    const char *text; /* the mnemonic, whole */
    const PsPtxOperation *operation;
    guint n_from;
    PsPtxType types[PS_PTX_ENTRY_TYPES];
} PsPtxEntry;

/* The entry's operation, if it is a function that has no variants. */
#define PS_PTX_ALONE(EXECUTE)                                                                      \
    &(const PsPtxOperation)                                                                        \
    {                                                                                              \
        {EXECUTE, EXECUTE},                                                                        \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }

/* Makes the step execute the operation. */
void ps_ptx_operate(const PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperation *operation);

/* If the table has the instruction, decodes it and returns TRUE; sets *unsupported if the operands
 * cannot belong to it. */
gboolean ps_ptx_entry(const PsPtxEntry *table, guint n, PsPtxDecode *decode, PsPtxStep *step,
                      char **unsupported);

/* Decodes destinations, and sources of these types (the last for all that follow). */
gboolean ps_ptx_decode_typed(PsPtxDecode *decode, PsPtxStep *step, const PsPtxType *types,
                             guint n_types);

/* For an instruction of the family that cannot be executed: sets *unsupported, and returns TRUE, as
 * a family does. */
gboolean ps_ptx_cannot(const PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

/* TRUE if the instruction has that many operands, counted as PTX writes them. */
gboolean ps_ptx_operands(const PsPtxDecode *decode, guint least, guint most);

/* TRUE if the opcode is one of the texts; the last is NULL. */
gboolean ps_ptx_opcode_in(const PsPtxDecode *decode, const char *const *opcodes);

G_END_DECLS
#endif
