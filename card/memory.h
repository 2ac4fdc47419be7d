/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a device as its program sees it: pieces at addresses of this process, so that
 * anybody can read a pointer of the device, and the executor needs no copy. Behind each piece lie
 * addresses that nobody may touch, so that no access beyond a piece reaches another one.
 */
#ifndef PIPESIM_CARD_MEMORY_H
#define PIPESIM_CARD_MEMORY_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
    PS_CARD_PLAIN,    /* of the device alone */
    PS_CARD_MANAGED,  /* of the device and the host */
    PS_CARD_HOST,     /* the host's, which kernels can reach */
    PS_CARD_VARIABLE, /* a variable of a module */
    PS_CARD_HEAP      /* what malloc of kernels gives memory of */
} PsCardKind;

typedef struct {
    guint8 *data;
    gsize size;
    guint64 address; /* as programs and kernels know it: where the data are, unless it is placed */
    guint8 *known; /* of each block of PS_PTX_BLOCK bytes, whether what it holds is known; NULL: of
                      all it is */
    PsCardKind kind;
    char *name;      /* for messages: "allocation 3", or the variable's */
    gsize reserved;  /* bytes of addresses; 0: the memory is somebody else's */
    guint number;    /* from 1 on, never twice */
    guint64 *stamps; /* of each block of PS_PTX_BLOCK bytes: blocks that had one stamp at two times
                        held the same; 0: nobody knows. NULL: the host may write it unseen */
    const char *untrue; /* the kernel, interned, that wrote it, of which some groups were executed
                           alone (some.h); NULL: what it holds is right */
} PsCardPiece;

typedef struct PsCardMemory PsCardMemory;

/* Memory of so many bytes. */
PsCardMemory *ps_card_memory_new(guint64 bytes);
void ps_card_memory_free(PsCardMemory *memory);

/* A piece of zeros, at least at a multiple of 4096; name NULL: it is called by its number. What the
 * host owns takes nothing of the device. NULL and *error (PS_ERROR_LIMIT). */
const PsCardPiece *ps_card_memory_add(PsCardMemory *memory, gsize size, PsCardKind kind,
                                      const char *name, GError **error);

/* A piece at an address that another process had, for what that process did. Its data lie anywhere,
 * and none of its blocks is known. From then on ps_card_memory_add gives such addresses, too,
 * behind all that are taken. NULL and *error: PS_ERROR_VALUE where a program has no memory there,
 * PS_ERROR_LIMIT. */
PsCardPiece *ps_card_memory_place(PsCardMemory *memory, guint64 address, gsize size,
                                  PsCardKind kind, const char *name, GError **error);

/* Removes all pieces. */
void ps_card_memory_clear(PsCardMemory *memory);

/* Lets kernels reach memory that the caller has. NULL and *error (PS_ERROR_VALUE) where some of it
 * lies in a piece that is there. */
const PsCardPiece *ps_card_memory_lend(PsCardMemory *memory, gpointer data, gsize size,
                                       GError **error);

/* FALSE: no piece begins there. */
gboolean ps_card_memory_remove(PsCardMemory *memory, gconstpointer data);

/* The piece that has the byte at this address; NULL: none has. (The same as ps_card_memory_remove
 * takes: PsCardPiece.address.) */
const PsCardPiece *ps_card_memory_find(const PsCardMemory *memory, gconstpointer address);

/* All pieces by their addresses (PsCardPiece); borrowed. */
const GPtrArray *ps_card_memory_pieces(const PsCardMemory *memory);

/* A stamp that no block has had. */
guint64 ps_card_memory_stamp(PsCardMemory *memory);

/* Takes the stamps of the blocks that have these bytes, of one piece or of none. */
void ps_card_memory_changed(const PsCardMemory *memory, gconstpointer address, gsize bytes);

/* Bytes of the device, and those of them that are taken. */
void ps_card_memory_count(const PsCardMemory *memory, guint64 *all, guint64 *taken);

/* Marks: each has the most bytes that were taken at once since the mark was set. */
#define PS_CARD_MARKS 2
guint64 ps_card_memory_most(const PsCardMemory *memory, guint mark);

/* Sets the mark anew, to the bytes that are taken now. */
void ps_card_memory_mark(PsCardMemory *memory, guint mark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardMemory, ps_card_memory_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
