/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of answers for kernels that people asked about in public. See figures.h. */
#include "answer/answer.h"
#include "answer/figures.h"

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
    {"device", {15, 12, 0.82, 1.58}},
    {"latency", {7, 5, 0.24, 1.36}},
    {"lines", {6, 0, 0.49, 5.56}},
    {"turns", {2, 1, 1.00, 2.74}},
    {"unit", {5, 3, 0.58, 1.65}},
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

const char *ps_strangers_kind(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    if (!limit || !answer->idg->made_of)
        return NULL;
    if (!isnan(ps_answer_unkept(answer, NULL)))
        return "lines";
    return isnan(ps_answer_turns(answer).seconds) ? kind_of(limit) : "turns";
}

PsStrangers ps_answer_strangers(const PsAnswer *answer)
{
    const char *kind = ps_strangers_kind(answer);
    for (guint i = 0; kind && i < G_N_ELEMENTS(KINDS); i++)
        if (strcmp(KINDS[i].kind, kind) == 0)
            return KINDS[i].known;
    return (PsStrangers){0};
}
