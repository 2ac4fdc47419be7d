/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "card/memory.h"

#include "ptx/run/launch.h"

#include <sys/mman.h>

#define PAGE ((gsize)4096)
#define GAP ((gsize)1 << 16)

struct PsCardMemory {
    GPtrArray *pieces; /* by address */
    guint64 bytes, taken;
    guint64 most[PS_CARD_MARKS];
    guint last;    /* number of the latest piece */
    guint64 stamp; /* the latest stamp */
    guint64 next;  /* next address once pieces were placed; 0: none was */
};

static void free_piece(gpointer data)
{
    PsCardPiece *piece = data;
    if (piece->reserved)
        munmap(piece->data, piece->reserved);
    g_free(piece->name);
    g_free(piece->known);
    g_free(piece->stamps);
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

/* The number of pieces that begin at the address or below it. */
static guint before(const PsCardMemory *memory, gconstpointer address)
{
    guint low = 0, high = memory->pieces->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        const PsCardPiece *piece = memory->pieces->pdata[middle];
        if ((gsize)address >= piece->address)
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
    return piece && (gsize)address - piece->address < piece->size ? piece : NULL;
}

static PsCardPiece *insert(PsCardMemory *memory, const PsCardPiece *like)
{
    PsCardPiece *piece = g_memdup2(like, sizeof *like);
    piece->number = ++memory->last;
    if (piece->kind == PS_CARD_PLAIN) /* the host may have a pointer to a managed variable */
        piece->stamps = g_new0(guint64, piece->size / PS_PTX_BLOCK + 1);
    if (!piece->name)
        piece->name = g_strdup_printf("allocation %u", piece->number);
    g_ptr_array_insert(memory->pieces, (gint)before(memory, (gpointer)(gsize)piece->address),
                       piece);
    return piece;
}

static gboolean is_of_device(PsCardKind kind)
{
    return kind != PS_CARD_HOST;
}

static void take(PsCardMemory *memory, PsCardKind kind, gsize size)
{
    memory->taken += is_of_device(kind) ? size : 0;
    for (guint i = 0; i < PS_CARD_MARKS; i++)
        memory->most[i] = MAX(memory->most[i], memory->taken);
}

static gsize whole_pages(gsize size)
{
    return MAX(size / PAGE + (size % PAGE != 0), 1) * PAGE;
}

/* Zeros with a gap behind them; NULL: there is no room. */
static guint8 *make_room(gsize size)
{
    const gsize bytes = whole_pages(size);
    guint8 *data =
        mmap(NULL, bytes + GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return NULL;
    if (mprotect(data, bytes, PROT_READ | PROT_WRITE) == 0)
        return data;
    munmap(data, bytes + GAP);
    return NULL;
}

/* The address for a piece whose data lie there. */
static guint64 next_address(PsCardMemory *memory, const guint8 *data, gsize size)
{
    const guint64 next = memory->next;
    if (!next)
        return (gsize)data;
    memory->next += whole_pages(size) + GAP;
    return next;
}

const PsCardPiece *ps_card_memory_add(PsCardMemory *memory, gsize size, PsCardKind kind,
                                      const char *name, GError **error)
{
    const guint64 left = memory->bytes - memory->taken;
    const gboolean fits = size < G_MAXSIZE / 4 && (!is_of_device(kind) || size <= left);
    guint8 *data = fits ? make_room(size) : NULL;
    if (!data) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "there is no room for %" G_GSIZE_FORMAT
                    " bytes: the device has %" G_GUINT64_FORMAT ", of which %" G_GUINT64_FORMAT
                    " are taken",
                    size, memory->bytes, memory->taken);
        return NULL;
    }
    take(memory, kind, size);
    return insert(memory, &(PsCardPiece){.data = data,
                                         .size = size,
                                         .kind = kind,
                                         .address = next_address(memory, data, size),
                                         .name = g_strdup(name),
                                         .reserved = whole_pages(size) + GAP});
}

