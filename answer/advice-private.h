/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How advice is made. Each kind of cause has a function that looks whether the answer has signs of
 * it and, where it has, adds an item with a trial: the same run with that cause gone, or made less.
 * When all trials have run, each item with a gain worth telling is put into words by its own
 * function. Internal to advice*.c.
 */
#ifndef PIPESIM_ANSWER_ADVICE_PRIVATE_H
#define PIPESIM_ANSWER_ADVICE_PRIVATE_H

#include "answer/explain.h"
#include "answer/trial.h"

typedef struct AdviceItem AdviceItem;

typedef struct {
    const Question *question;
    const Answer *answer;
    Sensitivities *sensitivities;
    GPtrArray *items; /* AdviceItem */
} AdvicePlan;

/* The sentence, with its gain known (g_free). */
typedef char *(*AdviceTell)(const AdvicePlan *plan, const AdviceItem *item);

struct AdviceItem {
    const char *kind;
    AdviceTell tell;
    Trial *trial; /* NULL: seconds are known */
    Trial *check; /* the opposite change, which can help by chance alone; NULL: none */
    double seconds;
    double gain;
    double least;             /* gain from which it is worth telling */
    double weight;            /* seconds times this is what the work of the launch would take */
    gboolean is_room;         /* gains nothing, but is worth telling where it takes no longer */
    AdviceTell more_than;     /* worth telling only where it gains more than items told by that */
    const char *klass;        /* borrowed; may be NULL */
    guint class_;             /* the machine's that is the cause; G_MAXUINT for none */
    const PsServerRow *level; /* of the answer's that is; may be NULL */
    /* What the sentence needs besides. */
    guint index;   /* of the relief, sensitivity row, pipeline or barrier's warp */
    gint64 number; /* groups; pipelines; another warp */
};

/* Adds one; trial is taken, and may be NULL. */
AdviceItem *advice_add(AdvicePlan *plan, const char *kind, AdviceTell tell, Trial *trial);

/* "would give 5.05 ms instead of 35.1 ms (85.6 % less)" (g_free). */
char *advice_would_give(const AdvicePlan *plan, const AdviceItem *item);

/* Whether one item alone has a gain worth telling; to be asked when gains are known. */
gboolean advice_is_alone(const AdvicePlan *plan);

/* Whether an item is about that pipeline, since it is nearly saturated (advice-code.c, like the
 * next two). */
gboolean advice_tells_pipeline(const AdvicePlan *plan, guint pipeline);

/* Whether a relief says more of that class than other advice would. */
gboolean advice_has_relief(const AdvicePlan *plan, const char *klass);

typedef gboolean (*AdviceBelongs)(const PsMachineClass *bound, const void *to);

/* Half of a latency of all these classes, general ones first: to set that of one puts those that it
 * covers back to what they were. */
void advice_halve(Trial *trial, const Answer *answer, Varies varies, AdviceBelongs belongs,
                  const void *to);

/* The kinds: advice-code.c, advice-memory.c, advice-latency.c, advice-wait.c, advice-launch.c. */
void advice_conflicts(AdvicePlan *plan);
void advice_pipelines(AdvicePlan *plan);
void advice_levels(AdvicePlan *plan);
void advice_latencies(AdvicePlan *plan);
void advice_barriers(AdvicePlan *plan);
void advice_ports(AdvicePlan *plan);
void advice_occupancy(AdvicePlan *plan);
void advice_tail(AdvicePlan *plan);
void advice_launch(AdvicePlan *plan);

#endif
