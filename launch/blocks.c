/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of buffers that are filled when they are touched. Random numbers follow one another, so a
 * block needs the generator's state at its beginning. States are kept for at most a thousand places
 * of a buffer, between which numbers are skipped, and for the end of the latest block, since the
 * next one often follows.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "launch/blocks.h"

#include "base/message.h"
#include "launch/random.h"
#include "launch/value.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Numbers of the generator for each element, whatever its type. */
#define PER_ELEMENT 2
#define AT_ONCE 256 /* elements */
#define MOST_PLACES 1024

typedef struct {
    PsPtxBlocks open; /* the first member: a pointer to it is one to the whole */
    PsFill fill;
    char *path;
    guint8 *data;
    gsize size, n_blocks, n_elements;
    guint element; /* bytes */
    /* for a random fill */
    gsize apart;      /* blocks between two places */
    PsRandom *places; /* the state at each place that was reached ... */
    gsize n_places;   /* ... and their number */
    PsRandom last;    /* the state at the end of the latest block ... */
    gsize last_block;
} Lazy;

static void put_element(guint8 *at, guint64 bits, guint size)
{
    for (guint i = 0; i < size; i++)
        at[i] = (guint8)(bits >> (8 * i));
}

/* The limit of fractions. A number that would round up to it becomes the number before it. */
static double end_of_fractions(const PsFill *fill)
{
    return fill->below ? (double)fill->below : 1;
}

static guint64 random_element(const PsFill *fill, const guint32 ints[PER_ELEMENT])
{
    if (ps_value_is_float(fill->type)) {
        const double end = end_of_fractions(fill);
        return MIN(ps_value_float_bits(ps_random_double(ints) * end, fill->type),
                   ps_value_float_bits(end, fill->type) - 1);
    }
    const guint64 bits = (guint64)ints[0] << 32 | ints[1];
    return fill->below ? bits % fill->below : bits;
}

/* Writes elements of the type that most buffers have. */
static void put_singles(const PsFill *fill, guint8 *at, const guint32 *ints, gsize n)
{
    const double end = end_of_fractions(fill);
    const guint32 most = (guint32)ps_value_float_bits(end, PS_PTX_F32) - 1;
    for (gsize i = 0; i < n; i++) {
        const float value = (float)(ps_random_double(&ints[PER_ELEMENT * i]) * end);
        guint32 bits;
        memcpy(&bits, &value, sizeof bits);
        bits = GUINT32_TO_LE(MIN(bits, most));
        memcpy(at + i * sizeof bits, &bits, sizeof bits);
    }
}

static guint64 ramp_element(const PsFill *fill, gsize i)
{
    return ps_value_is_float(fill->type) ? ps_value_float_bits((double)i, fill->type) : i;
}

/* ---- the generator at a block --------------------------------------------------------------- */

static guint64 numbers(const Lazy *lazy, gsize blocks)
{
    return (guint64)PER_ELEMENT * PS_PTX_BLOCK / lazy->element * blocks;
}

