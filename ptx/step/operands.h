/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots of operands. A slot is made for everything that the code uses: registers, immediates and
 * addresses (equal ones share a slot), special registers.
 */
#ifndef PIPESIM_PTX_STEP_OPERANDS_H
#define PIPESIM_PTX_STEP_OPERANDS_H

#include "ptx/step/step.h"

G_BEGIN_DECLS

/* A slot that no step writes. */
typedef struct {
    guint slot;
    gboolean special;
    gboolean shared; /* an address in the group's own shared memory */
    guint64 value;   /* or the PsPtxSpecial */
} PsPtxFixed;

/* Prepares a value before a step that reads !p, -r or a clock. */
typedef enum { PS_PTX_NOT, PS_PTX_NEGATE, PS_PTX_READ_CLOCK } PsPtxBeforeKind;
typedef struct {
    PsPtxBeforeKind kind;
    guint to, from;
    guint bytes;
    PsPtxSpecial clock;
} PsPtxBefore;
/* The state with which a kernel's steps are decoded. */
struct PsPtxDecoder {
    const PsPtxCode *code;             /* borrowed */
    GHashTable *addresses;             /* PsPtxVariable of the module -> its address; borrowed */
    guint n_slots;                     /* that were made */
    GArray *fixed;                     /* PsPtxFixed */
    guint *slot_of;                    /* register of the code -> slot + 1 */
    GHashTable *constants;             /* value (gint64 *) -> slot + 1 */
    GHashTable *places;                /* the same of addresses in shared memory */
    guint specials[PS_PTX_N_SPECIALS]; /* slot + 1 */
    guint sink;                        /* slot + 1 */
    GArray *before;                    /* PsPtxBefore of the present step */
    GHashTable *families;              /* PsPtxMnemonic -> number of its family */
};

/* A decoder of the code, with nothing decoded. Free with ps_ptx_decoder_free. */
struct PsPtxDecoder *ps_ptx_decoder_new(const PsPtxCode *code, GHashTable *addresses);
void ps_ptx_decoder_free(struct PsPtxDecoder *decoder);

guint ps_ptx_register_slot(struct PsPtxDecoder *decoder, guint reg);

/* Appends n registers of the code, from number first on, to the step's sources or destinations. */
gboolean ps_ptx_decode_registers(PsPtxDecode *decode, PsPtxStep *step, guint first, guint n,
                                 gboolean destination);
/* Decodes operands 0 and 1, two addresses: sources 0 and 1 are their bases. step->offset is how far
 * the first address is behind its base, step->more (a gint64) how far the second is. TRUE if it
 * could. */
gboolean ps_ptx_decode_two_addresses(PsPtxDecode *decode, PsPtxStep *step);
/* Makes the registers of an operand {...}, of any number, the slots that the step reads and writes.
 */
gboolean ps_ptx_decode_both(PsPtxDecode *decode, PsPtxStep *step, guint operand);
/* Appends the slots of an operand to the step's sources. */
gboolean ps_ptx_decode_value(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperand *operand,
                             PsPtxType type);

G_END_DECLS
#endif
