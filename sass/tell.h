/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts that tell machine code in PTX share: code.c goes through a kernel, expand.c fills
 * a row's text in, value.c says what an operand is, constant.c what the launch and the program have
 * in constant banks; all of them say PTX with tell.c.
 */
#ifndef PIPESIM_SASS_TELL_H
#define PIPESIM_SASS_TELL_H

#include "sass/table.h"

G_BEGIN_DECLS

typedef struct {
    const PsSassImage *image;
    const PsSassKernel *kernel;
    const PsPtxFunction *named; /* or NULL */
    const PsSassListing *listing;
    GString *start, *body; /* instructions that come first, and the others */
    GArray *first_origins; /* PsSassOrigin, of `start` */
    GArray *origins;       /* ... of `body` */
    GHashTable *constants; /* names of registers that `start` fills */
    GArray *uses;          /* PsSassUse */
    GPtrArray *warnings;   /* texts */
    GHashTable *warned;    /* opcodes */
    GError **error;
    guint copy; /* of a subroutine, which the present instruction is in; 0: the kernel itself */
    /* the present instruction */
    guint number;
    const PsSassInstruction *instruction;
    char **parts; /* its opcode and modifiers */
    char *guard;  /* "@!%p0 ", or "" */
    PsSassUse *use;
    GString *behind; /* instructions that come after it */
    guint n_behind;
    guint temporaries; /* numbers that are taken beside those in rows */
} PsSassTeller;

/* ---- tell.c --------------------------------------------------------------------------------- */

/* TRUE if the instruction's opcode has the modifier. */
gboolean ps_sass_has(const PsSassTeller *teller, const char *modifier);

/* Appends an instruction of PTX to the body, without guard or semicolon. */
void ps_sass_say(PsSassTeller *teller, gboolean stands, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Notes which instruction of machine code the next one of PTX is of; it stands for it in the graph
 * if `stands`. ps_sass_say does so itself. */
void ps_sass_add_origin(PsSassTeller *teller, gboolean stands);

/* Notes a register that the instruction reads; `address`: as part of an address. */
void ps_sass_reads(PsSassTeller *teller, guint reg, gboolean address);

/* The label of the instruction at an offset, for branches. g_free. */
char *ps_sass_label(const PsSassTeller *teller, gint64 target);

/* ---- the others ----------------------------------------------------------------------------- */

/* value.c: appends what a row's operand is in PTX, after saying what must be done before. */
void ps_sass_value(PsSassTeller *teller, GString *text, char letter, const PsSassOperand *operand);

/* constant.c: the register, made where it is first asked for, that has the 4 or 8 bytes of a
 * constant bank at that offset (g_free). */
char *ps_sass_constant(PsSassTeller *teller, guint bank, gint64 offset, guint bytes);

/* A constant at a place that a register adds to: says the loads into the destinations, a text for
 * each 4 bytes. */
void ps_sass_load_constant(PsSassTeller *teller, const PsSassOperand *operand, char *const *to,
                           guint n);

/* Appends variables of the module (global and constant memory) and of the kernel. */
void ps_sass_declare(const PsSassTeller *teller, GString *text);

/* PTX that a special register is, of so many bytes. */
const char *ps_sass_special(PsSassTeller *teller, const char *name);

/* expand.c: says a row with the instruction's operands. */
void ps_sass_expand(PsSassTeller *teller, const PsSassRow *row, const GArray *operands,
                    const guint *at);

/* outline.c: appends the kernel's parameters, called like those of `named` (or NULL). */
void ps_sass_append_params(const PsSassKernel *kernel, const PsPtxFunction *named, GString *text);

G_END_DECLS
#endif
