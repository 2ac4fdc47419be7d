/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether what takes long for much takes no longer than it must. */
#ifndef PIPESIM_TESTS_GROWTH_H
#define PIPESIM_TESTS_GROWTH_H

#include <glib.h>

/* Asserts that sixteen times as much takes less than 64 times as long: what grows like n log n
 * takes some twenty times as long, what grows like the square 256 times. Time is the thread's own
 * on the processor, the least of several tries; there are more of them where a busy machine made
 * these longer. */
void assert_growth(void (*do_it)(guint n, gpointer data), guint n, gpointer data);

#endif
