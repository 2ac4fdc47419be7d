/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/random.h"

/* Word i follows from the words i, i + 1 and i + FAR of those before. */
#define FAR 397

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

static void make_words(PsRandom *random)
{
    guint32 *words = random->words;
    for (guint i = 0; i < PS_RANDOM_WORDS - FAR; i++)
        words[i] = follow(words[i], words[i + 1], words[i + FAR]);
    for (guint i = PS_RANDOM_WORDS - FAR; i < PS_RANDOM_WORDS - 1; i++)
        words[i] = follow(words[i], words[i + 1], words[i + FAR - PS_RANDOM_WORDS]);
    words[PS_RANDOM_WORDS - 1] = follow(words[PS_RANDOM_WORDS - 1], words[0], words[FAR - 1]);
    random->next = 0;
}

guint32 ps_random_int(PsRandom *random)
{
    if (random->next == PS_RANDOM_WORDS)
        make_words(random);
    guint32 word = random->words[random->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

double ps_random_double(PsRandom *random)
{
    const double low = ps_random_int(random) * 0x1p-32;
    return (low + ps_random_int(random)) * 0x1p-32;
}

void ps_random_skip(PsRandom *random, guint64 n)
{
    while (n > PS_RANDOM_WORDS - random->next) {
        n -= PS_RANDOM_WORDS - random->next;
        make_words(random);
    }
    random->next += (guint)n;
}
