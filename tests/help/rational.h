/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact fractions in tests. */
#ifndef PIPESIM_TESTS_HELP_RATIONAL_H
#define PIPESIM_TESTS_HELP_RATIONAL_H

#include "base/rational.h"

/* As it is written: "0.5", "1/3". */
void assert_rational(PsRational value, const char *text);

#endif
