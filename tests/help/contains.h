/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a text has in it.
 */
#ifndef PIPESIM_TESTS_HELP_CONTAINS_H
#define PIPESIM_TESTS_HELP_CONTAINS_H

#include <glib.h>

void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);

/* How often it has the part; parts do not overlap. */
guint count_of(const char *text, const char *part);

#endif
