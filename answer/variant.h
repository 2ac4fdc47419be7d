/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulations of a question with one thing changed, many at a time. Their results stand beside that
 * of the question itself.
 */
#ifndef PIPESIM_ANSWER_VARIANT_H
#define PIPESIM_ANSWER_VARIANT_H

#include "answer/answer-private.h"
#include "answer/cycle-cache.h"

/* A simulation that waits for its turn, which may never come. */
typedef struct {
    const PsCycleCache *cache; /* what is known is not simulated */
    gint64 most;               /* instructions that it might simulate */
    gboolean is_tried;         /* in this pass */
    gboolean is_known;         /* its result, or that it was stopped: */
    PsSimResult result;
} PsVariantEarly;

typedef struct PsVariant PsVariant;
struct PsVariant {
    PsQuestion question;              /* the caller changes it */
    GPtrArray *latencies;             /* PsWhatIf, owned; those of the question */
    PsRefinementOptions *refinements; /* owned, those of the question; NULL: the same as before */
    PsIdg *idg;     /* owned: the graph of the question; NULL: it is made later, or is the same as
                       before */
    double share;   /* of the run's critical path, what goes by what is changed, as far as that is
                       known: those with more are simulated first */
    double seconds; /* the result; NaN if there is none */
    double half_width; /* of its 95 % interval, in seconds; 0: exact */
    char *why;         /* the reason why there is none; set it beforehand if it is known */
    gboolean known;    /* seconds are known without simulating */
    gboolean by_power; /* TRUE if nobody asked for the question's clock: the variant is simulated at
                          the clock that power leaves it (R13) */
    /* Makes the variant's graph from the question's when its turn comes, since each graph takes as
     * much memory as the question's. NULL: it has a graph, or the same as before. If it returns
     * NULL, the variant is not tried. */
    PsIdg *(*make)(PsVariant *variant);
    guint making;                     /* takes so many times as long as a machine of that graph */
    void (*look)(PsVariant *variant); /* looks at the variant's answer, if it has one; may be
                                         NULL */
    gpointer data;                    /* for these two, owned (g_free) */
    double wanted; /* seconds: what a sketch shows to take longer is not simulated precisely */
    /* For ps_variants_run. */
    PsAnswer *answer;   /* with its machine and times alone; NULL outside of `look` */
    char *key;          /* of the cache */
    PsSimResult result; /* its times, in the ticks of the machine that ran */
    gboolean has_result;
    gboolean sketch; /* is wanted now */
    gboolean ended;  /* since it simulated as many as it might */
    gint64 most;     /* copied to PsSimOptions while it runs: */
    const gint *cancel;
    PsVariantEarly early;
};

PsVariant *ps_variant_new(const PsQuestion *question);
void ps_variant_free(PsVariant *variant);

/* Multiplies what each node of a class of the answer's machine takes, and leaves all others alone;
 * {0, 1} keeps one of the two latencies. The variant's share grows by the class's part of the
 * path. */
void ps_variant_times_latency(PsVariant *variant, const PsAnswer *answer, guint class_index,
                              PsLatency factors);

/* Figures of a level so many times: returns the variant's own, for the caller to set. */
PsWhatIf *ps_variant_times_level(PsVariant *variant, const PsAnswer *answer, PsLevel level);

/* Runs so many groups at once. That hides or shows latencies, hence its share. */
void ps_variant_set_active(PsVariant *variant, const PsAnswer *answer, gint64 groups);

/* PsVariant.making of a copy of a graph, and of one that is read or built. */
#define PS_VARIANT_COPIED 3
#define PS_VARIANT_BUILT 12

/* The budget and the cost of simulations, in simulated warp instructions; making a machine counts
 * as some of them for each node of the graph. */
typedef struct {
    gint64 most;       /* G_MAXINT64: whatever they cost */
    gboolean sketches; /* those are made first, and then what may be wanted is made precisely */
    gint64 machine;    /* the cost of making a machine of a graph like the question's */
    /* Instructions that one is thought to simulate, as a sketch and precisely, or more. */
    gint64 sketch, whole;
    gint64 cost;
    guint runs;          /* the number of runs so far */
    gint64 instructions; /* that these simulated */
} PsVariantEffort;

/* Simulates all (PsVariant) of that question on that many threads, those with the largest shares
 * first, since the effort may be spent before the others, and tells its progress; what the
 * cache knows, or another of them is found to be the same as, is not simulated. The cache learns
 * what came of it. What the effort allows is decided after every few of them, however many threads
 * there are, so that it is always the same, and it never costs more. Threads that have nothing else
 * to do simulate what comes next; that counts when its turn comes, or never. Adds to the effort;
 * FALSE and *error where a thread cannot be had. */
gboolean ps_variants_run(const PsQuestion *question, const GPtrArray *variants, guint threads,
                         PsCycleCache *cache, PsVariantEffort *effort, GError **error);

/* How many of those that were to run did not, since the question's time, or the effort, was spent.
 */
guint ps_variants_untried(const GPtrArray *variants);

/* What is allowed to all advice on that answer: with it, the run and what explained that, it is
 * some runs, but no more than takes some seconds; of small ones some more; of a deadline there is
 * no other end. */
PsVariantEffort ps_variants_effort(const PsQuestion *question, const PsAnswer *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsVariant, ps_variant_free)

#endif
