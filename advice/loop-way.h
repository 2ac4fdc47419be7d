/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ways to write a loop, or straight code, with their gain and cost: the data of advice on either.
 * Internal to this folder.
 */
#ifndef PIPESIM_ADVICE_LOOP_WAY_H
#define PIPESIM_ADVICE_LOOP_WAY_H

#include "advice/kind.h"

/* A way to write a loop, and its gain. */
typedef struct {
    guint times;           /* iterations at once; 1: as it is */
    gboolean ahead;        /* TRUE: an iteration loads for the next one */
    guint sums;            /* how many sums each sum becomes, added up behind the loop */
    gboolean rounds;       /* of floating point, so that results are rounded otherwise */
    gboolean passes_store; /* loads come before stores that they came after: somebody must know that
                              these write elsewhere */
    gboolean apart;        /* a barrier or a branch in it keeps iterations one after the other */
    guint loads;           /* in an iteration */
    guint registers;       /* per thread that it takes more, as estimated */
    double seconds;        /* NaN if not known */
} PsLoopWay;

/* The result of `#pragma unroll` before a loop of several iterations at once, by the compiler. */
typedef struct {
    guint times;    /* the number that was asked for; 0: none was */
    gboolean same;  /* it makes the same code */
    double seconds; /* the time of the other code; NaN if it is the same, or not known */
    char *why;      /* why that is not known, a clause; NULL: it is, or nobody asked */
} PsPragma;

typedef struct {
    guint loop;      /* a node of the program in its own body, by whose line it is known */
    GArray *ways;    /* PsLoopWay; the first is it, others were tried beside; of straight code one,
                        whose loads are those that come earlier */
    PsPragma pragma; /* of a loop */
} PsLoopWays;

/* Gives advice such data, with one way. */
void ps_loop_ways_init(PsAdvice *advice, guint loop, const PsLoopWay *way);
void ps_loop_ways_clear(void *ways);

static inline PsLoopWay *ps_loop_way(const PsAdvice *advice, guint i)
{
    return &g_array_index(((const PsLoopWays *)advice->data)->ways, PsLoopWay, i);
}

/* A clause with what must be known for that way, and its cost, for the end of the sentence's first
 * part, up to a comma (g_free). */
char *ps_loop_price(const PsLoopWay *way);

/* TRUE if the critical path waits there for loaded values. */
gboolean ps_advice_is_load(const PsAnswer *answer, const PsPathRow *row);

/* Adds the registers of 32 bits that values under way need, so that fewer groups may fit. FALSE if
 * a thread cannot have that many. */
gboolean ps_advice_add_registers(const PsAnswer *answer, guint words, PsIdg *idg);

/* Whether it is advice on a loop. */
gboolean ps_advice_is_loop(const PsAdvice *advice);

#endif
