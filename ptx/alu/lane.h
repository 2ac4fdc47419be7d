/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions for a step's 32 lanes, made from an expression for one. A lane that is masked out is
 * computed like the others and its result dropped: no expression may trap, and a plain loop over a
 * buffer that aliases nothing is one that compilers vectorise.
 *
 * Most instructions are an entry in a table: the mnemonic as it is written, the function, and the
 * types of the sources.
 */
#ifndef PIPESIM_PTX_ALU_LANE_H
#define PIPESIM_PTX_ALU_LANE_H

#include "ptx/run/step.h"
#include <string.h>

G_BEGIN_DECLS

/* Writes the lanes of mask. */
static inline void ps_ptx_give(PsPtxWarp *warp, guint slot, const guint64 value[PS_PTX_LANES],
                               guint32 mask)
{
    guint64 *to = warp->slots[slot];
    if (mask == G_MAXUINT32) {
        memcpy(to, value, sizeof warp->slots[slot]);
        return;
    }
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            to[lane] = value[lane];
}

/* Lanes of source number `which`. */
static inline const guint64 *ps_ptx_source(const PsPtxWarp *warp, const PsPtxStep *step,
                                           guint which)
{
    return warp->slots[step->from[which]];
}

/* A PsPtxExecute called NAME with one, two or three sources a, b and c of TYPE. RESULT is an
 * unsigned type of the result's size, so that the bits above it become zeros. */
#define PS_PTX_EACH_1(NAME, RESULT, TYPE, EXPRESSION)                                              \
    static void NAME(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)                         \
    {                                                                                              \
        const guint64 *from_a = ps_ptx_source(warp, step, 0);                                      \
        guint64 result[PS_PTX_LANES];                                                              \
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {                                        \
            TYPE a = (TYPE)from_a[lane];                                                           \
            result[lane] = (RESULT)(EXPRESSION);                                                   \
        }                                                                                          \
        ps_ptx_give(warp, step->to[0], result, mask);                                              \
    }

#define PS_PTX_EACH_2(NAME, RESULT, TYPE, EXPRESSION)                                              \
    static void NAME(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)                         \
    {                                                                                              \
        const guint64 *from_a = ps_ptx_source(warp, step, 0);                                      \
        const guint64 *from_b = ps_ptx_source(warp, step, 1);                                      \
        guint64 result[PS_PTX_LANES];                                                              \
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {                                        \
            TYPE a = (TYPE)from_a[lane];                                                           \
            TYPE b = (TYPE)from_b[lane];                                                           \
            result[lane] = (RESULT)(EXPRESSION);                                                   \
        }                                                                                          \
        ps_ptx_give(warp, step->to[0], result, mask);                                              \
    }

#define PS_PTX_EACH_3(NAME, RESULT, TYPE, EXPRESSION)                                              \
    static void NAME(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)                         \
    {                                                                                              \
        const guint64 *from_a = ps_ptx_source(warp, step, 0);                                      \
        const guint64 *from_b = ps_ptx_source(warp, step, 1);                                      \
        const guint64 *from_c = ps_ptx_source(warp, step, 2);                                      \
        guint64 result[PS_PTX_LANES];                                                              \
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {                                        \
            TYPE a = (TYPE)from_a[lane];                                                           \
            TYPE b = (TYPE)from_b[lane];                                                           \
            TYPE c = (TYPE)from_c[lane];                                                           \
            result[lane] = (RESULT)(EXPRESSION);                                                   \
        }                                                                                          \
        ps_ptx_give(warp, step->to[0], result, mask);                                              \
    }

/* Types of an entry's sources; one that is missing is like the source's before it. */
#define PS_PTX_ENTRY_TYPES 4

typedef struct {
    const char *text; /* the mnemonic, whole */
    PsPtxExecute execute;
    guint n_from;
    PsPtxType types[PS_PTX_ENTRY_TYPES];
} PsPtxEntry;

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
