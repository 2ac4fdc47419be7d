/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers come one after the other, so that a block needs the state of the generator at its
 * beginning: it is kept for all blocks that were passed, and not yet filled.
 */
#include "launch/blocks.h"

#include "launch/random.h"
#include "launch/value.h"

#include <string.h>

/* Whole numbers of the generator that each element takes, whatever its type. */
#define PER_ELEMENT 2
#define AT_ONCE 256 /* elements */

typedef struct {
    PsPtxBlocks open; /* first, so that each pointer is one to the other */
    PsFill fill;
    guint8 *data;
    gsize n_blocks, n_elements;
    guint element;    /* bytes */
    PsRandom **begin; /* of a random fill: the state at each block's beginning, or NULL */
    gsize reached;    /* the last block whose state was found */
} Lazy;

static void put_element(guint8 *at, guint64 bits, guint size)
{
    for (guint i = 0; i < size; i++)
        at[i] = (guint8)(bits >> (8 * i));
}

static guint64 random_element(const PsFill *fill, const guint32 ints[PER_ELEMENT])
{
    if (ps_value_is_float(fill->type))
        return ps_value_float_bits(ps_random_double(ints) * (fill->below ? (double)fill->below : 1),
                                   fill->type);
    const guint64 bits = (guint64)ints[0] << 32 | ints[1];
    return fill->below ? bits % fill->below : bits;
}

/* Elements of the type that most buffers have. */
static void put_singles(const PsFill *fill, guint8 *at, const guint32 *ints, gsize n)
{
    const double times = fill->below ? (double)fill->below : 1;
    for (gsize i = 0; i < n; i++) {
        const float value = (float)(ps_random_double(&ints[PER_ELEMENT * i]) * times);
        guint32 bits;
        memcpy(&bits, &value, sizeof bits);
        bits = GUINT32_TO_LE(bits);
        memcpy(at + i * sizeof bits, &bits, sizeof bits);
    }
}

static guint64 ramp_element(const PsFill *fill, gsize i)
{
    return ps_value_is_float(fill->type) ? ps_value_float_bits((double)i, fill->type) : i;
}

/* ---- the generator at a block --------------------------------------------------------------- */

static void reach_block(Lazy *lazy, gsize block)
{
    const guint64 numbers = (guint64)PER_ELEMENT * PS_PTX_BLOCK / lazy->element;
    for (; lazy->reached < block; lazy->reached++) {
        PsRandom *next = g_memdup2(lazy->begin[lazy->reached], sizeof *next);
        ps_random_skip(next, numbers);
        lazy->begin[lazy->reached + 1] = next;
        if (lazy->open.made[lazy->reached])
            g_clear_pointer(&lazy->begin[lazy->reached], g_free);
    }
}

/* Fills the elements from `from` up to `to`, of a block. */
static void fill_random(Lazy *lazy, gsize block, gsize from, gsize to)
{
    reach_block(lazy, block);
    PsRandom random = *lazy->begin[block];
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
    /* The next block's is found by that of the last one reached. */
    if (block < lazy->reached)
        g_clear_pointer(&lazy->begin[block], g_free);
}

static void make(void *data, gsize block)
{
    Lazy *lazy = data;
    const gsize per_block = PS_PTX_BLOCK / lazy->element, from = block * per_block,
                to = MIN(from + per_block, lazy->n_elements);
    lazy->open.made[block] = TRUE;
    if (lazy->fill.random) {
        fill_random(lazy, block, from, to);
        return;
    }
    for (gsize i = from; i < to; i++)
        put_element(lazy->data + i * lazy->element, ramp_element(&lazy->fill, i), lazy->element);
}

/* ---- the whole ------------------------------------------------------------------------------ */

PsPtxBlocks *ps_blocks_new(const PsFill *fill, guint8 *data, gsize size)
{
    Lazy *lazy = g_new0(Lazy, 1);
    lazy->fill = *fill;
    lazy->data = data;
    lazy->element = ps_ptx_type_size(fill->type);
    lazy->n_elements = size / lazy->element;
    lazy->n_blocks = (size + PS_PTX_BLOCK - 1) / PS_PTX_BLOCK;
    lazy->open = (PsPtxBlocks){g_new0(guint8, lazy->n_blocks + 1), make, lazy};
    if (!fill->random)
        return &lazy->open;
    lazy->begin = g_new0(PsRandom *, lazy->n_blocks + 1);
    lazy->begin[0] = g_new(PsRandom, 1);
    ps_random_init(lazy->begin[0], fill->seed);
    return &lazy->open;
}

void ps_blocks_finish(PsPtxBlocks *blocks)
{
    const Lazy *lazy = (const Lazy *)blocks;
    for (gsize i = 0; lazy && i < lazy->n_blocks; i++)
        if (!blocks->made[i])
            make(blocks->data, i);
}

void ps_blocks_free(PsPtxBlocks *blocks)
{
    Lazy *lazy = (Lazy *)blocks;
    if (!lazy)
        return;
    for (gsize i = 0; lazy->begin && i <= lazy->n_blocks; i++)
        g_free(lazy->begin[i]);
    g_free(lazy->begin);
    g_free(lazy->open.made);
    g_free(lazy);
}
