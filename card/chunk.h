/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts that the file of a recording is made of. Each begins with its kind, the process that
 * wrote it, its size before and after packing, and the SHA-256 of its content. zstd packs it, where
 * zstd is installed and makes it smaller. All numbers are little-endian. The file begins with
 * a line that has its version, and its last chunk has a digest of the beginnings of all others. So
 * a file that was cut or changed is recognized.
 */
#ifndef PIPESIM_CARD_CHUNK_H
#define PIPESIM_CARD_CHUNK_H

#include "base/message.h"

G_BEGIN_DECLS

/* The beginning of the file, and the beginning that every version has. */
#define PS_CHUNK_VERSION "2"
#define PS_CHUNK_FIRST_LINE "pipesim recording " PS_CHUNK_VERSION "\n"
#define PS_CHUNK_ANY_VERSION "pipesim recording "

#define PS_CHUNK_DIGEST 32 /* bytes of a SHA-256 */

typedef enum {
    PS_CHUNK_CODE = 1, /* a module: GVariant of PS_CHUNK_CODE_TYPE */
    PS_CHUNK_PAGE,     /* the content of a block of memory */
    PS_CHUNK_LAUNCH,   /* GVariant of PS_CHUNK_LAUNCH_TYPE */
    PS_CHUNK_SAME,     /* a launch like an earlier one: GVariant of PS_CHUNK_SAME_TYPE */
    PS_CHUNK_LEFT,     /* a launch that is left out: GVariant of PS_CHUNK_LEFT_TYPE */
    PS_CHUNK_DEVICE, /* the device on which launches were measured: GVariant of PS_CHUNK_DEVICE_TYPE
                      */
    PS_CHUNK_TIME,   /* a launch was measured: GVariant of PS_CHUNK_TIME_TYPE */
    PS_CHUNK_END
} PsChunkKind;

/* Parts of an image: whether it is PTX, its target, its bytes. */
#define PS_CHUNK_CODE_TYPE "a(buay)"

/* The kernel, the number of its code; groups, threads, groups of a cluster; shared memory, whether
 * it is cooperative, the stream; instructions of warps and of threads (0: not known), what memory
 * was accessed (PsCardWork; where instructions are not known, a digest of what the launch begins
 * with), whether it went well; the bytes of each argument; textures; pieces of memory:
 * address, bytes, PsCardKind, name, whether it is a variable of that code, and blocks with the
 * numbers of their pages. Code and pages have the numbers, from 1, in which their process wrote
 * them. */
#define PS_CHUNK_TEXTURE_TYPE "(uttt(uuu)uuuubbbb(uuu)(dddd))"
#define PS_CHUNK_PIECE_TYPE "(ttusba(uu))"
#define PS_CHUNK_LAUNCH_TYPE                                                                       \
    "(su(uuu)(uuu)(uuu)tbu(ttt)baaya" PS_CHUNK_TEXTURE_TYPE "a" PS_CHUNK_PIECE_TYPE ")"

/* The number, from 1, of that process's launch among those of PS_CHUNK_LAUNCH, and the stream. */
#define PS_CHUNK_SAME_TYPE "(uu)"

/* The kernel, groups, threads, shared memory, the stream, and why it is left out. */
#define PS_CHUNK_LEFT_TYPE "(s(uuu)(uuu)tus)"

/* The name, the compute capability (86), compute units; 0: not known. */
#define PS_CHUNK_DEVICE_TYPE "(suu)"

/* The number, from 1, of the launch among all launches of its process; the number of the device in
 * the file, from 1, or 0: not known; seconds. */
#define PS_CHUNK_TIME_TYPE "(uud)"

typedef struct {
    PsChunkKind kind;
    guint32 process;
    guint64 raw, kept; /* bytes */
    guint8 digest[PS_CHUNK_DIGEST];
    const guint8 *head; /* how it begins, PS_CHUNK_HEAD bytes */
    const guint8 *data; /* as they are kept */
} PsChunk;

#define PS_CHUNK_HEAD (4 + 4 + 8 + 8 + PS_CHUNK_DIGEST)

void ps_chunk_digest(gconstpointer data, gsize size, guint8 digest[PS_CHUNK_DIGEST]);

/* The chunk as it is written (g_byte_array_unref). */
GByteArray *ps_chunk_pack(PsChunkKind kind, guint32 process, gconstpointer data, gsize size);

/* Reads the chunk at that place of the bytes, and goes on behind it. FALSE: no whole one is there.
 */
gboolean ps_chunk_next(const guint8 *bytes, gsize size, gsize *at, PsChunk *chunk);

/* The content of the chunk (g_bytes_unref). NULL and *error: PS_ERROR_SYNTAX where that is not what
 * was written, PS_ERROR_READ where the library is missing that unpacks it. */
GBytes *ps_chunk_unpack(const PsChunk *chunk, GError **error);

G_END_DECLS
#endif
