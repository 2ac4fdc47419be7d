/* SPDX-License-Identifier: BSD-3-Clause */
/* See texture.h. */
#include "card/texture.h"

#include "card/module-private.h"

/* Handles are not reused, so that an old one is noticed. */
guint64 ps_card_texture_add(PsCard *card, const PsPtxTexture *texture)
{
    g_ptr_array_add(card->textures, g_memdup2(texture, sizeof *texture));
    return card->textures->len;
}

gboolean ps_card_texture_remove(PsCard *card, guint64 handle)
{
    if (handle == 0 || handle > card->textures->len || !card->textures->pdata[handle - 1])
        return FALSE;
    g_free(card->textures->pdata[handle - 1]);
    card->textures->pdata[handle - 1] = NULL;
    return TRUE;
}
