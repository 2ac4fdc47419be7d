/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of answers for kernels that people asked about in public. See figures.h. */
#include "answer/answer.h"
#include "answer/figures.h"
#include "base/class-name.h"
#include "gpu/rows.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *kind;
    PsStrangers known;
} Kind;

/* clang-format off */

/* `make questions` makes these rows from docs/evidence/questions.md
 * (tests/validate/strangers.pl). */
static const Kind KINDS[] = {
    /* begin */
    {"device", {12, 11, 0.82, 1.53}},
    {"latency", {9, 5, 0.24, 1.39}},
    {"lines", {8, 1, 0.51, 5.56}},
    {"scattered", {7, 4, 0.58, 1.58}},
    {"stand-in", {1, 0, 1.00, 4.05}},
    {"turns", {2, 1, 1.00, 2.74}},
    {"unit", {4, 3, 0.94, 1.65}},
    /* end */
};

/* clang-format on */

static const char *kind_of(const char *limit)
{
    static const char *const waiting[] = {"latency", "dispatch", "issue"};
    for (guint i = 0; i < G_N_ELEMENTS(waiting); i++)
        if (strcmp(limit, waiting[i]) == 0)
            return "latency";
    return strcmp(limit, "device") == 0 ? "device" : "unit";
}

gboolean ps_answer_is_scattered(const PsAnswer *answer, guint *class_index)
{
    const PsHint hint = ps_answer_hint(answer);
    if (class_index)
        *class_index = hint.class_index;
    return hint.kind == PS_HINT_SERVER && hint.class_index != G_MAXUINT &&
           ps_class_access(answer->machine->classes[hint.class_index].asked).sectors > 1;
}

const char *ps_strangers_kind(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    if (!limit || !answer->idg->made_of)
        return NULL;
    if (!isnan(ps_answer_unkept(answer, NULL)))
        return "lines";
    if (!isnan(ps_answer_turns(answer).seconds))
        return "turns";
    const char *kind = kind_of(limit);
    if (strcmp(limit, "partial") == 0)
        return "scattered";
    if (strcmp(kind, "device") == 0)
        return ps_answer_is_scattered(answer, NULL) ? "scattered" : kind;
    return answer->idg->of_ptx && ps_gpu_is_amd(answer->gpu) ? "stand-in" : kind;
}

PsStrangers ps_answer_strangers(const PsAnswer *answer)
{
    const char *kind = ps_strangers_kind(answer);
    for (guint i = 0; kind && i < G_N_ELEMENTS(KINDS); i++)
        if (strcmp(KINDS[i].kind, kind) == 0)
            return KINDS[i].known;
    return (PsStrangers){0};
}