/* The lowest addresses are never memory, so that null pointers are caught; the kernel's are not
 * either. */
#define LEAST_ADDRESS ((guint64)1 << 16)
#define MOST_ADDRESS ((guint64)1 << 47)
/* Pieces without an address get one from here up to OTHERS_END (ptx/run/memory.c). Memory of real
 * programs lies far above, or below if a tool runs them. */
#define OTHERS_BEGIN ((guint64)7 << 32)
#define OTHERS_END ((guint64)1 << 35)

static gboolean is_free(const PsCardMemory *memory, guint64 address, gsize size)
{
    const guint n = before(memory, (gpointer)(gsize)(address + size - (size > 0)));
    const PsCardPiece *last = n ? memory->pieces->pdata[n - 1] : NULL;
    return (!last || (last->address + last->size <= address && last->address != address)) &&
           (address >= OTHERS_END || address + size <= OTHERS_BEGIN);
}

PsCardPiece *ps_card_memory_place(PsCardMemory *memory, guint64 address, gsize size,
                                  PsCardKind kind, const char *name, GError **error)
{
    if (address < LEAST_ADDRESS || address > MOST_ADDRESS || size > MOST_ADDRESS - address ||
        !is_free(memory, address, size)) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "no program has %" G_GSIZE_FORMAT
                    " bytes of memory at the address %#" G_GINT64_MODIFIER "x",
                    size, address);
        return NULL;
    }
    guint8 *data = make_room(size);
    if (!data) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "there is no room for %" G_GSIZE_FORMAT " bytes", size);
        return NULL;
    }
    memory->next = MAX(memory->next, address + whole_pages(size) + GAP);
    take(memory, kind, size);
    return insert(memory, &(PsCardPiece){.data = data,
                                         .size = size,
                                         .kind = kind,
                                         .address = address,
                                         .known = g_malloc0(size / PS_PTX_BLOCK + 1),
                                         .name = g_strdup(name),
                                         .reserved = whole_pages(size) + GAP});
}

void ps_card_memory_clear(PsCardMemory *memory)
{
    g_ptr_array_set_size(memory->pieces, 0);
    memory->taken = memory->next = 0;
}

const PsCardPiece *ps_card_memory_lend(PsCardMemory *memory, gpointer data, gsize size,
                                       GError **error)
{
    const guint n = before(memory, (guint8 *)data + size - (size > 0));
    const PsCardPiece *last = n ? memory->pieces->pdata[n - 1] : NULL;
    if (size == 0 || (last && last->address + last->size > (gsize)data)) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_VALUE,
                            size ? "some of these bytes are known to the device already"
                                 : "there is nothing to lend in no bytes");
        return NULL;
    }
    return insert(
        memory,
        &(PsCardPiece){.data = data, .size = size, .kind = PS_CARD_HOST, .address = (gsize)data});
}

gboolean ps_card_memory_remove(PsCardMemory *memory, gconstpointer data)
{
    const guint n = before(memory, data);
    const PsCardPiece *piece = n ? memory->pieces->pdata[n - 1] : NULL;
    if (!piece || piece->address != (gsize)data)
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

guint64 ps_card_memory_most(const PsCardMemory *memory, guint mark)
{
    return memory->most[mark];
}

void ps_card_memory_mark(PsCardMemory *memory, guint mark)
{
    memory->most[mark] = memory->taken;
}

guint64 ps_card_memory_stamp(PsCardMemory *memory)
{
    return ++memory->stamp;
}

void ps_card_memory_changed(const PsCardMemory *memory, gconstpointer address, gsize bytes)
{
    const PsCardPiece *piece = ps_card_memory_find(memory, address);
    if (!piece || !piece->stamps || bytes == 0)
        return;
    const gsize first = (gsize)address - piece->address;
    const gsize last = MIN(bytes - 1, piece->size - 1 - first) + first;
    for (gsize i = first / PS_PTX_BLOCK; i <= last / PS_PTX_BLOCK; i++)
        piece->stamps[i] = 0;
}
