/* SPDX-License-Identifier: BSD-3-Clause */
/* How two answers, A and B, are shown side by side, with what their difference consists of. */
#ifndef PIPESIM_CLI_COMPARE_COMPARE_H
#define PIPESIM_CLI_COMPARE_COMPARE_H

#include "cli/report/paper.h"
#include "pipesim-private.h"

/* What one of the two was asked for by; all is borrowed. */
typedef struct {
    const char *file;      /* of the graph or the code, as it was given */
    char **apart;          /* options that the other has not: "--block 128" each */
    const char *latencies; /* its what-if, or NULL */
} VersusSide;

typedef struct {
    const PsComparison *comparison;
    const PsAnswer *answers[2];
    VersusSide sides[2];
    const PsSassCode *machine[2]; /* the machine code of both, to be listed; NULL: it is not */
} Versus;

/* What is on no path. */
#define VERSUS_LAUNCH "the kernel's launch"
#define VERSUS_CLAMP "held back by the clamp"

/* What a charge of each of the tables is called (g_free). */
typedef char *(*ChargeWords)(const PsAnswer *answer, const PsCharge *charge);
char *class_charge_words(const PsAnswer *answer, const PsCharge *charge);
char *line_charge_words(const PsAnswer *answer, const PsCharge *charge);
char *pipeline_charge_words(const PsAnswer *answer, const PsCharge *charge);

/* The comparison for people, as JSON, as CSV. */
void compare_text(const Versus *versus, const Paper *paper);
void compare_json(const Versus *versus, PsJson *json);
void compare_csv(const Versus *versus, GString *out);

/* The machine code of both beside each other: a section for people; a fact of the group that is
 * open. */
void compare_listings_text(const Versus *versus, const Paper *paper);
void compare_tell_listings(const Versus *versus, PsTold *facts);

#endif
