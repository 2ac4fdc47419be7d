/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine instructions as nvdisasm lists them (-json), each with the bits by which the compiler
 * schedules it, which no listing has: they stand in the 128 bits of the instruction itself.
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
    gboolean yield; /* another warp may have its turn */
    guint8 write;   /* scoreboard that is released when the result is there, or none (7) */
    guint8 read;    /* ... when the operands have been read */
    guint8 wait;    /* a bit for each scoreboard that must be released before it issues */
    guint8 reuse;   /* a bit for each operand that is kept for the next instruction */
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

/* The kernel's instructions, from the JSON that nvdisasm wrote of the cubin. NULL and *error
 * (PS_ERROR_SYNTAX): JSON that is none, or has another form than this knows (the message has the
 * version of who wrote it); fewer or more instructions than the kernel's section has bytes for. */
PsSassListing *ps_sass_listing_new(const char *json, gssize length, const PsSassKernel *kernel,
                                   GError **error);
void ps_sass_listing_free(PsSassListing *listing);

PsSassControl ps_sass_control(const guint64 word[2]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassListing, ps_sass_listing_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
