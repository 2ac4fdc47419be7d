/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two answers, A and B, side by side, and their difference charged to what their critical paths
 * consist of. On each side the shares of a table, with what is on no path (the kernel's launch, the
 * clamp), add up to the result; so do the differences.
 */
#ifndef PIPESIM_CLI_COMPARE_COMPARE_H
#define PIPESIM_CLI_COMPARE_COMPARE_H

#include "answer/answer.h"
#include "cli/report/json.h"

/* What is charged to one name on both paths. */
typedef struct {
    char *name;       /* for people: "local.load, completion latency", "mmul.cl:31"; clean text */
    const char *kind; /* of classes: ps_path_kind_name; else NULL */
    char *klass;      /* of classes: that the graph asks for; else, and where there is none, NULL */
    gint64 ticks[2];
    gboolean there[2]; /* it is on that path at all */
    double seconds[2];
    double difference; /* B's seconds less A's */
} Charge;

/* One of the two, and what it was asked for by; all is borrowed. */
typedef struct {
    const Answer *answer;  /* explained */
    const char *file;      /* of the graph or the code, as it was given */
    char **apart;          /* options that the other has not: "--block 128" each */
    const char *latencies; /* its what-if, or NULL */
} VersusSide;

typedef struct {
    const Answer *answers[2]; /* A, B */
    VersusSide sides[2];
    GPtrArray *by_class; /* Charge, largest difference first, like the next two; NULL where a
                            path is not known */
    GPtrArray *by_line;
    GPtrArray *by_pipeline;
    Charge launch, clamp; /* what is on no path; no ticks */
    char *problem;        /* why there are no tables, or NULL */
} Versus;

/* What the sides borrow must outlive it. */
Versus *versus_new(const VersusSide sides[2]);
void versus_free(Versus *versus);

/* How many seconds B takes more than A. */
double versus_difference(const Versus *versus);

/* "B takes 6.290 times as long as A: 31.78 ms instead of 5.052 ms" (g_free). */
char *versus_sentence(const Versus *versus);

/* The comparison for people, as JSON, as CSV. */
void compare_text(const Versus *versus, gboolean colour, GString *out);
void compare_json(const Versus *versus, Json *json);
void compare_csv(const Versus *versus, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Versus, versus_free)

#endif
