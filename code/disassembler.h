/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvdisasm, which lists machine code: one kernel, or several in one run, since a run takes half a
 * second before it lists anything. Listings are kept.
 */
#ifndef PIPESIM_CODE_DISASSEMBLER_H
#define PIPESIM_CODE_DISASSEMBLER_H

#include "code/machine.h"
#include "sass/listing.h"

/* The path of the nvdisasm that lists code for that chip (g_free), as far as known; the first, for
 * a chip that all of CUDA 12 and 13 list. NULL: there is none. */
char *ps_disassembler_for(const PsCodeOptions *options, guint architecture);

/* The path of an nvdisasm for any chip (g_free). NULL and *error: there is none. */
char *ps_disassembler_find(const PsMachineCodeOf *of, guint architecture, GError **error);

/* The kernel's listing, kept or made now. NULL and *error. */
PsSassListing *ps_disassemble(const PsMachineCodeOf *of, const PsSassImage *image,
                              const PsSassKernel *kernel, GError **error);

/* An empty set of kernels to list together (ps_disassembly_free). */
PsDisassembly *ps_disassembly_new(void);
void ps_disassembly_free(PsDisassembly *work);

/* Adds the image's kernel of that name, unless its listing is kept, or it is large: then it is
 * listed by ps_disassemble, as without this. The images are taken over (g_ptr_array_unref); the
 * options must stay until the work is done. */
void ps_disassembly_add(PsDisassembly *work, const PsMachineCodeOf *of, GPtrArray *images);

/* Lists the kernels, and keeps the listings that can be read. A kernel that fails here is listed,
 * and its error told, by ps_disassemble. */
void ps_disassembly_run(PsDisassembly *work);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsDisassembly, ps_disassembly_free)

#endif
