/* SPDX-License-Identifier: BSD-3-Clause */
/* Student's distribution, computed as it is defined. */
#ifndef PIPESIM_TESTS_HELP_STUDENT_H
#define PIPESIM_TESTS_HELP_STUDENT_H

#include <glib.h>
#include <math.h>

/* What it has from 0 to t, by Simpson's rule. */
static inline double student_to(double t, guint freedom)
{
    enum { STEPS = 4000 };
    const double n = freedom;
    const double scale = exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(n * G_PI);
    double sum = 0;
    for (guint i = 0; i <= STEPS; i++) {
        const double x = t * i / STEPS;
        sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * pow(1 + x * x / n, -(n + 1) / 2);
    }
    return scale * sum * t / STEPS / 3;
}

#endif
