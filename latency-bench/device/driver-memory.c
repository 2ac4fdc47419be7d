/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of the memory through which kernels walk. They are made on the host piece by piece,
 * so that hundreds of megabytes need no second copy, and kept as long as they fit.
 */
#include "latency-bench/device/driver.h"
#include "latency-bench/internal.h"

#include <string.h>

#define WORD sizeof(guint32)
#define LINE 64                   /* words: 256 bytes, all visited by each ring */
#define WALK_LINE 32              /* words: 128 bytes, all visited by each walk */
#define WINDOW ((guint64)1 << 32) /* bytes: of addresses with the same upper half */
#define PIECE (1024 * 1024U)      /* words that are written at once; a multiple of LINE */

static void discard(PsDriver *driver, PsDriverStore *store)
{
    if (store->buffer)
        driver->calls->discard(driver, store->buffer);
    *store = (PsDriverStore){0};
}

gboolean ps_driver_grow(PsDriver *driver, PsDriverStore *store, gsize bytes, GError **error)
{
    if (store->buffer && store->bytes >= bytes)
        return TRUE;
    discard(driver, store);
    if (!driver->calls->allocate(driver, bytes, &store->buffer, error))
        return FALSE;
    store->bytes = bytes;
    return TRUE;
}

void ps_driver_clear(PsDriver *driver)
{
    if (driver->sweeper)
        ps_device_release(&driver->device, driver->sweeper);
    ps_bench_kernel_free(driver->sweep);
    driver->sweeper = NULL;
    driver->sweep = NULL;
    discard(driver, &driver->swept);
    discard(driver, &driver->memory);
    discard(driver, &driver->times);
    discard(driver, &driver->cus);
    discard(driver, &driver->sink);
}

/* The next number of a fixed sequence (a 64-bit linear congruential generator, its upper half):
 * the same ring on every machine. */
static guint32 draw(guint64 *state)
{
    *state =
        *state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
    return (guint32)(*state >> 32);
}

/* next[l] is the line after l on a walk through all n lines in random order: a shuffle that never
 * leaves a line in its place gives one cycle (Sattolo). */
static guint32 *make_walk(gsize n)
{
    guint32 *next = g_new(guint32, MAX(n, 1));
    for (gsize l = 0; l < n; l++)
        next[l] = (guint32)l;
    guint64 state = 1;
    for (gsize l = n; l-- > 1;) {
        gsize other = (gsize)(((guint64)draw(&state) * l) >> 32);
        guint32 kept = next[l];
        next[l] = next[other];
        next[other] = kept;
    }
    return next;
}

/* The largest power of two up to it. */
static gsize lines_of_ring(gsize lines)
{
    while (lines & (lines - 1))
        lines &= lines - 1;
    return lines;
}

/* Which line is at a position of a ring through n lines, a power of two: triangular numbers, and
 * their products with an odd number, meet each remainder once. kernels/ring.h has the same. */
static guint32 line_at(guint64 position, gsize n)
{
    return 0x9E3779B1U * (guint32)(position * (position + 1) / 2) & (guint32)(n - 1);
}

/* next[l] is the line after l on the ring. */
static guint32 *make_ring(gsize n)
{
    guint32 *next = g_new(guint32, MAX(n, 1));
    for (guint64 position = 0; position < n; position++)
        next[line_at(position, n)] = line_at((position + 1) % n, n);
    return next;
}

static guint64 address_of(const PsDriver *driver)
{
    return driver->memory.buffer + driver->memory.start;
}

/* The pointer from one word to another: the lower half of its address, or, without addresses, the
 * bytes before it. */
static guint32 pointer_to(const PsDriver *driver, gsize word)
{
    return (guint32)((driver->calls->addresses ? address_of(driver) : 0) + word * WORD);
}

/* The target of word `at` of a ring: the same word of the next line. Words behind the last line
 * point to themselves. */
static gsize next_of_ring(const guint32 *next, gsize lines, gsize at)
{
    const gsize line = at / LINE;
    return line < lines ? next[line] * (gsize)LINE + at % LINE : at;
}

/* 64 bits of a walk: the place of the next line; in the second 64 bits of a line, that of the next
 * line's second. */
static guint64 entry_of_walk(const PsDriver *driver, const guint32 *next, gsize lines, gsize at)
{
    const gsize line = at / WALK_LINE;
    const guint64 base = driver->calls->addresses ? address_of(driver) : 0;
    return base +
           (guint64)(at % WALK_LINE < 2 && line < lines ? next[line] : line) * WALK_LINE * WORD;
}

/* The 32-bit word at `at`: half of an entry. */
static guint32 word_of_walk(const PsDriver *driver, const guint32 *next, gsize lines, gsize at)
{
    guint64 word = entry_of_walk(driver, next, lines, at / 2 * 2);
    guint32 words[2];
    memcpy(words, &word, sizeof word);
    return words[at % 2];
}

