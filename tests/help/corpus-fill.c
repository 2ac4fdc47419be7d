/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contents of the corpus's buffers, and small pieces of arithmetic that its launches share. The
 * generator is our own, so that the data are the same everywhere and in all versions of GLib.
 */
#include "tests/help/corpus.h"

#include <math.h>
#include <string.h>

/* A linear congruential generator of 64 bits in two steps would be better; for data this is good
 * enough: its upper bits are used, mixed once. */
guint32 corpus_random(guint32 *state)
{
    *state = *state * 1664525u + 1013904223u;
    const guint32 mixed = (*state ^ (*state >> 15)) * 0x2c1b3c6du;
    return mixed ^ (mixed >> 13);
}

void corpus_fill_floats(gpointer data, guint count, guint32 seed)
{
    float *values = data;
    for (guint i = 0; i < count; i++)
        values[i] = ((float)(corpus_random(&seed) >> 16) - 32768.0f) / 32768.0f;
}

void corpus_fill_positive(gpointer data, guint count, guint32 seed)
{
    float *values = data;
    for (guint i = 0; i < count; i++)
        values[i] = 0.5f + (float)(corpus_random(&seed) >> 16) / 131072.0f;
}

void corpus_fill_ints(gpointer data, guint count, guint32 seed)
{
    gint32 *values = data;
    for (guint i = 0; i < count; i++)
        values[i] = (gint32)(corpus_random(&seed) % 2000) - 1000;
}

void corpus_fill_bytes(gpointer data, guint count, guint32 seed)
{
    guint8 *values = data;
    for (guint i = 0; i < count; i++) {
        const guint32 bits = corpus_random(&seed);
        values[i] = (guint8)(bits & (bits >> 8));
    }
}

/* A multiple of 1/16 from [-4, 4) has at most seven significant bits. */
void corpus_fill_halves(gpointer data, guint count, guint32 seed)
{
    guint16 *values = data;
    for (guint i = 0; i < count; i++) {
        const gint32 sixteenths = (gint32)(corpus_random(&seed) >> 25) - 64;
        const guint16 sign = sixteenths < 0 ? 0x8000 : 0;
        guint32 magnitude = (guint32)ABS(sixteenths);
        guint16 exponent = 15 + 2; /* of 64 sixteenths, which are 4.0 */
        if (magnitude == 0) {
            values[i] = 0;
            continue;
        }
        while (magnitude < 64) {
            magnitude *= 2;
            exponent--;
        }
        values[i] = (guint16)(sign | exponent << 10 | (magnitude - 64) << 4);
    }
}

void corpus_fill_words(gpointer data, guint count, guint32 seed)
{
    guint64 *words = data;
    for (guint i = 0; i < count; i++) {
        const guint64 high = corpus_random(&seed);
        words[i] = high << 32 | corpus_random(&seed);
    }
}

float corpus_half(guint16 bits)
{
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const float magnitude = exponent == 0 ? ldexpf((float)fraction, -24)
                                          : ldexpf((float)(1024 + fraction), exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

float corpus_warp_sum(const float values[32])
{
    float sums[32];
    memcpy(sums, values, sizeof sums);
    for (guint distance = 16; distance > 0; distance /= 2)
        for (guint lane = 0; lane < distance; lane++)
            sums[lane] += sums[lane + distance];
    return sums[0];
}
