/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of GLib's GRand, from any place on: a buffer is filled where it is first read, and
 * GRand itself can only go on number by number, ten times as slowly. Both are the Mersenne twister
 * (M. Matsumoto, T. Nishimura, ACM TOMACS 8, 1998), seeded as its authors do since 2002.
 */
#ifndef PIPESIM_LAUNCH_RANDOM_H
#define PIPESIM_LAUNCH_RANDOM_H

#include <glib.h>

#define PS_RANDOM_WORDS 624

typedef struct {
    guint32 words[PS_RANDOM_WORDS];
    guint next; /* place among the words; behind the last one, new ones are made */
} PsRandom;

void ps_random_init(PsRandom *random, guint32 seed);

/* The next n numbers, as g_rand_int gives them. */
void ps_random_ints(PsRandom *random, guint32 *restrict to, gsize n);

/* The fraction that g_rand_double makes of two of these numbers. GRand takes two more if rounding
 * gives 1, once in 2^54 times. */
double ps_random_double(const guint32 ints[2]);

/* Skips that many whole numbers. */
void ps_random_skip(PsRandom *random, guint64 n);

#endif
