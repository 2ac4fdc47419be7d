/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code that a program hands to its driver: a fat binary, with or without the wrapper that
 * compilers put around it, a cubin, or a text of PTX. Of several the driver takes what suits its
 * GPU.
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

/* What suits a GPU of that capability (86): machine code of its generation for no later chip, and
 * PTX for no later one, of each the latest. Nobody says how long an image is: it does itself.
 * FALSE and *error: PS_ERROR_VALUE where nothing in it suits the GPU, with what there is;
 * PS_ERROR_SYNTAX where it is no image; PS_ERROR_READ where the library is missing that unpacks
 * it. */
gboolean ps_card_image_read(gconstpointer image, guint capability, PsCardImage *read,
                            GError **error);
void ps_card_image_clear(PsCardImage *read);

#pragma GCC visibility pop
G_END_DECLS
#endif
