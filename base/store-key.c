/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of the store. See store.h. */
#include "base/store.h"

#include <glib/gstdio.h>
#include <string.h>

/* The digest of all source files; make writes it. */
extern const char ps_source_digest[];

GChecksum *ps_store_key_new(const char *kind)
{
    GChecksum *key = g_checksum_new(G_CHECKSUM_SHA256);
    ps_store_key_add(key, kind);
    return key;
}

/* Bytes are preceded by their length, so that no two lists of texts give the same key. */
void ps_store_key_add_bytes(GChecksum *key, gconstpointer bytes, gsize length)
{
    g_autofree char *size = g_strdup_printf("%" G_GSIZE_FORMAT ":", length);
    g_checksum_update(key, (const guchar *)size, -1);
    g_checksum_update(key, bytes, (gssize)length);
}

void ps_store_key_add(GChecksum *key, const char *text)
{
    if (text)
        ps_store_key_add_bytes(key, text, strlen(text));
    else
        g_checksum_update(key, (const guchar *)"-", 1);
}

void ps_store_key_add_list(GChecksum *key, const char *const *texts)
{
    for (; texts && *texts; texts++)
        ps_store_key_add(key, *texts);
    ps_store_key_add(key, NULL);
}

/* A program counts by its size and time: disassemblers have 40 MB, too many to read, and a new
 * version has a new time. */
void ps_store_key_add_program(GChecksum *key, const char *path)
{
    GStatBuf is;
    g_autofree char *state =
        path && g_stat(path, &is) == 0
            ? g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT
                              ".%09ld %" G_GINT64_FORMAT ".%09ld",
                              (guint64)is.st_ino, (guint64)is.st_size, (gint64)is.st_mtim.tv_sec,
                              is.st_mtim.tv_nsec, (gint64)is.st_ctim.tv_sec, is.st_ctim.tv_nsec)
            : NULL;
    ps_store_key_add(key, path);
    ps_store_key_add(key, state);
}

void ps_store_key_add_self(GChecksum *key)
{
    ps_store_key_add(key, PIPESIM_VERSION);
    ps_store_key_add(key, ps_source_digest);
}
