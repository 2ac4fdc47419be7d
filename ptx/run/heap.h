/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malloc and free in kernels. A heap is one buffer of global memory that has its own books, so a
 * copy, a comparison or a replacement of its bytes covers all that malloc knows. A buffer of zeros
 * is an empty heap.
 *
 * It has units of 16 bytes, and a byte of the books for each. At least one unit lies between two
 * pieces.
 */
#ifndef PIPESIM_PTX_RUN_HEAP_H
#define PIPESIM_PTX_RUN_HEAP_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

/* The address of a new piece of so many bytes, in global memory; 0: there is no room. A piece of no
 * bytes has an address. */
guint64 ps_ptx_heap_take(PsPtxMachine *machine, guint64 bytes);

/* Frees a piece; FALSE: no piece begins at the address. */
gboolean ps_ptx_heap_give_back(PsPtxMachine *machine, guint64 address);

/* TRUE if all these bytes of the heap belong to one piece. */
gboolean ps_ptx_heap_has(PsPtxMachine *machine, const PsPtxBuffer *heap, guint64 address,
                         guint bytes);

/* The piece that has the address, or ends last before it: returns its begin, and *size gets its
 * bytes. 0: there is none. */
guint64 ps_ptx_heap_before(PsPtxMachine *machine, const PsPtxBuffer *heap, guint64 address,
                           guint64 *size);

/* Whether the code has calls of malloc or free. */
gboolean ps_ptx_heap_wanted(const PsPtxCode *code);

G_END_DECLS
#endif
