/* SPDX-License-Identifier: BSD-3-Clause */
/* See unpack.h. A library that is loaded stays loaded. */
#include "card/unpack.h"

#include <dlfcn.h>

/* Bytes; no code of that size was ever seen. */
#define MOST_BYTES ((gsize)1 << 30)

typedef size_t (*ZstdDecompress)(void *to, size_t room, const void *from, size_t size);
typedef size_t (*ZstdCompress)(void *to, size_t room, const void *from, size_t size, int level);
typedef int (*Lz4Decompress)(const char *from, char *to, int size, int room);

/* POSIX lets dlsym's pointer be a function; ISO C knows no such conversion. */
typedef union {
    void *pointer;
    ZstdDecompress zstd;
    ZstdCompress pack;
    Lz4Decompress lz4;
} Function;

#define ZSTD "libzstd.so.1"

static Function find(PsPacked packed, GError **error)
{
    const char *library = packed == PS_PACKED_ZSTD ? ZSTD : "liblz4.so.1";
    const char *name = packed == PS_PACKED_ZSTD ? "ZSTD_decompress" : "LZ4_decompress_safe";
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const Function function = {handle ? dlsym(handle, name) : NULL};
    if (!function.pointer)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "the program's code is compressed, and %s, which unpacks it, cannot be loaded",
                    library);
    return function;
}

GBytes *ps_unpack(PsPacked packed, gconstpointer data, gsize size, gsize raw, GError **error)
{
    const Function function = find(packed, error);
    if (!function.pointer)
        return NULL;
    g_autofree guint8 *to = raw < MOST_BYTES && size < MOST_BYTES ? g_try_malloc(raw + 1) : NULL;
    gboolean good = to != NULL;
    if (good && packed == PS_PACKED_ZSTD)
        good = function.zstd(to, raw, data, size) == raw; /* errors are other numbers */
    else if (good)
        good = function.lz4(data, (char *)to, (int)size, (int)raw) == (int)raw;
    if (!good) {
        g_set_error(
            error, PS_ERROR, PS_ERROR_SYNTAX,
            "the program's code is compressed, and damaged: it does not become %" G_GSIZE_FORMAT
            " bytes",
            raw);
        return NULL;
    }
    to[raw] = 0;
    return g_bytes_new_take(g_steal_pointer(&to), raw + 1);
}

GBytes *ps_pack_zstd(gconstpointer data, gsize size)
{
    enum { FAST = 1 };
    void *handle = dlopen(ZSTD, RTLD_NOW | RTLD_LOCAL);
    const Function function = {handle ? dlsym(handle, "ZSTD_compress") : NULL};
    if (!function.pointer || size < 2)
        return NULL;
    g_autofree guint8 *to = g_malloc(size);
    const gsize packed = function.pack(to, size - 1, data, size, FAST); /* errors are large */
    return packed < size ? g_bytes_new_take(g_steal_pointer(&to), packed) : NULL;
}
