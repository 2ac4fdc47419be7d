/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "card/memory.h"

#include <sys/mman.h>

#define PAGE ((gsize)4096)
#define GAP ((gsize)1 << 16)

struct PsCardMemory {
    GPtrArray *pieces; /* by address */
    guint64 bytes, taken;
    guint last; /* number */
};

static void free_piece(gpointer data)
{
    PsCardPiece *piece = data;
    if (piece->reserved)
        munmap(piece->data, piece->reserved);
    g_free(piece->name);
    g_free(piece);
}

PsCardMemory *ps_card_memory_new(guint64 bytes)
{
    PsCardMemory *memory = g_new0(PsCardMemory, 1);
    memory->pieces = g_ptr_array_new_with_free_func(free_piece);
    memory->bytes = bytes;
    return memory;
}

void ps_card_memory_free(PsCardMemory *memory)
{
    if (!memory)
        return;
    g_ptr_array_unref(memory->pieces);
    g_free(memory);
}

/* The number of pieces that begin at or before the address. */
static guint before(const PsCardMemory *memory, gconstpointer address)
{
    guint low = 0, high = memory->pieces->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        const PsCardPiece *piece = memory->pieces->pdata[middle];
        if ((const guint8 *)address >= piece->data)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const PsCardPiece *ps_card_memory_find(const PsCardMemory *memory, gconstpointer address)
{
    const guint n = before(memory, address);
    const PsCardPiece *piece = n ? memory->pieces->pdata[n - 1] : NULL;
    return piece && (gsize)((const guint8 *)address - piece->data) < piece->size ? piece : NULL;
}

static const PsCardPiece *insert(PsCardMemory *memory, const PsCardPiece *like)
{
    PsCardPiece *piece = g_memdup2(like, sizeof *like);
    piece->number = ++memory->last;
    if (!piece->name)
        piece->name = g_strdup_printf("allocation %u", piece->number);
    g_ptr_array_insert(memory->pieces, (gint)before(memory, piece->data), piece);
    return piece;
}

static gboolean is_of_device(PsCardKind kind)
{
    return kind != PS_CARD_HOST;
}

const PsCardPiece *ps_card_memory_add(PsCardMemory *memory, gsize size, PsCardKind kind,
                                      const char *name, GError **error)
{
    const guint64 left = memory->bytes - memory->taken;
    const gsize pages = size / PAGE + (size % PAGE != 0), bytes = MAX(pages, 1) * PAGE;
    const gboolean fits = size < G_MAXSIZE / 4 && (!is_of_device(kind) || size <= left);
    guint8 *data = MAP_FAILED;
    if (fits)
        data =
            mmap(NULL, bytes + GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data != MAP_FAILED && mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(data, bytes + GAP);
        data = MAP_FAILED;
    }
    if (data == MAP_FAILED) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "there is no room for %" G_GSIZE_FORMAT
                    " bytes: the device has %" G_GUINT64_FORMAT ", of which %" G_GUINT64_FORMAT
                    " are taken",
                    size, memory->bytes, memory->taken);
        return NULL;
    }
    memory->taken += is_of_device(kind) ? size : 0;
    return insert(memory, &(PsCardPiece){.data = data,
                                         .size = size,
                                         .kind = kind,
                                         .name = g_strdup(name),
                                         .reserved = bytes + GAP});
}

const PsCardPiece *ps_card_memory_lend(PsCardMemory *memory, gpointer data, gsize size,
                                       GError **error)
{
    const guint n = before(memory, (guint8 *)data + size - (size > 0));
    const PsCardPiece *last = n ? memory->pieces->pdata[n - 1] : NULL;
    if (size == 0 || (last && last->data + last->size > (guint8 *)data)) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_VALUE,
                            size ? "some of these bytes are known to the device already"
                                 : "there is nothing to lend in no bytes");
        return NULL;
    }
    return insert(memory, &(PsCardPiece){.data = data, .size = size, .kind = PS_CARD_HOST});
}

gboolean ps_card_memory_remove(PsCardMemory *memory, gconstpointer data)
{
    const guint n = before(memory, data);
    const PsCardPiece *piece = n ? memory->pieces->pdata[n - 1] : NULL;
    if (!piece || piece->data != data)
        return FALSE;
    memory->taken -= is_of_device(piece->kind) ? piece->size : 0;
    g_ptr_array_remove_index(memory->pieces, n - 1);
    return TRUE;
}

const GPtrArray *ps_card_memory_pieces(const PsCardMemory *memory)
{
    return memory->pieces;
}

void ps_card_memory_count(const PsCardMemory *memory, guint64 *all, guint64 *taken)
{
    *all = memory->bytes;
    *taken = memory->taken;
}
