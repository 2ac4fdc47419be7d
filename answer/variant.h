/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulations of a question of which one thing is changed, many at a time. What they give stands
 * beside what the question itself gave.
 */
#ifndef PIPESIM_ANSWER_VARIANT_H
#define PIPESIM_ANSWER_VARIANT_H

#include "answer/answer-private.h"
#include "answer/cycle-cache.h"

typedef struct {
    PsQuestion question;              /* to be changed by whoever made it */
    GPtrArray *latencies;             /* PsWhatIf, owned; those of the question */
    PsRefinementOptions *refinements; /* owned, those of the question; NULL: the same as before */
    PsIdg *idg;     /* owned, that of the question; NULL: it is the same as before */
    double share;   /* of the run's critical path, what goes by what is changed, as far as that is
                       known: those with more are simulated first */
    double seconds; /* the result; NaN where there is none */
    double half_width; /* of its 95 % interval, in seconds; 0: exact */
    char *why;         /* why there is none; to be set beforehand where that is known */
    gboolean known;    /* seconds are known without simulating */
    gboolean keep;     /* answer is wanted */
    PsAnswer *answer;  /* with its machine and times alone; NULL where there is no result */
    /* For ps_variants_run. */
    char *key; /* of the cache */
    gint64 ticks_per_cycle;
    PsSimResult result; /* its times, in the ticks of the machine that ran */
    gboolean has_result;
    const gint *cancel; /* PsSimOptions, while it runs */
} PsVariant;

PsVariant *ps_variant_new(const PsQuestion *question);
void ps_variant_free(PsVariant *variant);

/* Gives a class of the answer's machine another latency, and leaves all others alone; {0, 1} keeps
 * one of the two. The variant's share grows by what the path has of it. */
void ps_variant_set_latency(PsVariant *variant, const PsAnswer *answer, guint class_index,
                            PsLatency latency);

/* Has so many groups at once. What that hides or shows are latencies, hence its share. */
void ps_variant_set_active(PsVariant *variant, const PsAnswer *answer, gint64 groups);

/* What simulations may take, and what they took. */
typedef struct {
    gint64 most;         /* no more are begun once they have simulated so many warp instructions */
    guint runs;          /* how many were made */
    gint64 instructions; /* that these simulated */
} PsVariantEffort;

/* Simulates all (PsVariant) of that question on that many threads, those with the largest shares
 * first, since time may be out before the others, and tells its progress; what the
 * cache knows, or another of them is found to be the same as, is not simulated. The cache learns
 * what came of it. What the effort allows is decided after every few of them, however many threads
 * there are, so that it is always the same. Adds to the effort; FALSE and *error where a thread
 * cannot be had. */
gboolean ps_variants_run(const PsQuestion *question, const GPtrArray *variants, guint threads,
                         PsCycleCache *cache, PsVariantEffort *effort, GError **error);

/* Of those that were to run, how many did not, since the question's time, or the effort, was spent.
 */
guint ps_variants_untried(const GPtrArray *variants);

/* What is allowed to advice on that answer, each time: of a deadline there is no other end, else it
 * is some runs, of small ones some more. */
gint64 ps_variants_most(const PsQuestion *question, const PsAnswer *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsVariant, ps_variant_free)

#endif
