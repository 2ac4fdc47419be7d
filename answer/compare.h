/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two answers, A and B, side by side, and their difference charged to what their critical paths
 * consist of. On each side the shares of a table, with what is on no path (the kernel's launch, the
 * clamp), add up to the result; so do the differences.
 */
#ifndef PIPESIM_ANSWER_COMPARE_H
#define PIPESIM_ANSWER_COMPARE_H

#include "answer/explain.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The fate of a source line. If the text of a file cannot be read, lines with the same name and
 * number are the same. */
typedef enum {
    PS_LINE_SAME,    /* by its text, white space aside; its number may be another */
    PS_LINE_MOVED,   /* the same, but not in the order of the others */
    PS_LINE_CHANGED, /* other lines, with at least half of its words, stand in its place */
    PS_LINE_ONLY_A,
    PS_LINE_ONLY_B,
    PS_N_LINE_CHANGES
} PsLineChange;

const char *ps_line_change_name(PsLineChange change); /* "same", "only-a" */

/* The share of each critical path that is charged to one name. */
typedef struct {
    PsPathKind kind;       /* by_class: of its stretches; by_pipeline: PORT of issue ports */
    const char *name;      /* borrowed: the class that the graphs ask for, the line (clean) or the
                              pipeline; NULL: none. A line has A's name if A has it */
    PsLineChange change;   /* of rows by_line that have a name */
    const char *places[2]; /* likewise: what A and B call it, "mmul.cu:24", or of several lines
                              "mmul.cu:24-27"; NULL: that kernel has none */
    gint64 ticks[2];
    gboolean there[2]; /* it is on that path at all */
    double seconds[2];
    double difference; /* B's seconds less A's */
} PsCharge;

/* The difference between B's time and A's, and its parts. */
typedef struct {
    const PsAnswer *answers[2]; /* A, B */
    double difference;          /* seconds that B takes more than A */
    GPtrArray *by_class; /* PsCharge, largest difference first, like the next two; NULL where a
                            path is not known */
    GPtrArray *by_line;  /* NULL also if no lines match */
    GPtrArray *by_pipeline;
    PsCharge launch, clamp; /* what is on no path; no ticks */
    /* B's work as a multiple of A's: floating-point operations, or, if the graph counts none, bytes
     * of device memory; 1 if they are nearly equal, or not known. */
    double work;
    gboolean work_is_operations;
    const char *problem;       /* the reason why there are no tables, or NULL; borrowed */
    const char *line_problem;  /* the reason why by_line does not explain the difference: there are
                                  no lines, or no common ones; a clause, or NULL; borrowed */
    const char *line_note;     /* which lines are matched by number, and why; or NULL; borrowed */
    struct PsLineMatch *lines; /* private: owns names */
} PsComparison;

/* Simulates A and B at once, each in a thread of its own, and explains both (PsQuestion.explain is
 * set). FALSE and *error of ps_answer_new, which begins with the side it is of ("B: "), and neither
 * answer; each answer is the caller's (ps_answer_free). */
gboolean ps_compared_answers(PsQuestion *const questions[2], PsAnswer *answers[2], GError **error);

/* Both answers must be explained (PsQuestion.explain), and outlive the comparison. The source files
 * that their graphs name are read, if they are found, to match lines by their text. */
PsComparison *ps_comparison_new(const PsAnswer *a, const PsAnswer *b);
void ps_comparison_free(PsComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsComparison, ps_comparison_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
