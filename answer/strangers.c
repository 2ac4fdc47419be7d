/* SPDX-License-Identifier: BSD-3-Clause */
/* How near answers were for kernels that people asked about in public. See figures.h. */
#include "answer/answer.h"
#include "answer/figures.h"

#include <string.h>

typedef struct {
    const char *kind;
    PsStrangers known;
} Kind;

/* clang-format off */

/* `make questions` makes these of what docs/evidence/questions.md has (tests/validate/strangers.pl). */
static const Kind KINDS[] = {
    /* begin */
    {"device", {8, 7, 0.82, 1.58}},
    {"latency", {4, 2, 0.24, 1.37}},
    {"unit", {3, 0, 0.98, 5.56}},
    /* end */
};

/* clang-format on */

const char *ps_strangers_kind(const char *limit)
{
    static const char *const waiting[] = {"latency", "dispatch", "issue"};
    for (guint i = 0; i < G_N_ELEMENTS(waiting); i++)
        if (strcmp(limit, waiting[i]) == 0)
            return "latency";
    return strcmp(limit, "device") == 0 ? "device" : "unit";
}

PsStrangers ps_answer_strangers(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    for (guint i = 0; limit && answer->idg->made_of && i < G_N_ELEMENTS(KINDS); i++)
        if (strcmp(KINDS[i].kind, ps_strangers_kind(limit)) == 0)
            return KINDS[i].known;
    return (PsStrangers){0};
}