static gboolean write_piece(PsDriver *driver, gsize at, guint32 *words, gsize n, GError **error)
{
    g_autoptr(GBytes) data = g_bytes_new_static(words, n * WORD);
    return driver->calls->write(driver, driver->memory.buffer, driver->memory.start + at * WORD,
                                data, error);
}

/* The contents of memory, and what determines them. */
typedef struct {
    const PsDriver *driver;
    const PsDriverProgram *program;
    gsize lines;   /* number of lines of a ring or a walk, */
    guint32 *next; /* and the line after each of them */
} Content;

static guint32 word_at(const Content *content, gsize at)
{
    switch (content->program->pattern) {
    case PS_MEMORY_NONE:
    case PS_MEMORY_ZERO:
        return 0;
    case PS_MEMORY_RING:
        return pointer_to(content->driver, next_of_ring(content->next, content->lines, at));
    case PS_MEMORY_WALK:
        return word_of_walk(content->driver, content->next, content->lines, at);
    case PS_MEMORY_TILES:
        return pointer_to(content->driver,
                          ps_bench_next_tile(&content->program->kernel, (guint32)at));
    case PS_MEMORY_FLOATS: /* the upper bits of a hash of the index */
        return 0x3F800000U | ((guint32)at * 2654435769U) >> 9;
    }
    return 0;
}

static gboolean write_pattern(PsDriver *driver, const PsDriverProgram *program, gsize n,
                              GError **error)
{
    const gboolean walk = program->pattern == PS_MEMORY_WALK;
    const gsize lines = walk ? n / WALK_LINE : lines_of_ring(n / LINE);
    g_autofree guint32 *next = walk                                 ? make_walk(lines)
                               : program->pattern == PS_MEMORY_RING ? make_ring(lines)
                                                                    : NULL;
    g_autofree guint32 *words = g_new0(guint32, MIN(n, PIECE));
    const Content content = {driver, program, lines, next};
    for (gsize at = 0; at < n; at += PIECE) {
        const gsize piece = MIN(PIECE, n - at);
        /* Zeros are already there. */
        for (gsize i = 0; i < piece && program->pattern != PS_MEMORY_ZERO; i++)
            words[i] = word_at(&content, at + i);
        if (!write_piece(driver, at, words, piece, error))
            return FALSE;
    }
    return TRUE;
}

/* Bytes from an address to the next multiple of the window. */
static guint64 room_at(guint64 address)
{
    return WINDOW - address % WINDOW;
}

/* Gets memory whose addresses have one upper half, if it is small enough: a buffer across a border
 * is allocated twice as large, and lies before the border or behind it. */
static gboolean get_memory(PsDriver *driver, gsize bytes, GError **error)
{
    PsDriverStore *store = &driver->memory;
    if (!ps_driver_grow(driver, store, bytes, error))
        return FALSE;
    if (!driver->calls->addresses || bytes > WINDOW || room_at(address_of(driver)) >= bytes)
        return TRUE;
    discard(driver, store);
    if (!ps_driver_grow(driver, store, 2 * bytes, error))
        return FALSE;
    store->bytes = bytes;
    store->start = room_at(store->buffer) >= bytes ? 0 : room_at(store->buffer);
    return TRUE;
}

/* FALSE and *error if words cannot hold the values of a ring. */
static gboolean suits(const PsDriver *driver, const PsDriverProgram *program, gsize bytes,
                      GError **error)
{
    /* A walk has addresses of 64 bits; without addresses kernels take half of them. */
    const gboolean is_walk = program->pattern == PS_MEMORY_WALK && !driver->calls->addresses;
    if ((program->pattern != PS_MEMORY_RING && !is_walk) || bytes <= WINDOW)
        return TRUE;
    ps_error_at(error, PS_ERROR_RESOURCES, (PsPlace){0},
                "a ring of pointers with 32 bits has at most 4 GiB, and the launch wants "
                "%" G_GSIZE_FORMAT " bytes",
                bytes);
    return FALSE;
}

gboolean ps_driver_fill(PsDriver *driver, const PsDriverProgram *program, gsize bytes,
                        GError **error)
{
    bytes = MAX(bytes, LINE * WORD); /* kernels without memory get an address all the same */
    /* The contents as a number: a ring never changes and serves all programs; others belong to
     * their program. */
    const guint64 content = program->pattern == PS_MEMORY_RING ? G_MAXUINT64 : program->serial;
    if (driver->memory.bytes == bytes && driver->content == content)
        return TRUE;
    driver->content = 0;
    if (driver->memory.bytes != bytes)
        discard(driver, &driver->memory);
    if (!suits(driver, program, bytes, error) || !get_memory(driver, bytes, error) ||
        (program->pattern != PS_MEMORY_NONE &&
         !write_pattern(driver, program, bytes / WORD, error)))
        return FALSE;
    driver->content = content;
    return TRUE;
}
