/* SPDX-License-Identifier: BSD-3-Clause */
/* What taken.c reads, for taken-write.c. */
#ifndef PIPESIM_CARD_TAKEN_PRIVATE_H
#define PIPESIM_CARD_TAKEN_PRIVATE_H

#include "card/taken.h"

G_BEGIN_DECLS

/* Bytes of the file. */
typedef struct {
    const guint8 *data;
    gsize size;
} PsTakenBytes;

typedef struct {
    guint image; /* its number, from 1; 0: not known */
    PsTakenBytes cubin;
} PsTakenModule;

typedef struct {
    guint64 address, size;
    guint kind; /* PsCardKind */
    char *name;
    PsTakenBytes pages; /* a guint32 for each block */
} PsTakenPiece;

typedef struct {
    guint call, nth, module;
    guint grid[3], block[3], cluster[3];
    guint64 shared;
    gboolean cooperative;
    char *kernel;
    char *why;         /* it could not be taken; NULL: all below is there */
    GArray *arguments; /* PsTakenBytes */
    GArray *pieces;    /* PsTakenPiece, by address */
} PsTakenLaunch;

struct PsCardTaken {
    GBytes *bytes;
    gint64 start, process;
    gboolean done;
    char *failure;
    GPtrArray *programs;    /* char *: paths, each once */
    GPtrArray *variables;   /* char * */
    GArray *units;          /* guint, by device */
    GArray *images, *pages; /* PsTakenBytes, by number less 1 */
    GArray *modules;        /* PsTakenModule, likewise */
    GHashTable *launches;   /* "NTH KERNEL" -> PsTakenLaunch */
};

/* The launch; NULL: it was not taken. */
const PsTakenLaunch *ps_taken_find(const PsCardTaken *taken, const char *kernel, guint nth);

/* What a fat binary in one of these files has (PsCardPart; g_ptr_array_unref), of which one part is
 * just that machine code. NULL: none has it. */
GPtrArray *ps_taken_parts_in(const GPtrArray *programs, GBytes *cubin);

G_END_DECLS
#endif
