/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How advice is made. Each kind of cause has a function that looks whether the answer has signs of
 * it and, where it has, adds an item with a variant: the same run with that cause gone, or made
 * less. When all variants have run, each item with a gain worth telling is advice. Internal to
 * this folder.
 */
#ifndef PIPESIM_ADVICE_KIND_H
#define PIPESIM_ADVICE_KIND_H

#include "advice/advice.h"
#include "answer/variant.h"

typedef struct {
    const PsQuestion *question;
    const PsAnswer *answer;
    PsSensitivities *sensitivities;
    GPtrArray *items;       /* PsAdviceItem */
    PsVariantEffort effort; /* what it may cost, and does */
} PsAdvicePlan;

typedef struct {
    PsAdvice *advice;   /* its class is the name that it has; its gain follows from the variant */
    PsVariant *variant; /* NULL: seconds are known */
    PsVariant *check;   /* the opposite change, which can help by chance alone; NULL: none */
    double least;       /* gain from which it is worth telling */
    double weight;      /* seconds times this is what the work of the launch would take */
    PsChange more_than; /* worth telling only where it gains more than items of that change, of a
                           shape twice as much; NONE: than none */
} PsAdviceItem;

/* ---- items (item.c) ----------------------------------------------------------------- */

/* Advice without figures; it frees what it has. */
PsAdvice *ps_advice_new(PsCause cause, PsChange change, guint class_index);
void ps_advice_free(void *advice);
void ps_advice_item_free(void *item);

/* Adds one, about a class of the machine's (G_MAXUINT for none); variant is taken, and may be
 * NULL. */
PsAdviceItem *ps_advice_add(PsAdvicePlan *plan, PsCause cause, PsChange change, guint class_index,
                            PsVariant *variant);

/* Whether the run takes what the roofline allows for its operations and bytes, so that less of what
 * is saturated would be less work. */
gboolean ps_advice_is_at_ceiling(const PsAnswer *answer);

/* Whether an item is about that pipeline, since it is nearly saturated. */
gboolean ps_advice_tells_pipeline(const PsAdvicePlan *plan, guint pipeline);

/* Whether a cost that may be avoided says more of that class than other advice would. */
gboolean ps_advice_has_avoidable(const PsAdvicePlan *plan, const char *class_name);

/* ---- places (place.c) --------------------------------------------------------------- */

/* Sets the node that the advice is about most: on the critical path, else the first of its class.
 */
void ps_advice_place(const PsAnswer *answer, PsAdvice *advice);

/* ---- trying half (halve.c) ---------------------------------------------------------- */

typedef gboolean (*PsAdviceBelongs)(const PsMachineClass *bound, const void *to);

/* Half of a latency of all these classes: of what each access takes. */
void ps_advice_halve(PsVariant *variant, const PsAnswer *answer, PsVaries varies,
                     PsAdviceBelongs belongs, const void *to);

/* ---- certainty (sure.c) ------------------------------------------------------------- */

/* Sets the figures that the advice rests on, and whether the model can tell its gain. */
void ps_advice_find_sure(const PsAnswer *answer, PsAdvice *advice);

/* ---- latencies (latency.c) ---------------------------------------------------------- */

/* The completion latency that takes most of the path; NULL where another kind does. */
const PsExplainShare *ps_advice_longest_latency(const PsAnswer *answer);

/* The advice that nothing helps. It is about the class whose results are waited for longest, where
 * no kernel avoids that. */
PsAdvice *ps_advice_nothing(const PsAnswer *answer);

/* ---- the kinds: each a file --------- */

void ps_advice_conflicts(PsAdvicePlan *plan);
void ps_advice_pipelines(PsAdvicePlan *plan);
void ps_advice_levels(PsAdvicePlan *plan);
void ps_advice_latencies(PsAdvicePlan *plan);
void ps_advice_barriers(PsAdvicePlan *plan);
void ps_advice_ports(PsAdvicePlan *plan);
void ps_advice_occupancy(PsAdvicePlan *plan);
void ps_advice_tail(PsAdvicePlan *plan);
void ps_advice_launch(PsAdvicePlan *plan);
void ps_advice_shape(PsAdvicePlan *plan);

/* Whether the variant's graph, of another shape of the launch, does all of the work of the
 * answer's. */
gboolean ps_advice_shape_holds(const PsAnswer *answer, const PsVariant *variant);

/* ---- cheaper operations: math.c, types.c, index.c, counter.c --------------------- */

void ps_advice_divisions(PsAdvicePlan *plan);
void ps_advice_exact_math(PsAdvicePlan *plan);
void ps_advice_doubles(PsAdvicePlan *plan);
void ps_advice_indices(PsAdvicePlan *plan);
void ps_advice_counters(PsAdvicePlan *plan);

/* ---- accesses to memory: access.h -- */

void ps_advice_narrow(PsAdvicePlan *plan);
void ps_advice_misaligned(PsAdvicePlan *plan);
void ps_advice_one_address(PsAdvicePlan *plan);
void ps_advice_reuse(PsAdvicePlan *plan);
void ps_advice_tiles(PsAdvicePlan *plan);
void ps_advice_read_only(PsAdvicePlan *plan);

/* ---- warps, loops, matrix units -------------------------------------------------------------- */

void ps_advice_divergence(PsAdvicePlan *plan);
void ps_advice_imbalance(PsAdvicePlan *plan);
void ps_advice_tensor(PsAdvicePlan *plan);
void ps_advice_loops(PsAdvicePlan *plan);
void ps_advice_straight(PsAdvicePlan *plan);

/* Whether the critical path waits there for what is loaded. */
gboolean ps_advice_is_load(const PsAnswer *answer, const PsPathRow *row);

/* What is under way needs registers of 32 bits, and so fewer groups may fit. FALSE where a thread
 * cannot have as many. */
gboolean ps_advice_add_registers(const PsAnswer *answer, guint words, PsIdg *idg);

/* When what they gain is known: of the ways to write a loop one is told, and has the others beside.
 */
void ps_advice_choose_ways(PsAdvicePlan *plan);

#endif