/* The nearest known state before the block: the last one, or that of a place. */
static PsRandom reach_block(Lazy *lazy, gsize block)
{
    const gsize place = block / lazy->apart;
    for (; lazy->n_places <= place; lazy->n_places++) {
        lazy->places[lazy->n_places] = lazy->places[lazy->n_places - 1];
        ps_random_skip(&lazy->places[lazy->n_places], numbers(lazy, lazy->apart));
    }
    const gboolean follows = lazy->last_block <= block && lazy->last_block > place * lazy->apart;
    PsRandom random = follows ? lazy->last : lazy->places[place];
    ps_random_skip(&random,
                   numbers(lazy, block - (follows ? lazy->last_block : place * lazy->apart)));
    return random;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Fills a block's elements from `from` up to `to`. */
static void fill_random(Lazy *lazy, gsize block, gsize from, gsize to)
{
    PsRandom random = reach_block(lazy, block);
    guint32 ints[PER_ELEMENT * AT_ONCE];
    for (gsize i = from; i < to; i += AT_ONCE) {
        const gsize n = MIN(to - i, AT_ONCE);
        guint8 *at = lazy->data + i * lazy->element;
        ps_random_ints(&random, ints, PER_ELEMENT * n);
        if (lazy->fill.type == PS_PTX_F32)
            put_singles(&lazy->fill, at, ints, n);
        else
            for (gsize k = 0; k < n; k++)
                put_element(at + k * lazy->element,
                            random_element(&lazy->fill, &ints[PER_ELEMENT * k]), lazy->element);
    }
    lazy->last = random;
    lazy->last_block = block + 1;
}

static void fill_from_file(const Lazy *lazy, gsize block, GError **error)
{
    gsize at = block * PS_PTX_BLOCK;
    const gsize end = MIN(at + PS_PTX_BLOCK, lazy->size);
    errno = 0;
    while (at < end) {
        const ssize_t got = pread(lazy->fill.file, lazy->data + at, end - at, (off_t)at);
        if (got > 0)
            at += (gsize)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    if (at < end && error && !*error)
        ps_error_at(error, PS_ERROR_READ, (PsPlace){lazy->path, 0},
                    "cannot be read from byte %" G_GSIZE_FORMAT " on: %s", at,
                    errno ? g_strerror(errno) : "it has become shorter");
}

static void copy_memory(const Lazy *lazy, gsize block)
{
    const gsize at = block * PS_PTX_BLOCK;
    memcpy(lazy->data + at, lazy->fill.memory + at, MIN(PS_PTX_BLOCK, lazy->size - at));
}

static void make(void *data, gsize block, GError **error)
{
    Lazy *lazy = data;
    lazy->open.made[block] = PS_PTX_BLOCK_MADE;
    if (lazy->fill.kind == PS_FILL_FILE)
        fill_from_file(lazy, block, error);
    if (lazy->fill.kind == PS_FILL_MEMORY)
        copy_memory(lazy, block);
    if (lazy->fill.kind != PS_FILL_RAMP && lazy->fill.kind != PS_FILL_RANDOM)
        return;
    const gsize per_block = PS_PTX_BLOCK / lazy->element, from = block * per_block,
                to = MIN(from + per_block, lazy->n_elements);
    if (lazy->fill.kind == PS_FILL_RANDOM)
        fill_random(lazy, block, from, to);
    else
        for (gsize i = from; i < to; i++)
            put_element(lazy->data + i * lazy->element, ramp_element(&lazy->fill, i),
                        lazy->element);
}

/* Gives the block fresh memory, which takes no space until it is touched. */
static gboolean drop(void *data, gsize block)
{
    Lazy *lazy = data;
    const gsize at = block * PS_PTX_BLOCK;
    if (mmap(lazy->data + at, MIN(PS_PTX_BLOCK, lazy->size - at), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        return FALSE;
    lazy->open.made[block] = 0;
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

PsPtxBlocks *ps_blocks_new(const PsFill *fill, gsize size, guint8 **data, GError **error)
{
    *data = mmap(NULL, MAX(size, 1), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (*data == MAP_FAILED) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "a buffer of %" G_GSIZE_FORMAT " bytes does not fit into memory: %s", size,
                    g_strerror(errno));
        *data = NULL;
        return NULL;
    }
    Lazy *lazy = g_new0(Lazy, 1);
    lazy->fill = *fill;
    lazy->path = g_strdup(fill->path);
    lazy->data = *data;
    lazy->size = size;
    lazy->element = MAX(ps_ptx_type_size(fill->type), 1);
    lazy->n_elements = size / lazy->element;
    lazy->n_blocks = (size + PS_PTX_BLOCK - 1) / PS_PTX_BLOCK;
    lazy->open = (PsPtxBlocks){.n = lazy->n_blocks,
                               .made = g_new0(guint8, lazy->n_blocks + 1),
                               .make = make,
                               .drop = drop,
                               .data = lazy};
    if (fill->kind != PS_FILL_RANDOM)
        return &lazy->open;
    lazy->apart = lazy->n_blocks / MOST_PLACES + 1;
    lazy->places = g_new(PsRandom, lazy->n_blocks / lazy->apart + 1);
    lazy->n_places = 1;
    ps_random_init(&lazy->places[0], fill->seed);
    return &lazy->open;
}

gboolean ps_blocks_are_read_only(const PsPtxBlocks *blocks)
{
    const Lazy *lazy = (const Lazy *)blocks;
    return lazy->fill.kind == PS_FILL_MEMORY && lazy->fill.read_only;
}

gboolean ps_blocks_finish(PsPtxBlocks *blocks, GError **error)
{
    GError *why = NULL;
    for (gsize i = 0; blocks && i < blocks->n && !why; i++)
        if (!blocks->made[i])
            make(blocks->data, i, &why);
    if (why)
        g_propagate_error(error, why);
    return !why;
}

void ps_blocks_free(PsPtxBlocks *blocks)
{
    Lazy *lazy = (Lazy *)blocks;
    if (!lazy)
        return;
    if (lazy->fill.kind == PS_FILL_FILE)
        close(lazy->fill.file);
    munmap(lazy->data, MAX(lazy->size, 1));
    g_free(lazy->path);
    g_free(lazy->places);
    g_free(lazy->open.made);
    g_free(lazy);
}
