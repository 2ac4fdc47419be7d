/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An answer in sentences, for every report that people read: the page of text, the page to share,
 * the comparison. Free all with g_free.
 */
#ifndef PIPESIM_TELL_DESCRIBE_H
#define PIPESIM_TELL_DESCRIBE_H

#include "answer/answer.h"
#include "answer/figures.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The CUs that are simulated: "the fullest CU", "all 10 CUs" or, for a launch with few groups, "3
 * of 10 CUs". */
char *ps_sentence_cus(const PsAnswer *answer);

/* The simulated time, with its interval if it is an estimate: "5.052 ms, 7 608 491.75 cycles". */
char *ps_sentence_simulated(const PsAnswer *answer);

/* The time, with half of its interval if it was extrapolated: "877.2 us +- 0.35". */
char *ps_sentence_seconds(const PsAnswer *answer);

/* Simulated cycles: exact, or whole if they were extrapolated. */
char *ps_sentence_cycles(const PsAnswer *answer);

/* The extrapolated part of an answer, and what that means for all other figures. */
char *ps_sentence_estimated(const PsAnswer *answer);

/* The result: as the simulator says it, or that it is clamped. */
char *ps_sentence_time(const PsAnswer *answer);

/* The time that a timer around this one launch sees, if that differs enough; else NULL. */
char *ps_sentence_timed(const PsAnswer *answer);

/* "425.1 GFLOP/s (fp32)"; NULL if the graph counts no operations. */
char *ps_sentence_performance(const PsAnswer *answer);

/* The code that the graph was made of, and the reason for that choice; NULL if the graph was
 * read. */
char *ps_sentence_code(const PsAnswer *answer);

/* "schedulers (4, 1 per cycle), program order, gto"; empty for the published model. */
char *ps_sentence_refinements(const PsRefinements *refinements);

/* The same of an answer, or that none is in play. */
char *ps_sentence_model(const PsAnswer *answer);

/* The compute units and the clock: "132 CUs, 1540 MHz by power". */
char *ps_sentence_chip(const PsAnswer *answer);

/* Says why the last cache is not warm as asked: it holds less than the launch moves; NULL: it is.
 */
char *ps_sentence_not_kept(const PsAnswer *answer);

/* "51.0 % long (850 instructions of warps), 49.0 % short (130)"; NULL if all groups are of one
 * kind. */
char *ps_sentence_kinds(const PsAnswer *answer);

/* "16 384 groups of 64 threads (2 warps), 1 639 on the fullest CU" */
char *ps_sentence_launch(const PsAnswer *answer);

/* A share of the warps that a CU can hold; "12.5 times what fits" if --active asks for more. */
char *ps_sentence_resident(const PsAnswer *answer, double share);

/* The groups at once, their limit, and their average number. */
char *ps_sentence_occupancy(const PsAnswer *answer);

/* The limits of the groups that a CU holds: "registers and warps per CU"; empty if nothing limits
 * them. */
char *ps_sentence_limits(const PsAnswer *answer);

/* The same as the words of JSON: "registers"; borrowed, NULL-terminated (free the array alone). */
const char **ps_limit_names(const PsAnswer *answer);

/* An honest sentence on what limits the kernel. */
char *ps_sentence_bound(const PsAnswer *answer);

/* The name of the busiest part, as people call it: "shared"; NULL if nothing ran. */
char *ps_busiest_words(const PsAnswer *answer, const PsBusiest *busiest);

/* The busiest pipeline: "local 99.3 %" */
char *ps_sentence_busiest(const PsAnswer *answer);

/* Its name in files, "local", "device", "dispatch"; NULL if nothing ran. Borrowed. */
const char *ps_busiest_name(const PsBusiest *busiest);

#pragma GCC visibility pop
G_END_DECLS
#endif
