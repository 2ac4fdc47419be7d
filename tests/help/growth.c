/* SPDX-License-Identifier: BSD-3-Clause */
/* See growth.h. */
#include "tests/help/growth.h"

#include <math.h>
#include <time.h>

#define MORE 16
#define LONGEST 64 /* times as long */
#define MOST_TRIES 10

/* Seconds on the processor. */
static double seconds(void (*do_it)(guint n, gpointer data), guint n, gpointer data)
{
    struct timespec begun, ended;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    do_it(n, data);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    return (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) / 1e9;
}

void assert_growth(void (*do_it)(guint n, gpointer data), guint n, gpointer data)
{
    double small = INFINITY, big = INFINITY;
    for (guint i = 0; i < MOST_TRIES && big >= LONGEST * small; i++) {
        for (guint k = 0; k < 5; k++)
            small = fmin(small, seconds(do_it, n, data));
        big = fmin(big, seconds(do_it, MORE * n, data));
    }
    g_test_message("%g s, %g s", small, big);
    g_assert_cmpfloat(big, <, LONGEST * small);
}
