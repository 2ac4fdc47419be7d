/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The making of advice. A kind is one file: it looks for signs of its cause in the answer and, if
 * there are some, adds an item with a variant: the same run with that cause gone or made less. When
 * all variants have run, each item with enough gain is advice; its change has its words and facts.
 * answer/causes.h lists all kinds. Internal to this folder.
 */
#ifndef PIPESIM_ADVICE_KIND_H
#define PIPESIM_ADVICE_KIND_H

#include "advice/advice.h"
#include "answer/variant.h"
#include "tell/facts.h"

typedef struct PsAdviceChange PsAdviceChange;

typedef struct {
    const PsQuestion *question;
    const PsAnswer *answer;
    PsSensitivities *sensitivities;
    GPtrArray *items;       /* PsAdviceItem */
    PsVariantEffort effort; /* what it may cost, and does */
    PsOccupancyStep *step;  /* what the next step of occupancy gives; NULL: not known */
    gboolean by_power;      /* what is changed may be at another clock (R13) */
} PsAdvicePlan;

typedef struct {
    PsAdvice *advice;   /* its class is the name that it has; its gain follows from the variant */
    PsVariant *variant; /* NULL: seconds are known */
    PsVariant *check;   /* the opposite change, which can help by chance alone; NULL: none */
    double least;       /* gain from which it is worth telling */
    double weight;      /* seconds times this is the time that the launch's work would take */
    const PsAdviceChange *more_than; /* it is told only where it gains more than items of that
                                        change; NULL: than none */
} PsAdviceItem;

/* The change that a variant makes, and how it is told. Only sentence is needed. */
struct PsAdviceChange {
    const char *name; /* "late-warp" */
    /* The change, with numbers, and its gain (g_free). No full stop. */
    char *(*sentence)(const PsAnswer *answer, const PsAdvice *advice);
    /* Tells the figures of the sentence as entries, and facts of its own beside them. */
    void (*tell_figures)(const PsAdvice *advice, PsTold *facts);
    void (*tell_own)(const PsAnswer *answer, const PsAdvice *advice, PsTold *facts);
    void (*clear)(void *data); /* frees what the advice's data own */
    /* Whether it is about a class of the machine's; NULL: about its own class, or the launch. */
    gboolean (*is_about)(const PsAnswer *answer, const PsAdvice *advice, guint class_index);
    /* TRUE if advice that is already told says as much. */
    gboolean (*is_covered)(const PsAdvice *advice, const PsAdvice *told);
    /* Whether the variant does the work of the answer's kernel. */
    gboolean (*holds)(const PsAnswer *answer, const PsVariant *variant);
    /* TRUE: the advice may be told although it makes this launch no faster, if there is room for
     * more work. */
    gboolean (*has_room)(const PsAnswer *answer, const PsAdvice *advice);
    gboolean is_nearer; /* more_than: its gain counts twice, since the other is a bound */
};

/* A kind of advice: a file that defines one, as ps_advice_kind_NAME. */
typedef struct {
    void (*find)(PsAdvicePlan *plan); /* looks for signs, and adds items */
    gboolean copies_graph; /* by graphs of the kernel as it would be, each as large as the graph */
    void (*conclude)(PsAdvicePlan *plan); /* when all gains are known; NULL: nothing is left */
} PsAdviceKind;

/* ---- items (item.c) ------------------------------------------------------------------------ */

/* Advice without figures; it frees what it has. */
PsAdvice *ps_advice_new(PsCause cause, const PsAdviceChange *change, guint class_index);
void ps_advice_free(void *advice);
void ps_advice_item_free(void *item);

/* Adds one, about a class of the machine's (G_MAXUINT for none); variant is taken, and may be
 * NULL. */
PsAdviceItem *ps_advice_add(PsAdvicePlan *plan, PsCause cause, const PsAdviceChange *change,
                            guint class_index, PsVariant *variant);

/* Gives advice data of a type, all of whose bytes are zero. */
#define ps_advice_data_new(advice, Type) ((Type *)((advice)->data = g_new0(Type, 1)))

/* Makes the sentence and the facts of advice that is told: again, when it knows more. */
void ps_advice_phrase(const PsAnswer *answer, PsAdvice *advice);

/* Whether the advice is worth telling. */
gboolean ps_advice_is_worth_telling(const PsAdvicePlan *plan, const PsAdviceItem *item);

/* Whether the run takes the time that the roofline allows for its operations and bytes, so that
 * only less work would relieve the saturated unit. */
gboolean ps_advice_is_at_ceiling(const PsAnswer *answer);

/* Whether an item is about that pipeline, since it is nearly saturated. */
gboolean ps_advice_tells_pipeline(const PsAdvicePlan *plan, guint pipeline);

/* Whether an avoidable cost says more of that class than other advice would. */
gboolean ps_advice_has_avoidable(const PsAdvicePlan *plan, const char *class_name);

/* ---- places (place.c) ---------------------------------------------------------------------- */

/* Sets the node that the advice is about most: on the critical path, else the first of its class.
 */
void ps_advice_place(const PsAnswer *answer, PsAdvice *advice);

/* ---- trying half (halve.c) ----------------------------------------------------------------- */

typedef gboolean (*PsAdviceBelongs)(const PsMachineClass *bound, const void *to);

/* The change that halves a latency of all these classes. */
void ps_advice_halve(PsVariant *variant, const PsAnswer *answer, PsVaries varies,
                     PsAdviceBelongs belongs, const void *to);

/* ---- certainty (sure.c) -------------------------------------------------------------------- */

/* Sets the figures that the advice rests on, and whether the model can tell its gain. */
void ps_advice_find_sure(const PsAnswer *answer, PsAdvice *advice);

/* ---- words that kinds share (words.c) ------------------------------------------------------ */

/* "would give 5.05 ms instead of 35.1 ms (85.6 % less)" (g_free). */
char *ps_would_give(const PsAnswer *answer, const PsAdvice *advice);

/* The class that the advice is about, in the words of the source's language (g_free); NULL:
 * none. */
char *ps_advice_class_words(const PsAnswer *answer, const PsAdvice *advice);

/* " at line 7"; "" of line 0 (g_free). */
char *ps_at_line_words(guint line);

/* "6 groups leave 74 of 80 CUs without work", "of 80 CUs 20 run 2 groups and the others 1"
 * (g_free). */
char *ps_room_words(const PsAnswer *answer);

/* ---- what kinds know of each other --------------------------------------------------------- */

/* The completion latency with the largest part of the path; NULL if another cause has a larger
 * one. */
const PsExplainShare *ps_advice_longest_latency(const PsAnswer *answer);

/* The advice that nothing helps. It is about the class whose results are waited for longest, where
 * no kernel avoids that. */
PsAdvice *ps_advice_nothing(const PsAnswer *answer);

/* Another shape of the launch. */
extern const PsAdviceChange ps_change_shape;

#endif
