/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code that a program hands to its driver: a fat binary, with or without the wrapper that
 * compilers put around it, a cubin, or a text of PTX. Of several parts the driver takes one that
 * suits its GPU.
 */
#ifndef PIPESIM_CARD_IMAGE_H
#define PIPESIM_CARD_IMAGE_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    GBytes *cubin; /* machine code that the GPU runs, or NULL */
    guint cubin_target;
    GBytes *ptx; /* a text that the GPU's assembler takes, ended by a zero, or NULL */
    guint ptx_target;
} PsCardImage;

/* Chooses the parts for a GPU of that capability (86): machine code of its generation for no later
 * chip, and PTX for no later one, of each the latest. Nobody says how long an image is: its own
 * headers do. FALSE and *error: PS_ERROR_VALUE where nothing in it suits the GPU, with what there
 * is; PS_ERROR_SYNTAX where it is no image; PS_ERROR_READ where the library is missing that unpacks
 * it. */
gboolean ps_card_image_read(gconstpointer image, guint capability, PsCardImage *read,
                            GError **error);
void ps_card_image_clear(PsCardImage *read);

/* A part of an image: machine code for one chip, or PTX. */
typedef struct {
    gboolean ptx;
    guint target;  /* 80 of sm_80 */
    GBytes *bytes; /* unpacked; a text is ended by a zero */
} PsCardPart;

/* All that an image has (PsCardPart; g_ptr_array_unref), whatever it suits. NULL and *error as
 * above. */
GPtrArray *ps_card_image_parts(gconstpointer image, GError **error);

/* The same of bytes that may be anything: a fat binary without its wrapper, or a text that is ended
 * by a zero. NULL: they are neither, or damaged. */
GPtrArray *ps_card_image_parts_of(GBytes *image);

/* TRUE if one of the parts is that machine code, maybe with zeros behind it. */
gboolean ps_card_parts_have(const GPtrArray *parts, GBytes *cubin);

/* The bytes of the fat binary that begins there; 0: none does, or it ends behind these. */
gsize ps_card_fat_size(gconstpointer bytes, gsize size);

/* 80 for a cubin of sm_80; 0: it is none. */
guint ps_card_cubin_target(GBytes *cubin);

/* An empty list of such parts, which owns them. */
GPtrArray *ps_card_parts_new(void);

/* Chooses of those parts what suits a GPU, as ps_card_image_read does. FALSE and *error: nothing
 * does. */
gboolean ps_card_parts_choose(const GPtrArray *parts, guint capability, PsCardImage *read,
                              GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
