/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine instructions as nvdisasm lists them (-json), each with the control bits by which the
 * compiler schedules it. No listing shows those; they are in the 128 bits of the instruction.
 */
#ifndef PIPESIM_SASS_LISTING_H
#define PIPESIM_SASS_LISTING_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define PS_SASS_NO_BARRIER 7

/* Bits 105 to 125. */
typedef struct {
    guint8 stall;   /* cycles until the warp's next instruction may issue */
    gboolean yield; /* another warp may issue before this one does again */
    guint8 write;   /* scoreboard that is released when the result is written; 7: none */
    guint8 read;    /* scoreboard that is released when the operands have been read; 7: none */
    guint8 wait; /* one bit for each scoreboard that the instruction waits for before it issues */
    guint8
        reuse; /* one bit for each operand that stays in the reuse cache for the next instruction */
} PsSassControl;

typedef struct {
    const char *guard;    /* "@!P0", or NULL */
    const char *opcode;   /* "IADD3.X" */
    const char *operands; /* or NULL */
    guint64 word[2];
    PsSassControl control;
} PsSassInstruction;

typedef struct {
    GArray *instructions; /* PsSassInstruction */
    const char *producer; /* "nvdisasm V13.0.88" */
    gpointer storage;
} PsSassListing;

/* The kernel's instructions, from the JSON that nvdisasm made of the cubin. NULL and *error
 * (PS_ERROR_SYNTAX): this is not JSON, it has another structure (the message then has nvdisasm's
 * version), or there are fewer or more instructions than the kernel's section has bytes for. */
PsSassListing *ps_sass_listing_new(const char *json, gssize length, const PsSassKernel *kernel,
                                   GError **error);
void ps_sass_listing_free(PsSassListing *listing);

PsSassControl ps_sass_control(const guint64 word[2]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassListing, ps_sass_listing_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
