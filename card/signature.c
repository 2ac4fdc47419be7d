/* SPDX-License-Identifier: BSD-3-Clause */
#include "card/signature.h"

static void add(PsCardSignature *signature, guint64 value)
{
    signature->hash = (signature->hash ^ value) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    signature->hash ^= signature->hash >> 32;
}

/* The place of an address in its piece of memory, which stays when pieces move. */
static guint64 place(PsCardSignature *signature, guint64 address)
{
    const PsCardPiece *piece = signature->piece;
    if (!piece || address - piece->address >= piece->size)
        piece = ps_card_memory_find(signature->memory, (gconstpointer)(gsize)address);
    signature->piece = piece;
    return piece ? address - piece->address : address;
}

static void on_executed(gpointer data, const PsPtxEvent *event)
{
    PsCardSignature *signature = data;
    if (!event->memory)
        return;
    const guint32 lanes = event->mask & ~event->idle;
    add(signature, (guint64)event->point << 32 | lanes);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            add(signature, event->space == PS_PTX_GLOBAL ? place(signature, event->address[lane])
                                                         : event->address[lane]);
}

/* Instructions without a memory access are counted elsewhere. */
static void on_straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    (void)data;
    (void)event;
    (void)n;
    (void)masks;
}

PsPtxListener ps_card_signature_listener(PsCardSignature *signature, const PsCardMemory *memory)
{
    *signature = (PsCardSignature){.memory = memory};
    return (PsPtxListener){.data = signature, .executed = on_executed, .straight = on_straight};
}

guint64 ps_card_signature_group(guint i, guint64 groups)
{
    const guint64 samples[PS_CARD_SAMPLES] = {0, groups / 3, groups / 3 * 2, groups - 1};
    return samples[i];
}

gint ps_card_signature_which(guint64 group, guint64 groups)
{
    for (guint i = 0; i < PS_CARD_SAMPLES; i++)
        if (ps_card_signature_group(i, groups) == group)
            return (gint)i;
    return -1;
}

guint64 ps_card_signature_of(const PsCardSignature *signatures)
{
    PsCardSignature all = {.hash = 0};
    for (guint i = 0; i < PS_CARD_SAMPLES; i++)
        add(&all, signatures[i].hash);
    return all.hash;
}
