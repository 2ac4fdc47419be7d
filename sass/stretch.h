/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel's machine code on its way to PTX: the part that is being written, and the targets and
 * ends of its code. */
#ifndef PIPESIM_SASS_STRETCH_H
#define PIPESIM_SASS_STRETCH_H

#include "sass/tell.h"

G_BEGIN_DECLS

/* A range of code that is being translated: the kernel's own code, or a copy of a subroutine. */
typedef struct {
    guint copy;
    guint64 from, to; /* offsets */
    guint caller;     /* instruction */
} PsSassStretch;

typedef struct {
    PsSassTeller teller;
    GArray *open; /* PsSassStretch: the kernel, the subroutine that it calls, and so on */
    guint copies;
    GHashTable *targets; /* offsets of instructions that branches go to */
} PsSassTelling;

/* Sets the teller's error: the kernel, where in it the present instruction is, and that text.
 * Returns FALSE. */
gboolean ps_sass_refuse(const PsSassTelling *telling, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Notes that the present instruction may go on at that offset. */
void ps_sass_add_edge(PsSassTeller *teller, guint64 target);

/* TRUE if an instruction begins at the offset. */
gboolean ps_sass_is_place(const PsSassTeller *teller, guint64 offset);

/* Notes the targets of branches. FALSE and the teller's error: one leaves the code. */
gboolean ps_sass_find_targets(PsSassTelling *telling);

/* The offset where the subroutine that begins at `start` ends: at the begin of the next one. */
guint64 ps_sass_end_of_subroutine(const PsSassTeller *teller, guint64 start);

/* The offset where the code before `end` ends, without the instructions that only fill the section.
 * An endless loop of the kernel's own may be a branch to itself, too, which others reach. */
guint64 ps_sass_end_of_code(const PsSassTeller *teller, guint64 end);

/* The offset where the kernel's own code ends: at the first subroutine, or at the instructions that
 * only fill the section. */
guint64 ps_sass_end_of_kernel(const PsSassTeller *teller);

/* Writes that range as PTX, with each call expanded. FALSE and the teller's error: a call or a
 * branch that cannot be followed. */
gboolean ps_sass_tell_stretch(PsSassTelling *telling, PsSassStretch stretch);

G_END_DECLS
#endif
