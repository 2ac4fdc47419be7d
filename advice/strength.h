/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes advice on operations that could be cheaper ones. A kind chooses the replacement of nodes.
 * It is tried on each source line with enough of them on the critical path, and on all of them.
 * Internal to this folder.
 */
#ifndef PIPESIM_ADVICE_STRENGTH_H
#define PIPESIM_ADVICE_STRENGTH_H

#include "advice/kind.h"

/* The chosen replacements of nodes of the answer's kernel. */
typedef struct {
    const PsAnswer *answer;
    GHashTable
        *to; /* PsIdgItem, borrowed of the kernel -> text as in lift/emit/rewrite.h, interned */
    double **share;           /* for each program and node, of the critical path */
    const PsIdgItem ***whole; /* for each node, the one with the result of its operation; maybe
                                 itself */
} PsStrength;

PsStrength *ps_strength_new(const PsAnswer *answer);
void ps_strength_free(PsStrength *strength);

static inline const PsIdgItem *ps_strength_whole(const PsStrength *strength, guint program,
                                                 guint node)
{
    return strength->whole[program][node];
}

/* TRUE if both are of one source line. */
gboolean ps_strength_is_on(const PsIdgItem *a, const PsIdgItem *b);

/* Whether it is an access that moves other than 4 bytes per thread. */
gboolean ps_strength_moves_wide(const PsIdgItem *item);

/* Makes a node become that. */
void ps_strength_set(PsStrength *strength, const PsIdgItem *node, const char *text);

/* The replacement of a node on a GPU; NULL: it stays. */
typedef const char *(*PsStrengthTo)(const PsIdgItem *node, const PsGpu *gpu);

/* Chooses a replacement for each node that is no part of another. */
void ps_strength_choose(PsStrength *strength, PsStrengthTo to);

/* The variants: each line by itself, at most three; several such lines together; all lines. */
typedef enum { PS_STRENGTH_LINES, PS_STRENGTH_SEVERAL, PS_STRENGTH_TOGETHER } PsStrengthWhere;

/* What an item says. */
typedef struct {
    PsCause cause;
    const PsAdviceChange *change;
} PsAdviceAbout;

/* Adds items on lines that the path has enough of. */
void ps_strength_add(PsAdvicePlan *plan, const PsStrength *strength, PsStrengthWhere where,
                     const PsAdviceAbout *about);

/* Chooses by `to`, and adds the items. */
void ps_strength_try(PsAdvicePlan *plan, PsStrengthTo to, PsStrengthWhere where,
                     const PsAdviceAbout *about);

/* ---- what is said of it -------------------------------------------------------------------- */

/* The data of such advice, for the operation there with the largest part of the path. */
typedef struct {
    char *op;            /* as PTX calls it; clean */
    char *by;            /* what an integer division divides by, clean; else NULL */
    guint before, after; /* instructions that it takes, and would take */
    guint lines;         /* source lines with changed operations */
} PsCheaper;

void ps_cheaper_clear(void *cheaper);
void ps_cheaper_tell(const PsAdvice *advice, PsTold *facts);

/* "a division takes 10 instructions" (g_free). */
char *ps_cheaper_cost(const PsCheaper *cheaper, const char *of);

/* ", which changes 3 lines,"; "" of one (g_free). */
char *ps_cheaper_lines(const PsCheaper *cheaper);

/* The change (taken), and its gain (g_free). */
char *ps_cheaper_sentence(const PsAnswer *answer, const PsAdvice *advice, char *what);

#define PS_CHEAPER_CHANGE(is, says)                                                                \
    {                                                                                              \
        .name = (is), .sentence = (says), .tell_figures = ps_cheaper_tell,                         \
        .clear = ps_cheaper_clear                                                                  \
    }

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsStrength, ps_strength_free)

#endif
