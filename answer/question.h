/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A question: what a kernel's graph takes on a GPU. ps_question_ask (advice/ask.h) answers it.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_ANSWER_QUESTION_H
#define PIPESIM_ANSWER_QUESTION_H

#include "base/progress.h"
#include "gpu/load.h"
#include "idg/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsQuestion PsQuestion;     /* a graph on a GPU, and options */
typedef struct PsKernelCode PsKernelCode; /* code/code.h */

/* What a run without any option asks. Graph and GPU are borrowed: they must outlive the question
 * and its answers. */
PsQuestion *ps_question_new(const PsIdg *idg, const PsGpu *gpu);
void ps_question_free(PsQuestion *question); /* NULL is fine */

/* Sets an option by the name that `pipesim run` has for it, without dashes; the value is copied:
 *
 *     param                        "NAME=VALUE": a parameter of the graph; each one more
 *     groups, group-size, active   whole numbers above 0
 *     what-if                      "CLASS.issue=4": other latencies; each one more
 *     clock                        "base", "boost", MHz
 *     clamp                        "ceiling", "roofline", "none"
 *     precision                    "0.5%": how wide the interval of a long run may be
 *     exact, no-fast-forward       switches: no interval; each instruction simulated
 *     published                    a switch: without the refinements that the GPU asks for
 *     policy, order, schedulers, contention, overheads, levels, cache, cus   refinements
 *     explain, sensitivity, advise switches: what the answer is to have besides
 *     budget                       seconds for all of ps_question_ask
 *
 * Of a switch any value is on. NULL takes the option back; of param and what-if all. FALSE and
 * *error (PS_ERROR_USAGE) for an option that is not there, and a value that it cannot have: the
 * option is as it was. */
gboolean ps_question_set(PsQuestion *question, const char *option, const char *value,
                         GError **error);

/* TRUE if a question has such an option; ps_kernel_code_set has the others of `pipesim run`. */
gboolean ps_question_has(const char *option);

/* The code that the graph was made of (ps_kernel_code_graph): advice tries other shapes of its
 * launch, and pragmas in its source. It is borrowed, as the graph is; NULL: none is known. */
void ps_question_set_code(PsQuestion *question, PsKernelCode *code);

/* The hearer is told how far the work is, and may end it. */
void ps_question_set_hearer(PsQuestion *question, PsHearer hearer);

/* The question's answer; tell/answer-json.h tells all of it. */
typedef struct PsAnswer PsAnswer;
void ps_answer_free(PsAnswer *answer); /* NULL is fine */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsQuestion, ps_question_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsAnswer, ps_answer_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
