/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run by machine instruction, in the compiler's order: how often each issued, its share of the
 * critical path, and what its warps waited for before it. Every figure is a sum over the nodes that
 * the instruction became; so sums over the instructions of a source line are the line's.
 */
#ifndef PIPESIM_ANSWER_LISTING_H
#define PIPESIM_ANSWER_LISTING_H

#include "answer/explain.h"
#include "sass/sass.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A wait of warps of one kind before they issued an instruction; ISSUING and HOLD: after it. */
typedef struct {
    PsWaitKind kind;
    guint which;   /* as of PsWaitRow */
    guint on;      /* the instruction of the listing whose result it is; G_MAXUINT: none's */
    PsLevel level; /* the last one that half of that result's bytes come from; PS_N_LEVELS: none */
    double ticks;  /* of warps */
} PsListingWait;

/* An instruction. */
typedef struct {
    const PsSassInstruction *instruction; /* borrowed */
    guint number;
    char *text;          /* "@!P0 FFMA R4,R5,R6,R4" */
    char *line;          /* "mmul.cu:31", clean; NULL: not known */
    int ptx_line;        /* 0: not known */
    guint live;          /* registers, ps_sass_live */
    gboolean node;       /* TRUE if the graph has it: it was executed, and is more than a wait for
                            others */
    gint64 issued;       /* warp instructions on the simulated CUs */
    gint64 ticks, times; /* of the critical path that is charged to it, and in how many stretches */
    GArray *waits;       /* PsListingWait, largest first */
    double waited;       /* ticks of warps, in all states but ISSUING */
} PsListingRow;

typedef struct {
    const PsAnswer *answer; /* borrowed, like the code */
    const PsSassCode *code;
    GPtrArray *rows;  /* PsListingRow, without what only fills the code up at its end */
    double warps;     /* that ran on the simulated CUs */
    gint64 elsewhere; /* ticks of the critical path that are no instruction's: launches, drains */
} PsListing;

/* The listing of an answer that was asked to explain itself (PsQuestion.explain), for a graph of
 * that code. */
PsListing *ps_listing_new(const PsAnswer *answer, const PsSassCode *code);
void ps_listing_free(PsListing *listing);

/* How often a warp issued the instruction, as a mean of all warps. */
double ps_listing_per_warp(const PsListing *listing, const PsListingRow *row);

/* Ticks of warps as a share of the time of all places for warps, as of ps_explain_wait_share. */
double ps_listing_wait_share(const PsListing *listing, double ticks);

/* The needs of the code as a whole. */
typedef struct {
    guint instructions; /* in the listing */
    guint registers;
    guint live;          /* the most at once */
    guint64 stack;       /* bytes of a thread */
    guint loads, stores; /* to a thread's own memory, where spilled registers go */
    double issued;       /* instructions of a warp, in the mean */
    double spills;       /* of these: such loads and stores */
} PsListingTotals;

PsListingTotals ps_listing_totals(const PsListing *listing);

/* ---- two of them ---------------------------------------------------------------------------- */

/* The fate of an instruction. */
typedef enum {
    PS_LISTING_SAME,    /* in other registers perhaps */
    PS_LISTING_CHANGED, /* the opcode is the same, but not its guard or its operands */
    PS_LISTING_MOVED,   /* the same, but in another place */
    PS_LISTING_ONLY_A,
    PS_LISTING_ONLY_B
} PsListingChange;

typedef struct {
    PsListingChange change;
    const PsListingRow *rows[2]; /* borrowed; NULL: that listing lacks it */
} PsListingPair;

/* Two listings as one. As many instructions as possible stand beside each other, in the order of
 * both: first those with the same opcode and modifiers, among them first those with the same
 * registers. An instruction that moved stands at its place in B. PsListingPair; the array is the
 * caller's. Takes time with the product of their lengths, up to some thousands of instructions. */
GArray *ps_listing_align(const PsListing *a, const PsListing *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsListing, ps_listing_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
