/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of GLib's GRand, from any place on: a buffer is filled where it is read first, and
 * GRand itself can only go on number by number, ten times as slowly. Both are the Mersenne twister
 * (M. Matsumoto, T. Nishimura, ACM TOMACS 8, 1998), seeded as its authors do since 2002.
 */
#ifndef PIPESIM_CLI_BUILD_RANDOM_H
#define PIPESIM_CLI_BUILD_RANDOM_H

#include <glib.h>

#define RANDOM_WORDS 624

typedef struct {
    guint32 words[RANDOM_WORDS];
    guint next; /* of the words; behind the last one, new ones are made */
} Random;

void random_init(Random *random, guint32 seed);

/* As g_rand_int and g_rand_double, but that the latter takes two whole numbers always: GRand takes
 * two more if rounding gives 1, once in 2^54 times. */
guint32 random_int(Random *random);
double random_double(Random *random);

/* As if that many whole numbers were taken. */
void random_skip(Random *random, guint64 n);

#endif
