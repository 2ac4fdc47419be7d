/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the translation share: code.c goes through a kernel, expand.c fills in a row's
 * text, value.c translates operands, constant.c the contents of constant banks; all of them write
 * PTX with tell.c.
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
    GString *start, *body; /* PTX: instructions before the kernel's first, and all others */
    GArray *first_origins; /* PsSassOrigin, of `start` */
    GArray *origins;       /* ... of `body` */
    GHashTable *constants; /* names of the registers that `start` sets */
    GArray *uses;          /* PsSassUse */
    GArray *edges;         /* PsSassEdge */
    GPtrArray *warnings;   /* texts */
    GHashTable *warned;    /* opcodes that a warning was about */
    GError **error;
    guint copy; /* number of the copy of a subroutine that is being translated; 0: the kernel itself
                 */
    /* the machine instruction that is being translated */
    guint number;
    const PsSassInstruction *instruction;
    char **parts; /* its opcode and modifiers */
    char *guard;  /* of PTX: "@!%p0 ", or "" */
    PsSassUse *use;
    GString *behind; /* PTX that comes after its own */
    guint n_behind;
    guint wanted;      /* which of eight words a load has registers for: a bit each, the first's the
                          lowest */
    guint temporaries; /* number of the next free temporary register; rows use the lower ones
                          themselves */
} PsSassTeller;

/* ---- tell.c --------------------------------------------------------------------------------- */

/* TRUE if the instruction's opcode has the modifier. */
gboolean ps_sass_has(const PsSassTeller *teller, const char *modifier);

/* Appends an instruction of PTX to the body; `format` has neither guard nor semicolon. `stands`:
 * the graph's node is made of it. */
void ps_sass_say(PsSassTeller *teller, gboolean stands, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The same, for all lanes, whatever the machine instruction's guard. */
void ps_sass_say_to_all(PsSassTeller *teller, gboolean stands, const char *text);

/* Notes that the next instruction of PTX comes from the present machine instruction; `stands` as in
 * ps_sass_say, which does this itself. */
void ps_sass_add_origin(PsSassTeller *teller, gboolean stands);

/* Notes that the instruction reads a register; `address`: as part of an address. */
void ps_sass_reads(PsSassTeller *teller, guint reg, gboolean address);

/* The label of the instruction at an offset, for branches. g_free. */
char *ps_sass_label(const PsSassTeller *teller, gint64 target);

/* ---- the others ----------------------------------------------------------------------------- */

/* value.c: appends the PTX of an operand, which `letter` of the row's shape tells how to read;
 * instructions that prepare it are written first. */
void ps_sass_value(PsSassTeller *teller, GString *text, char letter, const PsSassOperand *operand);

/* constant.c: the register (g_free) that holds the 4 or 8 bytes at that offset of a constant bank;
 * `start` sets it when it is first asked for. */
char *ps_sass_constant(PsSassTeller *teller, guint bank, gint64 offset, guint bytes);

/* The relocated address that 8 bytes of a bank hold; NULL: they hold none. */
const PsSassAddress *ps_sass_address_at(const PsSassImage *image, guint bank, gint64 offset);
/* The address in PTX (g_free): a number, or a variable's name and what is added. */
char *ps_sass_address_text(const PsSassImage *image, const PsSassAddress *address);

/* Loads from a constant bank at an address that a register is part of: writes one load for each
 * destination in `to`, of 4 bytes each. */
void ps_sass_load_constant(PsSassTeller *teller, const PsSassOperand *operand, char *const *to,
                           guint n);

/* Appends variables of the module (global and constant memory) and of the kernel. */
void ps_sass_declare(const PsSassTeller *teller, GString *text);

/* The PTX of a special register; NULL: nobody knows it. */
const char *ps_sass_special(const PsSassTeller *teller, const char *name);

/* callee.c: the functions that a register may call (guint32): offsets of subroutines, and numbers
 * of functions outside the file. */
GArray *ps_sass_callees(const PsSassTeller *teller);
/* The number that stands for the address of a function outside; `address` is an element of the
 * image's addresses. */
guint32 ps_sass_outside(const PsSassImage *image, const PsSassAddress *address);
gboolean ps_sass_is_outside(guint32 callee);
/* The offset in the code of one that is no function of the driver. */
guint64 ps_sass_callee_at(const PsSassTeller *teller, guint32 callee);
/* Copies the register that a call names, before it is called. Lanes that call none of `callees`
 * come to a trap. Calls within others have their own copies, by `depth`. */
void ps_sass_note_callee(PsSassTeller *teller, const PsSassOperand *callee, guint depth,
                         const GArray *callees);
/* Begins the code for lanes that call this function. */
void ps_sass_guard_callee(PsSassTeller *teller, guint depth, guint32 callee);
/* Calls a function outside: as with PTX it does nothing, and its result is 0; or it ends the
 * kernel. */
void ps_sass_call_outside(PsSassTeller *teller, guint32 callee);
/* The message for a call that names nothing: what it calls was compiled apart, and cannot be
 * told. */
char *ps_sass_call_apart(const PsSassTeller *teller);
/* TRUE if the present instruction calls what is not in the kernel's code. */
gboolean ps_sass_is_apart(const PsSassTeller *teller);
/* Tells a call of a function of the driver by its name, or of the compiler's own one that is a
 * barrier of the group. FALSE: it is none. */
gboolean ps_sass_call_named(PsSassTeller *teller);
/* Declares, in PTX, the outside functions that the image or the kernel names. */
void ps_sass_declare_outside(const PsSassTeller *teller, GString *text);
/* Makes the kernel, which is told behind these, the module's first function again. */
void ps_sass_put_kernel_first(PsPtxModule *module);

/* expand.c: writes the PTX of a row, with the instruction's operands. */
void ps_sass_expand(PsSassTeller *teller, const PsSassRow *row, const GArray *operands,
                    const guint *at);

/* product.c: writes a product of a warpgroup. */
void ps_sass_say_product(PsSassTeller *teller, const GArray *operands);

/* tensor.c: writes a copy by a tensor map. */
void ps_sass_say_tensor(PsSassTeller *teller, const GArray *operands);

/* texture.c: writes a look-up in a texture, or an access to a surface. */
void ps_sass_say_texture(PsSassTeller *teller, const GArray *operands);

/* work.c: sets what the instruction counts as; use->moves is set. */
void ps_sass_count(PsSassTeller *teller, const PsSassRow *row, const GArray *operands,
                   const guint *at);

/* outline.c: appends the kernel's parameters, called like those of `named` (or NULL). */
void ps_sass_append_params(const PsSassKernel *kernel, const PsPtxFunction *named, GString *text);

/* outline.c: appends how many threads its groups may have. */
void ps_sass_append_limits(const PsSassKernel *kernel, GString *text);

G_END_DECLS
#endif
