/* SPDX-License-Identifier: BSD-3-Clause */
/* See snapshot.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "card/snapshot.h"

#include "card/kept.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    PsPtxBlocks live, before; /* data of the part */
    const PsCardSnapshot *snapshot;
    const PsCardPiece *piece;
    PsCardKeptBlock *kept; /* of each block: what it held, once it is written; or NULL */
    guint8 *copies;        /* of the whole piece, filled when it is touched; or NULL */
} Part;

struct PsCardSnapshot {
    guint n;
    Part *parts;
    PsCardTouched touched;
    gpointer data;
    PsCardKept *kept;
};

/* What launches overwrite stays in memory up to one part in so many of the program's memory, or up
 * to so many bytes if that is more. */
#define PART_KEPT 32
#define LEAST_KEPT ((gsize)16 << 20)

gsize ps_card_block_bytes(const PsCardPiece *piece, gsize block)
{
    return MIN(piece->size - block * PS_PTX_BLOCK, PS_PTX_BLOCK);
}

/* FALSE and *error if the block's content is unknown. */
static gboolean check_known(const Part *part, gsize block, GError **error)
{
    const PsCardPiece *piece = part->piece;
    if (!piece->known || piece->known[block])
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "it accesses what the recording does not have: bytes of \"%s\" that the launch did "
                "not access when it was recorded",
                piece->name);
    return FALSE;
}

/* Reports the first access to a block: by the launch, or by its simulation if the launch left the
 * block alone. */
static void tell(const Part *part, gsize block)
{
    if (part->snapshot->touched)
        part->snapshot->touched(part->snapshot->data, part->piece, block);
    part->live.made[block] |= PS_PTX_BLOCK_MADE;
}

static void touch(gpointer data, gsize block, GError **error)
{
    const Part *part = data;
    tell(part, block);
    check_known(part, block, error);
}

static void keep(gpointer data, gsize block)
{
    Part *part = data;
    if (!part->kept)
        part->kept = g_new0(PsCardKeptBlock, part->live.n);
    if (!part->kept[block])
        part->kept[block] =
            ps_card_kept_add(part->snapshot->kept, part->piece->data + block * PS_PTX_BLOCK,
                             ps_card_block_bytes(part->piece, block));
}

/* Copies the block's content from before the launch. */
static gboolean copy(const Part *part, gsize block, guint8 *to)
{
    const gsize bytes = ps_card_block_bytes(part->piece, block);
    if (part->kept && part->kept[block])
        return ps_card_kept_copy(part->snapshot->kept, part->kept[block], to, bytes);
    memcpy(to, part->piece->data + block * PS_PTX_BLOCK, bytes);
    return TRUE;
}

static void make(gpointer data, gsize block, GError **error)
{
    Part *part = data;
    if (part->live.made && part->live.made[block] == 0)
        tell(part, block);
    if (check_known(part, block, error) && !copy(part, block, part->copies + block * PS_PTX_BLOCK))
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "the file of what the launch overwrote cannot be read: %s", g_strerror(errno));
    part->before.made[block] |= PS_PTX_BLOCK_MADE;
}

PsCardSnapshot *ps_card_snapshot_new(const PsCardMemory *memory, gboolean keeps,
                                     PsCardTouched touched, gpointer data)
{
    const GPtrArray *pieces = ps_card_memory_pieces(memory);
    guint64 all, taken;
    PsCardSnapshot *snapshot = g_new0(PsCardSnapshot, 1);
    snapshot->n = pieces->len;
    snapshot->touched = touched;
    snapshot->data = data;
    ps_card_memory_count(memory, &all, &taken);
    snapshot->kept = ps_card_kept_new(MAX(taken / PART_KEPT, LEAST_KEPT));
    snapshot->parts = g_new0(Part, (gsize)pieces->len + 1);
    for (guint i = 0; i < pieces->len; i++) {
        Part *part = &snapshot->parts[i];
        part->piece = pieces->pdata[i];
        part->snapshot = snapshot;
        part->live.n = part->before.n =
            part->piece->size / PS_PTX_BLOCK + (part->piece->size % PS_PTX_BLOCK != 0);
        const gboolean looks = touched || part->piece->known;
        if (!keeps && !looks)
            continue;
        part->live.made = g_malloc(part->live.n + 1);
        memset(part->live.made, looks ? 0 : PS_PTX_BLOCK_MADE, part->live.n);
        part->live.whole = !looks;
        part->live.make = looks ? touch : NULL;
        part->live.write = keeps ? keep : NULL;
        part->live.data = part;
    }
    return snapshot;
}

