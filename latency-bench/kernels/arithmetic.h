/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains of arithmetic: every thread starts from a number of its own. */
#define SETUP
#define START(i) FROM(1u + i + LANE + zero)
