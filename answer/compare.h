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

/* The fate of a source line. Where the text of a file cannot be read, lines of one name and number
 * are the same. */
typedef enum {
    PS_LINE_SAME,    /* by its text, white space aside; its number may be another */
    PS_LINE_MOVED,   /* the same, but not in the order of the others */
    PS_LINE_CHANGED, /* other lines that share at least half of its words are there instead */
    PS_LINE_ONLY_A,
    PS_LINE_ONLY_B,
    PS_N_LINE_CHANGES
} PsLineChange;

const char *ps_line_change_name(PsLineChange change); /* "same", "only-a" */

/* The share of each critical path that is charged to one name. */
typedef struct {
    PsPathKind kind;       /* by_class: of its stretches; by_pipeline: PORT of issue ports */
    const char *name;      /* borrowed: the class that the graphs ask for, the line (clean) or the
                              pipeline; NULL: none. Of lines A's name where it has one */
    PsLineChange change;   /* by_line, where it has a name */
    const char *places[2]; /* likewise: what A and B call it, "mmul.cu:24", or of several lines
                              "mmul.cu:24-27"; NULL: that kernel has none */
    gint64 ticks[2];
    gboolean there[2]; /* it is on that path at all */
    double seconds[2];
    double difference; /* B's seconds less A's */
} PsCharge;

/* The difference of B's time and A's, and where it comes from. */
typedef struct {
    const PsAnswer *answers[2]; /* A, B */
    double difference;          /* seconds that B takes more than A */
    GPtrArray *by_class; /* PsCharge, largest difference first, like the next two; NULL where a
                            path is not known */
    GPtrArray *by_line;  /* NULL also where lines have nothing in common */
    GPtrArray *by_pipeline;
    PsCharge launch, clamp; /* what is on no path; no ticks */
    /* What B has to do as a multiple of A: floating-point operations, or where none are counted
     * bytes of device memory; 1 where that is equal, more or less, or not known. */
    double work;
    gboolean work_is_operations;
    const char *problem;       /* why there are no tables, or NULL; borrowed */
    const char *line_problem;  /* why by_line says nothing of the difference: there are no lines, or
                                  none that both have; a clause, or NULL; borrowed */
    const char *line_note;     /* which lines are matched by number, and why; or NULL; borrowed */
    struct PsLineMatch *lines; /* private: owns names */
} PsComparison;

/* Simulates A and B at once, each in a thread of its own, and explains both (PsQuestion.explain is
 * set). FALSE and *error of ps_answer_new, which begins with the side it is of ("B: "), and neither
 * answer; each answer is the caller's (ps_answer_free). */
gboolean ps_compared_answers(PsQuestion *const questions[2], PsAnswer *answers[2], GError **error);

/* Both must be explained (PsQuestion.explain), and outlive it. Source files that their graphs speak
 * of are read, where they are found, to match lines by their text. */
PsComparison *ps_comparison_new(const PsAnswer *a, const PsAnswer *b);
void ps_comparison_free(PsComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsComparison, ps_comparison_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
