/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See parts.h. Pages are found by a hash, and compared with the file's bytes: two different pages
 * are never taken for one.
 */
#include "latency-bench/profile/parts.h"

#include "latency-bench/profile/record.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct {
    uint64_t hash;
    off_t at; /* offset in the file */
    uint32_t size, number;
} Page; /* number 0 marks a free place */

struct Parts {
    int file;
    uint64_t most, bytes;
    Page *pages; /* a hash table of n_places, a power of 2 */
    size_t n_places;
    uint32_t n;
    const char *full;
    pthread_mutex_t lock;
};

Parts *ps_parts_new(int file, uint64_t most)
{
    enum { FIRST_PLACES = 1024 };
    Parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return NULL;
    *parts = (Parts){.file = file, .most = most, .n_places = FIRST_PLACES};
    parts->pages = calloc(parts->n_places, sizeof *parts->pages);
    pthread_mutex_init(&parts->lock, NULL);
    if (parts->pages)
        return parts;
    free(parts);
    return NULL;
}

const char *ps_parts_full(Parts *parts)
{
    pthread_mutex_lock(&parts->lock);
    const char *full = parts->full;
    pthread_mutex_unlock(&parts->lock);
    return full;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int write_all(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Writes a line and its bytes, with the lock held; errno is the program's own, and stays. */
static int put(Parts *parts, const char *line, size_t length, const void *bytes, size_t size)
{
    const int why = errno;
    const off_t start = lseek(parts->file, 0, SEEK_END);
    int result = write_all(parts->file, line, length);
    if (result == 0 && bytes)
        result = write_all(parts->file, bytes, size) == 0 ? write_all(parts->file, "\n", 1) : -1;
    if (result != 0) {
        parts->full = "there is no room for what it reads (TMPDIR may name a larger disk)";
        /* if that fails, too, readers stop there anyway */
        if (start < 0 || ftruncate(parts->file, start) != 0)
            parts->full = "its file could not be written";
    }
    errno = why;
    return result;
}

int ps_parts_put(Parts *parts, const void *bytes, size_t size, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line - 1)
        return -1;
    line[length] = '\n';
    pthread_mutex_lock(&parts->lock);
    const int result = put(parts, line, (size_t)length + 1, bytes, size);
    pthread_mutex_unlock(&parts->lock);
    return result;
}

/* ---- pages --------------------------------------------------------------------------------- */

static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size, word = 0;
    for (size_t at = 0; at < size; at += sizeof word) {
        word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static int is_same(const Parts *parts, const Page *page, const void *bytes, size_t size)
{
    unsigned char there[PS_RECORD_BLOCK];
    return page->size == size && pread(parts->file, there, size, page->at) == (ssize_t)size &&
           memcmp(there, bytes, size) == 0;
}

/* The page's place, or the free place for it. */
static Page *find(Parts *parts, uint64_t hash, const void *bytes, size_t size)
{
    size_t i = hash & (parts->n_places - 1);
    while (parts->pages[i].number &&
           (parts->pages[i].hash != hash || !is_same(parts, parts->pages + i, bytes, size)))
        i = (i + 1) & (parts->n_places - 1);
    return parts->pages + i;
}

static int grow(Parts *parts)
{
    Page *old = parts->pages;
    const size_t n = parts->n_places;
    if (parts->n < n / 2)
        return 0;
    Page *places = calloc(2 * n, sizeof *places);
    if (!places)
        return -1;
    parts->pages = places;
    parts->n_places = 2 * n;
    for (size_t k = 0; k < n; k++) {
        size_t i = old[k].hash & (2 * n - 1);
        while (old[k].number && places[i].number)
            i = (i + 1) & (2 * n - 1);
        if (old[k].number)
            places[i] = old[k];
    }
    free(old);
    return 0;
}

/* Adds a page, with the lock held. A page that is there already needs no room. */
static uint32_t add_page(Parts *parts, const void *bytes, size_t size)
{
    char line[32];
    const uint64_t hash = hash_of(bytes, size);
    Page *page = find(parts, hash, bytes, size);
    if (page->number)
        return page->number;
    if (!parts->full && size > parts->most - parts->bytes)
        parts->full = PS_RECORD_TOO_LARGE;
    if (parts->full)
        return 0;
    const int length = snprintf(line, sizeof line, "page\t%zu\n", size);
    if (put(parts, line, (size_t)length, bytes, size) != 0)
        return 0;
    parts->bytes += size;
    *page =
        (Page){hash, lseek(parts->file, 0, SEEK_END) - (off_t)size - 1, (uint32_t)size, ++parts->n};
    return parts->n;
}

uint32_t ps_parts_page(Parts *parts, const void *bytes, size_t size)
{
    pthread_mutex_lock(&parts->lock);
    if (grow(parts) != 0)
        parts->full = "there is no memory for it";
    const uint32_t number = add_page(parts, bytes, size);
    pthread_mutex_unlock(&parts->lock);
    return number;
}
