/* SPDX-License-Identifier: BSD-3-Clause */
/* See descriptor.h. */
#include "ptx/run/descriptor.h"
#include "ptx/run/warp.h"
#include <string.h>

#define CHUNK 16U /* bytes that always lie together */

typedef struct {
    guint64 start;
    guint64 leading, stride; /* bytes */
    guint width;             /* width of the swizzle; 0: there is none */
    guint64 base;            /* how far the pattern of the swizzle begins after a multiple of it */
} Descriptor;

static Descriptor take_apart(guint64 word)
{
    static const guint widths[] = {0, 128, 64, 32};
    return (Descriptor){.start = (word & 0x3fff) << 4,
                        .leading = (word >> 16 & 0x3fff) << 4,
                        .stride = (word >> 32 & 0x3fff) << 4,
                        .width = widths[word >> 62],
                        .base = (word >> 49 & 7) << 7};
}

/* Bytes from the start to a piece of CHUNK bytes before the swizzle. row: its number in the
 * direction in which pieces are core matrices' rows, chunk: in the other. */
static guint64 offset_of(const Descriptor *descriptor, gboolean across, guint row, guint chunk)
{
    const guint inner = MAX(descriptor->width, CHUNK) / CHUNK;
    const guint64 in_core = (guint64)(row % 8) * inner * CHUNK;
    if (!across) /* a row's pieces lie side by side, or `leading` apart if there is no swizzle */
        return in_core + row / 8 * descriptor->stride +
               chunk * (descriptor->width > 0 ? CHUNK : descriptor->leading);
    if (descriptor->width == 0)
        return in_core + chunk * descriptor->stride + row / 8 * descriptor->leading;
    return in_core + chunk % inner * CHUNK + chunk / inner * descriptor->leading +
           row / 8 * descriptor->stride;
}

static guint64 place_of(const Descriptor *descriptor, guint64 offset)
{
    const guint64 at = descriptor->start + offset;
    return ps_ptx_swizzled(at - descriptor->base, descriptor->width) + descriptor->base;
}

static guint elements_of_chunk(const PsPtxFactor *factor)
{
    return factor->bits > 0 ? CHUNK : CHUNK * 8 / ps_ptx_element_bits(factor->element);
}

/* Puts the elements of a piece where they belong. */
static void put_piece(const guint8 *from, const PsPtxFactor *factor, guint row, guint chunk,
                      PsPtxFactorTo to)
{
    const guint bits = factor->bits > 0 ? factor->bits : ps_ptx_element_bits(factor->element);
    const guint n = elements_of_chunk(factor);
    guint8 bytes[CHUNK + 8] = {0};
    memcpy(bytes, from, CHUNK);
    for (guint first = 0; first < n; first += PS_PTX_LANES) {
        const guint some = MIN(n - first, PS_PTX_LANES);
        guint64 code[PS_PTX_LANES] = {0};
        double value[PS_PTX_LANES];
        for (guint i = 0; i < some; i++) {
            guint64 word;
            memcpy(&word, bytes + (first + i) * bits / 8, sizeof word);
            code[i] = word >> (first + i) * bits % 8;
        }
        ps_ptx_element_values(PS_PTX_PLAIN, factor->element, code, value);
        for (guint i = 0; i < some; i++) {
            const guint along = chunk * n + first + i;
            to.to[(factor->across ? along : row) * to.n_step +
                  (factor->across ? row : along) * to.k_step] = value[i];
        }
    }
}

gboolean ps_ptx_descriptor_read(PsPtxWarp *warp, const PsPtxStep *step, guint64 descriptor,
                                const PsPtxFactor *factor, const char *what, PsPtxFactorTo to)
{
    const PsPtxMachine *machine = factor->group ? factor->group : ps_ptx_runner(warp)->machine;
    Descriptor from = take_apart(descriptor);
    const guint per = elements_of_chunk(factor);
    const guint rows = factor->across ? factor->k : factor->n;
    const guint chunks = (factor->across ? factor->n : factor->k) / per;
    from.start &= machine->place[PS_PTX_SHARED];
    for (guint row = 0; row < rows; row++)
        for (guint chunk = 0; chunk < chunks; chunk++) {
            const guint64 at = place_of(&from, offset_of(&from, factor->across, row, chunk));
            if (at + CHUNK > machine->shared_bytes) {
                ps_ptx_fail(warp, step, 0,
                            "%s whose descriptor 0x%016" G_GINT64_MODIFIER
                            "x (start 0x%" G_GINT64_MODIFIER "x, leading %" G_GUINT64_FORMAT
                            ", stride %" G_GUINT64_FORMAT
                            ", swizzle %u bytes) reaches byte %" G_GUINT64_FORMAT
                            " of the %" G_GUINT64_FORMAT " of shared memory",
                            what, descriptor, from.start, from.leading, from.stride, from.width, at,
                            machine->shared_bytes);
                return FALSE;
            }
            if (to.to)
                put_piece(machine->shared + at, factor, row, chunk, to);
        }
    return TRUE;
}

const char *ps_ptx_descriptor_of_tensor(guint64 word, guint64 *descriptor)
{
    static const guint8 swizzles[] = {[0] = 0, [2] = 1, [4] = 2, [6] = 3};
    const guint swizzle = (guint)(word >> 61);
    if ((word >> 52 & 1) != 0)
        return "a leading dimension that is an address, which is not executed";
    if (swizzle == 1)
        return "a swizzle of pieces of 32 bytes, which is not executed";
    if (swizzle % 2 != 0)
        return "a swizzle that there is not";
    *descriptor =
        (word & ((guint64)7 << 49 | (((guint64)1 << 46) - 1))) | (guint64)swizzles[swizzle] << 62;
    return NULL;
}
