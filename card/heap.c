/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory from which kernels' malloc allocates: a piece of the device's, from the first launch
 * on that may use it. */
#include "card/launch.h"

static gboolean has_heap(const PsCard *card)
{
    const GPtrArray *pieces = ps_card_memory_pieces(card->memory);
    for (guint i = 0; i < pieces->len; i++)
        if (((const PsCardPiece *)pieces->pdata[i])->kind == PS_CARD_HEAP)
            return TRUE;
    return FALSE;
}

guint64 ps_card_heap(const PsCard *card)
{
    return card->heap ? card->heap : PS_PTX_HEAP;
}

gboolean ps_card_set_heap(PsCard *card, guint64 bytes)
{
    guint64 all, taken;
    ps_card_memory_count(card->memory, &all, &taken);
    if (bytes == 0 || bytes > all || has_heap(card))
        return FALSE;
    card->heap = bytes;
    return TRUE;
}

gboolean ps_card_run_heap(const PsCardRun *run, GError **error)
{
    PsCard *card = run->card;
    const PsPtxModule *code = ps_card_function_code(run->launch->function, NULL);
    if (!code || !ps_ptx_module_allocates(code) || has_heap(card))
        return TRUE;
    const gsize bytes = ps_ptx_heap_bytes(ps_card_heap(card));
    if (ps_card_memory_add(card->memory, bytes, PS_CARD_HEAP, "heap", error))
        return TRUE;
    g_prefix_error(error, "kernel \"%s\" has malloc or free, for which there must be a heap: ",
                   run->launch->function->name);
    return FALSE;
}
