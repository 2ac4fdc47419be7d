/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a random case that fills a code with nodes, loops and dependences.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_CODE_H
#define PIPESIM_TESTS_HELP_RANDOM_CODE_H

#include "idg/idg.h"

/* What the nodes of a random code may be made of. */
typedef struct {
    GRand *rand;
    const PsScope *scope; /* the parameters p and q, for trip counts and distances */
    GPtrArray *asked;     /* char *: the classes that nodes may ask for */
    gint64 instances;     /* for random_long_code: about how many a warp is to have */
} RandomParts;

/* Appends 1 to 12 nodes in loops up to 3 deep, at most some 120 instances. */
void random_code(const RandomParts *parts, GPtrArray *body);

/* An expression with that value, sometimes by way of a parameter. */
PsExpr *random_expr(const RandomParts *parts, gint64 value);

#endif
