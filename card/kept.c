/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "card/kept.h"

#include "ptx/run/launch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Memory that nothing wrote yet holds zeros, which need no copy. */
#define ZEROS 1

/* Other blocks are numbered from 1 on, those in the file apart from those in memory. */
#define IN_MEMORY(n) (2 * (PsCardKeptBlock)(n))
#define IN_FILE(n) (2 * (PsCardKeptBlock)(n) + 1)

struct PsCardKept {
    GPtrArray *memory;
    gsize held, most; /* bytes in memory */
    int file;         /* -1: it is not open ... */
    gboolean refused; /* ... and cannot be */
    guint64 filed;    /* places of blocks in it */
    GArray *spare[2]; /* guint64: places that hold no block, in memory and in the file */
};

PsCardKept *ps_card_kept_new(gsize most)
{
    PsCardKept *kept = g_new0(PsCardKept, 1);
    kept->memory = g_ptr_array_new_with_free_func(g_free);
    kept->most = most;
    kept->file = -1;
    for (guint i = 0; i < G_N_ELEMENTS(kept->spare); i++)
        kept->spare[i] = g_array_new(FALSE, FALSE, sizeof(guint64));
    return kept;
}

void ps_card_kept_free(PsCardKept *kept)
{
    if (!kept)
        return;
    g_ptr_array_unref(kept->memory);
    for (guint i = 0; i < G_N_ELEMENTS(kept->spare); i++)
        g_array_unref(kept->spare[i]);
    if (kept->file >= 0)
        close(kept->file);
    g_free(kept);
}

/* /tmp is memory on many machines, and /var/tmp is not. Who may not write files of any length gets
 * none, since a write beyond the limit would kill the program. */
static int open_file(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur != RLIM_INFINITY)
        return -1;
    const char *const folders[] = {g_getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int file = -1;
    for (guint i = 0; file < 0 && i < G_N_ELEMENTS(folders); i++)
        if (folders[i])
            file = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file;
}

static gboolean write_all(int file, const guint8 *data, gsize bytes, guint64 at)
{
    while (bytes > 0) {
        const gssize done = pwrite(file, data, bytes, (off_t)at);
        if (done <= 0)
            return FALSE;
        data += done;
        at += (guint64)done;
        bytes -= (gsize)done;
    }
    return TRUE;
}

/* A place that holds no block: a spare one, or else the next, of which there are `used`. */
static guint64 take_place(GArray *spare, guint64 used)
{
    if (spare->len == 0)
        return used;
    const guint64 place = g_array_index(spare, guint64, spare->len - 1);
    g_array_set_size(spare, spare->len - 1);
    return place;
}

/* Copies the block to the file. FALSE: there is none, or no room in it. */
static gboolean add_to_file(PsCardKept *kept, const guint8 *data, gsize bytes, guint64 *place)
{
    if (kept->refused)
        return FALSE;
    if (kept->file < 0)
        kept->file = open_file();
    *place = take_place(kept->spare[1], kept->filed);
    kept->refused = kept->file < 0 || !write_all(kept->file, data, bytes, *place * PS_PTX_BLOCK);
    kept->filed = MAX(kept->filed, *place + !kept->refused);
    return !kept->refused;
}

PsCardKeptBlock ps_card_kept_add(PsCardKept *kept, const guint8 *data, gsize bytes)
{
    static const guint8 zeros[PS_PTX_BLOCK];
    if (memcmp(data, zeros, bytes) == 0)
        return ZEROS;
    guint64 place;
    if (kept->held + bytes > kept->most && add_to_file(kept, data, bytes, &place))
        return IN_FILE(place + 1);
    place = take_place(kept->spare[0], kept->memory->len);
    if (place == kept->memory->len)
        g_ptr_array_add(kept->memory, NULL);
    kept->memory->pdata[place] = g_memdup2(data, bytes);
    kept->held += bytes;
    return IN_MEMORY(place + 1);
}

void ps_card_kept_drop(PsCardKept *kept, PsCardKeptBlock block, gsize bytes)
{
    if (block <= ZEROS)
        return;
    const guint64 place = block / 2 - 1;
    g_array_append_val(kept->spare[block % 2], place);
    if (block % 2 == 1)
        return;
    g_clear_pointer(&kept->memory->pdata[place], g_free);
    kept->held -= bytes;
}

void ps_card_kept_limit(PsCardKept *kept, gsize most)
{
    kept->most = most;
}

static gboolean read_all(int file, guint8 *to, gsize bytes, guint64 at)
{
    while (bytes > 0) {
        const gssize done = pread(file, to, bytes, (off_t)at);
        if (done <= 0)
            return FALSE;
        to += done;
        at += (guint64)done;
        bytes -= (gsize)done;
    }
    return TRUE;
}

gboolean ps_card_kept_copy(const PsCardKept *kept, PsCardKeptBlock block, guint8 *to, gsize bytes)
{
    if (block == ZEROS) {
        memset(to, 0, bytes);
        return TRUE;
    }
    const guint64 n = block / 2 - 1;
    if (block % 2 == 1)
        return read_all(kept->file, to, bytes, n * PS_PTX_BLOCK);
    memcpy(to, kept->memory->pdata[n], bytes);
    return TRUE;
}

gsize ps_card_kept_held(const PsCardKept *kept)
{
    return kept->held;
}
