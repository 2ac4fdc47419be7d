/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Textures and surfaces of a device. A handle is a number, which kernels get as an argument.
 */
#ifndef PIPESIM_CARD_TEXTURE_H
#define PIPESIM_CARD_TEXTURE_H

#include "card/card.h"
#include "ptx/run/texture.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A handle of what the texture says, which is copied. */
guint64 ps_card_texture_add(PsCard *card, const PsPtxTexture *texture);

/* FALSE: it is no handle. */
gboolean ps_card_texture_remove(PsCard *card, guint64 handle);

#pragma GCC visibility pop
G_END_DECLS
#endif
