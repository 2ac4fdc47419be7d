/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How instructions are executed. Each point of the code is decoded once into a step: a function
 * for its opcode, types and modifiers, and the slots of its operands. A warp's registers are slots
 * of 32 lanes of 64 bits. Values of fewer bits are kept with zeros above (a .s32 of -1 is
 * 0xffffffff), a predicate is 0 or 1, a vector is as many slots. Immediates, addresses of variables
 * and special registers are slots, too, written once per warp: so a function never asks what an
 * operand is. Registers that are not needed at the same time may share a slot (rows.c).
 *
 * The families of instructions are in ptx/alu/ (what computes) and ptx/run/ (control,
 * memory, barriers). Each family decodes its opcodes; decode.c lists them.
 */
#ifndef PIPESIM_PTX_STEP_STEP_H
#define PIPESIM_PTX_STEP_STEP_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

#define PS_PTX_LANES 32
#define PS_PTX_MAX_TO 8    /* destinations of a step: a vector of 8 */
#define PS_PTX_MAX_FROM 24 /* sources: mma has four fragments of up to 8, and more */

typedef struct PsPtxWarp PsPtxWarp;
typedef struct PsPtxStep PsPtxStep;

/* The ways that exactly rounded divisions, reciprocals and roots can take. */
typedef enum {
    PS_PTX_WAY_SHORT,   /* no subroutine: usual operands */
    PS_PTX_WAY_SPECIAL, /* the subroutine's quick way: zeros, infinities and the like */
    PS_PTX_WAY_SCALED,  /* the subroutine's long way: very large or small numbers, which are scaled
                           first */
    PS_PTX_N_WAYS
} PsPtxWay;

/* Counts of the executions that had any lane. */
typedef struct {
    guint64 skipped; /* it was skipped, since the executor does not know how to execute it */
    guint64 ways[PS_PTX_N_WAYS]; /* by the longest way (PsPtxWay) that any of its lanes took */
} PsPtxTally;

/* Executes a step for the lanes of mask (never none). */
typedef void (*PsPtxExecute)(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);

struct PsPtxStep {
    PsPtxExecute execute; /* NULL: nothing to do (pragma, prefetch) */
    guint point;
    guint straight; /* so many steps from this one on only compute, one after the other, for all
                       lanes that come to this one; 0: this one does more */
    guint plain;    /* the number of them without a guard, before the first with one */
    gboolean alone; /* no lane reads what is another's, and all that are not masked out write all
                       destinations */
    gint32 guard;   /* slot, or -1 */
    gboolean guard_negated;
    gboolean watched; /* the guard may be what nobody wrote (watch.h) */
    guint n_to, n_from;
    guint to[PS_PTX_MAX_TO]; /* slots; a sink (_) has one that is never read */
    guint from[PS_PTX_MAX_FROM];
    guint n_both;
    guint *both;     /* further slots that are read and written; freed with g_free */
    PsPtxType type;  /* used as its family likes: usually the mnemonic's first type, that of the
                        result ... */
    PsPtxType type2; /* ... and the second one, that of the sources */
    guint kind;      /* as its family uses it: which operation, rounding, ... */
    guint flags;     /* the family's */
    guint vector;    /* elements of a memory access */
    PsPtxSpace space;
    gint64 offset;     /* of an address [reg+offset]; its base is a source, or there is none */
    gpointer more;     /* as its family uses it; freed with g_free */
    PsPtxTally *tally; /* freed with g_free; NULL: nothing is counted */
};

/* The part of a warp that every function may use. The rest of it is private to ptx/run/
 * (warp.h). */
struct PsPtxWarp {
    guint64 (*slots)[PS_PTX_LANES];
    const PsPtxStep *steps;
    guint number;    /* in its group */
    guint32 threads; /* lanes that exist: the last warp of a group may have fewer than 32 */
    guint32 active;  /* lanes at the present point (guard not applied) */
    guint32 carry;   /* the lanes' carry flags (add.cc, addc, ...); 0 at the start */
    GError *error;   /* set by ps_ptx_fail: the run ends after the step */
};

/* ---- decoding ------------------------------------------------------------------------------ */

/* The vectors of the processor that operations have variants for (ptx/step/lane.h). */
typedef enum { PS_PTX_PLAIN, PS_PTX_AVX2, PS_PTX_N_VECTORS } PsPtxVectors;

/* What a family decodes with; filled in by decode.c. */
typedef struct {
    const PsPtxCode *code;
    const PsPtxPoint *point;
    const PsPtxInstruction *instruction;
    const PsPtxMnemonic *mnemonic;
    struct PsPtxDecoder *decoder;
    PsPtxVectors vectors; /* for which variants are taken */
    gboolean textures;    /* the launch has what their handles stand for */
    gboolean no_products; /* nobody wants what products of tensor cores come to */
} PsPtxDecode;

/* Slots of an operand: its register, or a slot that holds its value as `type` (an immediate is
 * converted: 1.0 for .f32 becomes single bits, -1 for .u16 0xffff). A vector appends its members;
 * an address appends its base, and sets step->offset (without a register the base is a slot with
 * the variable's address, or 0). What is negated (!p, -r) gives a slot that is negated before the
 * step. TRUE if it could. */
gboolean ps_ptx_decode_from(PsPtxDecode *decode, PsPtxStep *step, guint operand, PsPtxType type);
gboolean ps_ptx_decode_to(PsPtxDecode *decode, PsPtxStep *step, guint operand);

/* All operands from number `first` on are sources of that type. */
gboolean ps_ptx_decode_rest(PsPtxDecode *decode, PsPtxStep *step, guint first, PsPtxType type);

/* The usual form: operand 0 (and 1, if written p|q) is the destination, the others are sources of
 * that type. */
gboolean ps_ptx_decode_usual(PsPtxDecode *decode, PsPtxStep *step, PsPtxType type);

/* One opcode of a family, and the function that decodes it, which returns FALSE if it cannot
 * execute these operands. */
typedef struct {
    const char *opcode;
    gboolean (*decode)(PsPtxDecode *decode, PsPtxStep *step);
} PsPtxOpcode;

/* The entry of the instruction's opcode in a table of n; NULL: the table does not have it. */
const PsPtxOpcode *ps_ptx_find_opcode(const PsPtxDecode *decode, const PsPtxOpcode *table, gsize n);

/* Decodes with such a table for a whole family: FALSE if the table does not have the opcode.
 * *unsupported (g_free) names what cannot be executed. */
gboolean ps_ptx_decode_by(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOpcode *table, gsize n,
                          char **unsupported);

/* For instructions that need no execution. */
gboolean ps_ptx_decode_nothing(PsPtxDecode *decode, PsPtxStep *step);

/* A family: TRUE if the opcode is one of its own. Then it has filled in the step, or left execute
 * NULL and returned in *unsupported a text (g_free) that names what it cannot do (unknown.c). */
typedef gboolean (*PsPtxFamily)(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

G_END_DECLS
#endif
