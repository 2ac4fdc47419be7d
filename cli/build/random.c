/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-random.h. */
#include "cli/build/random.h"

/* Word i follows from the words i, i + 1 and i + FAR of those before. */
#define FAR 397

void random_init(Random *random, guint32 seed)
{
    guint32 *words = random->words;
    words[0] = seed;
    for (guint i = 1; i < RANDOM_WORDS; i++)
        words[i] = 1812433253U * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
    random->next = RANDOM_WORDS;
}

static inline guint32 follow(guint32 high, guint32 low, guint32 far)
{
    const guint32 both = (high & 0x80000000U) | (low & 0x7fffffffU);
    return far ^ (both >> 1) ^ ((0 - (both & 1)) & 0x9908b0dfU);
}

static void make_words(Random *random)
{
    guint32 *words = random->words;
    for (guint i = 0; i < RANDOM_WORDS - FAR; i++)
        words[i] = follow(words[i], words[i + 1], words[i + FAR]);
    for (guint i = RANDOM_WORDS - FAR; i < RANDOM_WORDS - 1; i++)
        words[i] = follow(words[i], words[i + 1], words[i + FAR - RANDOM_WORDS]);
    words[RANDOM_WORDS - 1] = follow(words[RANDOM_WORDS - 1], words[0], words[FAR - 1]);
    random->next = 0;
}

guint32 random_int(Random *random)
{
    if (random->next == RANDOM_WORDS)
        make_words(random);
    guint32 word = random->words[random->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

double random_double(Random *random)
{
    const double low = random_int(random) * 0x1p-32;
    return (low + random_int(random)) * 0x1p-32;
}

void random_skip(Random *random, guint64 n)
{
    while (n > RANDOM_WORDS - random->next) {
        n -= RANDOM_WORDS - random->next;
        make_words(random);
    }
    random->next += (guint)n;
}
