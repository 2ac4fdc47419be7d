/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions that read each other's results, among executed points. In machine code a
 * register has the value of its last writer before, in the order of the code, so values from an
 * earlier iteration of a loop are taken to be those from before it. In PTX it has the values of all
 * writers that may reach it.
 */
#ifndef PIPESIM_LIFT_VALUES_STEPS_H
#define PIPESIM_LIFT_VALUES_STEPS_H

#include "lift/values/facts.h"

G_BEGIN_DECLS

#define PS_NO_STEP G_MAXUINT

/* The name of a divisor that has no name. */
#define PS_UNIFORM "what is the same in all threads"

typedef struct {
    guint point;
    const char *opcode; /* of machine code ("IADD3.X"); of PTX the mnemonic */
    char **operands;    /* of machine code, as the listing has them, without .reuse; else NULL */
    const char *name;   /* the class */
    gboolean guarded;  /* some lanes keep the register's former value: `from` has its writer, too */
    GArray *from, *to; /* guint, steps: the writers of what it reads, and the readers of what it
                          writes */
    guint whole;       /* the step with the result of the operation that it is a part of */
    gboolean shared;   /* it is a part of operations on several lines, so of none */
    const char *op, *by; /* of that step: as PsIdgItem has them; interned */
} PsCodeStep;

/* Steps in the order of their points (PsCodeStep, g_ptr_array_unref). */
GPtrArray *ps_steps_new(const PsFacts *facts);

static inline PsCodeStep *ps_step(const GPtrArray *steps, guint i)
{
    return (PsCodeStep *)steps->pdata[i];
}

/* TRUE if the opcode, up to a dot, is that one ("MUFU.RCP"). */
gboolean ps_step_is(const PsCodeStep *step, const char *opcode);

/* TRUE if an operand of machine code is written like that, or is that number. */
gboolean ps_step_has(const PsCodeStep *step, const char *operand);
gboolean ps_step_has_number(const PsCodeStep *step, float number);

/* The first step that it reads, or that reads it, with that opcode; PS_NO_STEP: none. */
guint ps_step_source(const GPtrArray *steps, guint i, const char *opcode);
guint ps_step_reader(const GPtrArray *steps, guint i, const char *opcode);

G_END_DECLS
#endif
