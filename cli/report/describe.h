/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An answer in sentences, for every report that people read: the page of text, the page to share,
 * the comparison. Free all with g_free.
 */
#ifndef PIPESIM_CLI_REPORT_DESCRIBE_H
#define PIPESIM_CLI_REPORT_DESCRIBE_H

#include "answer/answer.h"

/* What is simulated: "the fullest CU", "all 10 CUs" or, of a launch with few groups, "3 of 10
 * CUs". */
char *describe_cus(const Answer *answer);

/* What the simulator says: "5.052 ms, 7 608 491.75 cycles". */
char *describe_simulated(const Answer *answer);

/* The result: the same, or that it is clamped. */
char *describe_time(const Answer *answer);

/* "425.1 GFLOP/s (fp32)"; NULL where no operations are counted. */
char *describe_performance(const Answer *answer);

/* The refinements that are in play, or that none is. */
char *describe_model(const Answer *answer);

/* "16 384 groups of 64 threads (2 warps), 1 639 on the fullest CU" */
char *describe_launch(const Answer *answer);

/* A share of the warps that a CU can hold; "12.5 times what fits" where --active says more. */
char *describe_resident(const Answer *answer, double share);

/* How many groups at once, what allows no more, and how many there are on average. */
char *describe_occupancy(const Answer *answer);

/* What decides how many groups a CU holds: "registers and warps per CU"; empty where nothing
 * does. */
char *describe_limits(const Answer *answer);

/* An honest sentence on what limits the kernel. */
char *describe_bound(const Answer *answer);

/* The busiest pipeline: "local 99.3 %" */
char *describe_busiest(const Answer *answer);

#endif
