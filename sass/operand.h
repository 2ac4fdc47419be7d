/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operand of a machine instruction, as a listing writes it: -|R4|.reuse, c[0x0][0x160],
 * desc[UR4][R2.64+0x10], !UP0, 0x3f800000.
 */
#ifndef PIPESIM_SASS_OPERAND_H
#define PIPESIM_SASS_OPERAND_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    PS_SASS_REGISTER,          /* R5, RZ */
    PS_SASS_UNIFORM,           /* UR5, URZ */
    PS_SASS_PREDICATE,         /* P0, PT */
    PS_SASS_UNIFORM_PREDICATE, /* UP0, UPT */
    PS_SASS_NUMBER,            /* 0x10, 1.5, +INF: `text` */
    PS_SASS_CONSTANT,          /* c[bank][register+offset] */
    PS_SASS_ADDRESS,           /* [register+uniform+offset] */
    PS_SASS_OTHER              /* SR_TID.X, B0, SB0, a name: `text` */
} PsSassKind;

#define PS_SASS_ZERO (-1) /* RZ, URZ, PT, UPT, or no register at all */

typedef struct {
    PsSassKind kind;
    gboolean minus, absolute; /* -x, |x| */
    gboolean inverted;        /* ~x; !p */
    int reg;                  /* or PS_SASS_ZERO */
    char half;                /* '0': .H0_H0, '1': .H1_H1; 0: both as they are */
    char byte;                /* '0' to '3': .B0 to .B3; 0: all */
    gboolean single;          /* R11.F32: one single in place of two halves, or of two singles */
    gboolean pair;            /* R4.F32x2.HI_LO: two singles, in this register and the next ... */
    gboolean crossed;         /* ... .LO_HI: the next one's first */
    gboolean second_minus;    /* ... .NP: what `minus` says holds for the first alone */
    gboolean sign;            /* R5.SIGN, used as a predicate: TRUE if the register is negative */
    gboolean by_column;       /* R5.COL, of a matrix: its columns lie one after the other */
    gboolean narrow;          /* of an address: one register (R2.U32), not two */
    guint scale;              /* of an address: factor of the register, 4 in R2.X4; else 1 */
    int uniform; /* of an address: number of the uniform register that is added, or PS_SASS_ZERO */
    gboolean uniform_wide; /* ... which is a pair of registers */
    guint bank;
    gint64 value;     /* of a constant or an address: the offset; of a number: its integer */
    const char *text; /* the operand's whole text, borrowed from the list */
} PsSassOperand;

/* The operands in a text, in order. Their texts are borrowed from *kept (g_strfreev). Free with
 * g_array_unref. */
GArray *ps_sass_operands(const char *text, char ***kept);

static inline gboolean ps_sass_is_predicate(const PsSassOperand *operand)
{
    return operand->kind == PS_SASS_PREDICATE || operand->kind == PS_SASS_UNIFORM_PREDICATE;
}

G_END_DECLS
#endif
