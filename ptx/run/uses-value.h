/* SPDX-License-Identifier: BSD-3-Clause */
/* Values with what they were made of, and arithmetic on these; see uses.c. */
#ifndef PIPESIM_PTX_RUN_USES_VALUE_H
#define PIPESIM_PTX_RUN_USES_VALUE_H

#include <glib.h>

/* A value. All bytes are compared, so its members have no gaps between them. */
typedef struct {
    guint64 params;  /* bit p: parameter p is in it as a number */
    guint64 bases;   /* bit p: it is an address that begins at parameter p */
    guint64 loaded;  /* bit p: it was loaded from memory that parameter p points to */
    gint64 step[3];  /* by how much it grows from a thread to the next one; 0: not, or not known */
    gint64 apart[3]; /* the same from a group to the next one */
    gint64 number;   /* of a constant */
    guint64 bytes;   /* of the variable that it is an address of, the largest that it may be */
    double times;    /* it is so many times its only parameter, plus a constant; 0: not known */
    guint8 threads;  /* bit d: a thread's place in its group is in it, in direction d */
    guint8 groups;   /* bit d: a group's place is */
    guint8 size;     /* 1 + d: it is the size of groups in that direction; 0: it is not */
    guint8 reached, constant;
    guint8 group;    /* it is a group's place alone */
    guint8 variable; /* it is an address of a variable */
    guint8 unused;
} PsUseValue;

static inline guint ps_use_place(const PsUseValue *value)
{
    return value->threads | value->groups;
}

/* The value of a register that may have one value or the other. */
PsUseValue ps_use_join(const PsUseValue *x, const PsUseValue *y);

/* The value of a result that was made of both in some way. */
PsUseValue ps_use_mix(const PsUseValue *x, const PsUseValue *y);

/* x plus y, or with times -1 x minus y. */
PsUseValue ps_use_add(const PsUseValue *x, const PsUseValue *y, gint64 times);
/* TRUE if they are made of different things, so that compilers may have written "or" to add bits
 * that do not meet. */
gboolean ps_use_apart(const PsUseValue *x, const PsUseValue *y);
PsUseValue ps_use_multiply(const PsUseValue *x, const PsUseValue *y);
PsUseValue ps_use_shift(const PsUseValue *x, const PsUseValue *by);

/* x divided by y, or by two to the power of y. */
PsUseValue ps_use_divide(const PsUseValue *x, const PsUseValue *y, gboolean shift);

/* x or y, as a flag says. */
PsUseValue ps_use_choose(const PsUseValue *x, const PsUseValue *y, const PsUseValue *flag);

#endif
