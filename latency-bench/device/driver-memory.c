/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels find in the memory that they walk through. It is made on the host, piece by piece,
 * so that hundreds of megabytes need no second copy, and kept as long as it will do.
 */
#include "latency-bench/device/driver.h"

#include <string.h>

#define WORD sizeof(guint32)
#define LINE 64              /* words: 256 bytes, of which each ring visits all */
#define WALK_LINE 32         /* words: 128 bytes, of which each walk visits all */
#define PIECE (1024 * 1024U) /* words that are written at once; a multiple of LINE */

static void discard(PsDriver *driver, PsStore *store)
{
    if (store->buffer)
        driver->calls->discard(driver, store->buffer);
    *store = (PsStore){0};
}

gboolean ps_store_grow(PsDriver *driver, PsStore *store, gsize bytes, GError **error)
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

/* next[l] is the line after l on a ring through all n lines in random order: a shuffle that never
 * leaves a line in its place gives one cycle (Sattolo). */
static guint32 *make_ring(gsize n)
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

/* What stands at word `at`: a ring leads each word of a line to the same word of the next line;
 * what is left over after the last whole line leads to itself. */
static guint32 word_of_ring(const guint32 *next, gsize lines, gsize at)
{
    gsize line = at / LINE;
    return line < lines ? next[line] * LINE + (guint32)(at % LINE) : (guint32)at;
}

/* From 1 to below 2: the upper bits of a hash of the place. */
static guint32 float_at(gsize at)
{
    return 0x3F800000U | ((guint32)at * 2654435769U) >> 9;
}

/* 64 bits of a walk: where the next line is, or in the second place of a line where that one is. */
static guint64 place_of_walk(const PsDriver *driver, const guint32 *next, gsize lines, gsize at)
{
    const gsize line = at / WALK_LINE;
    const guint64 base = driver->calls->addresses ? driver->memory.buffer : 0;
    return base +
           (guint64)(at % WALK_LINE < 2 && line < lines ? next[line] : line) * WALK_LINE * WORD;
}

/* The word at `at`, of which two are 64 bits. */
static guint32 word_of_walk(const PsDriver *driver, const guint32 *next, gsize lines, gsize at)
{
    guint64 place = place_of_walk(driver, next, lines, at / 2 * 2);
    guint32 words[2];
    memcpy(words, &place, sizeof place);
    return words[at % 2];
}

static gboolean write_piece(PsDriver *driver, gsize at, guint32 *words, gsize n, GError **error)
{
    g_autoptr(GBytes) data = g_bytes_new_static(words, n * WORD);
    return driver->calls->write(driver, driver->memory.buffer, at * WORD, data, error);
}

static gboolean write_pattern(PsDriver *driver, PsBenchMemory pattern, gsize n, GError **error)
{
    const gboolean walk = pattern == PS_MEMORY_WALK;
    gsize lines = n / (walk ? WALK_LINE : LINE);
    g_autofree guint32 *next = walk || pattern == PS_MEMORY_RING ? make_ring(lines) : NULL;
    g_autofree guint32 *words = g_new0(guint32, MIN(n, PIECE));
    for (gsize at = 0; at < n; at += PIECE) {
        gsize piece = MIN(PIECE, n - at);
        for (gsize i = 0; i < piece && pattern == PS_MEMORY_SELF; i++)
            words[i] = (guint32)(at + i);
        for (gsize i = 0; i < piece && pattern == PS_MEMORY_FLOATS; i++)
            words[i] = float_at(at + i);
        for (gsize i = 0; i < piece && next; i++)
            words[i] = walk ? word_of_walk(driver, next, lines, at + i)
                            : word_of_ring(next, lines, at + i);
        if (!write_piece(driver, at, words, piece, error))
            return FALSE;
    }
    return TRUE;
}

/* What is to be in memory, as a number: rings and indices are never changed, and serve all
 * programs; all else is the program's own. */
static guint64 content_of(const PsDriverProgram *program)
{
    if (program->pattern == PS_MEMORY_RING || program->pattern == PS_MEMORY_SELF)
        return G_MAXUINT64 - program->pattern;
    return program->serial;
}

gboolean ps_driver_fill(PsDriver *driver, const PsDriverProgram *program, gsize bytes,
                        GError **error)
{
    bytes = MAX(bytes, LINE * WORD); /* kernels that need none get an address all the same */
    guint64 content = content_of(program);
    if (driver->memory.bytes == bytes && driver->content == content)
        return TRUE;
    driver->content = 0;
    if (driver->memory.bytes != bytes)
        discard(driver, &driver->memory);
    if (!ps_store_grow(driver, &driver->memory, bytes, error) ||
        (program->pattern != PS_MEMORY_NONE &&
         !write_pattern(driver, program->pattern, bytes / WORD, error)))
        return FALSE;
    driver->content = content;
    return TRUE;
}