void ps_card_snapshot_free(PsCardSnapshot *snapshot)
{
    if (!snapshot)
        return;
    for (guint i = 0; i < snapshot->n; i++) {
        Part *part = &snapshot->parts[i];
        g_free(part->kept);
        g_free(part->live.made);
        g_free(part->before.made);
        if (part->copies)
            munmap(part->copies, part->piece->size);
    }
    ps_card_kept_free(snapshot->kept);
    g_free(snapshot->parts);
    g_free(snapshot);
}

static PsPtxPlaced placed(const Part *part)
{
    const PsCardPiece *piece = part->piece;
    return (PsPtxPlaced){
        .name = piece->name, .address = piece->address, .data = piece->data, .size = piece->size};
}

PsPtxPlaced ps_card_snapshot_live(PsCardSnapshot *snapshot, guint n)
{
    Part *part = &snapshot->parts[n];
    PsPtxPlaced live = placed(part);
    live.blocks = part->live.made ? &part->live : NULL;
    return live;
}

PsPtxPlaced ps_card_snapshot_before(PsCardSnapshot *snapshot, guint n)
{
    Part *part = &snapshot->parts[n];
    PsPtxPlaced before = placed(part);
    if (!part->copies) {
        guint8 *copies = mmap(NULL, MAX(part->piece->size, 1), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        part->copies = copies == MAP_FAILED ? NULL : copies;
        part->before.made = g_malloc0(part->before.n + 1);
        part->before.make = make;
        part->before.data = part;
    }
    before.data = part->copies;
    before.blocks = &part->before;
    return before;
}

static void take(Part *part, gsize block)
{
    if (!(part->before.made[block] & PS_PTX_BLOCK_WRITTEN))
        return;
    keep(part, block);
    memcpy(part->piece->data + block * PS_PTX_BLOCK, part->copies + block * PS_PTX_BLOCK,
           ps_card_block_bytes(part->piece, block));
}

void ps_card_snapshot_take(PsCardSnapshot *snapshot)
{
    for (guint i = 0; i < snapshot->n; i++)
        for (gsize k = 0; snapshot->parts[i].copies && k < snapshot->parts[i].before.n; k++)
            take(&snapshot->parts[i], k);
}

gboolean ps_card_snapshot_wrote(const PsCardSnapshot *snapshot, guint n)
{
    return snapshot->parts[n].kept != NULL;
}

void ps_card_snapshot_changed(const PsCardSnapshot *snapshot)
{
    for (guint i = 0; i < snapshot->n; i++) {
        const Part *part = &snapshot->parts[i];
        for (gsize k = 0; part->piece->stamps && k < part->live.n; k++)
            if (!part->live.made || (part->live.made[k] & PS_PTX_BLOCK_WRITTEN))
                part->piece->stamps[k] = 0;
    }
}

gboolean ps_card_snapshot_bring(gpointer data, guint64 address, guint bytes)
{
    const PsCardSnapshot *snapshot = data;
    for (guint i = 0; i < snapshot->n; i++) {
        const Part *part = &snapshot->parts[i];
        const gsize at = address - part->piece->address;
        if (at >= part->piece->size || bytes > part->piece->size - at || !part->copies)
            continue;
        if (part->before.made[at / PS_PTX_BLOCK] == 0)
            make((gpointer)part, at / PS_PTX_BLOCK, NULL);
        if (memcmp(part->copies + at, part->piece->data + at, bytes) == 0)
            return FALSE;
        memcpy(part->copies + at, part->piece->data + at, bytes);
        return TRUE;
    }
    return FALSE;
}

void ps_card_snapshot_renew(const PsCardSnapshot *snapshot)
{
    for (guint i = 0; i < snapshot->n; i++)
        if (snapshot->parts[i].before.made)
            memset(snapshot->parts[i].before.made, 0, snapshot->parts[i].before.n);
}
