/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/random.h"

#include <string.h>

/* Each word follows from the words i, i + 1 and i + FAR of the previous state. */
#define FAR 397
#define EIGHT 8

void ps_random_init(PsRandom *random, guint32 seed)
{
    guint32 *words = random->words;
    words[0] = seed;
    for (guint i = 1; i < PS_RANDOM_WORDS; i++)
        words[i] = 1812433253U * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
    random->next = PS_RANDOM_WORDS;
}

static inline guint32 follow(guint32 high, guint32 low, guint32 far)
{
    const guint32 both = (high & 0x80000000U) | (low & 0x7fffffffU);
    return far ^ (both >> 1) ^ ((0 - (both & 1)) & 0x9908b0dfU);
}

/* Computes n words; `far` are the words FAR further. It does eight at a time, for which compilers
 * have vector instructions. */
static inline void follow_all(guint32 *words, const guint32 *far, guint n)
{
    guint i = 0;
    for (; i + EIGHT <= n; i += EIGHT) {
        guint32 made[EIGHT];
        for (guint k = 0; k < EIGHT; k++)
            made[k] = follow(words[i + k], words[i + k + 1], far[i + k]);
        memcpy(&words[i], made, sizeof made);
    }
    for (; i < n; i++)
        words[i] = follow(words[i], words[i + 1], far[i]);
}

static void make_words(PsRandom *random)
{
    guint32 *words = random->words;
    const guint near = PS_RANDOM_WORDS - FAR;
    follow_all(words, words + FAR, near);
    follow_all(words + near, words, FAR - 1);
    words[PS_RANDOM_WORDS - 1] = follow(words[PS_RANDOM_WORDS - 1], words[0], words[FAR - 1]);
    random->next = 0;
}

static inline guint32 temper(guint32 word)
{
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

void ps_random_ints(PsRandom *random, guint32 *restrict to, gsize n)
{
    while (n > 0) {
        if (random->next == PS_RANDOM_WORDS)
            make_words(random);
        const gsize some = MIN(n, PS_RANDOM_WORDS - random->next);
        const guint32 *from = &random->words[random->next];
        gsize i = 0;
        for (; i + EIGHT <= some; i += EIGHT)
            for (guint k = 0; k < EIGHT; k++)
                to[i + k] = temper(from[i + k]);
        for (; i < some; i++)
            to[i] = temper(from[i]);
        random->next += (guint)some;
        to += some;
        n -= some;
    }
}

double ps_random_double(const guint32 ints[2])
{
    return (ints[0] * 0x1p-32 + ints[1]) * 0x1p-32;
}

void ps_random_skip(PsRandom *random, guint64 n)
{
    while (n > PS_RANDOM_WORDS - random->next) {
        n -= PS_RANDOM_WORDS - random->next;
        make_words(random);
    }
    random->next += (guint)n;
}
