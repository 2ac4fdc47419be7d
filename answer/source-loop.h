/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops in the text of a source in C, C++, CUDA or OpenCL: where one begins, and the same text with
 * `#pragma unroll` before it. No line moves. Comments, strings and the preprocessor's lines hold no
 * loop.
 */
#ifndef PIPESIM_ANSWER_SOURCE_LOOP_H
#define PIPESIM_ANSWER_SOURCE_LOOP_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The text in which the loop whose head is on that line, from 1, has a pragma that unrolls it so
 * many times (g_free); of several on the line, the last. The head is `for (...)`, `while (...)`,
 * the `do` or the `while` of do. An earlier such pragma is removed. NULL and *error, a clause, if
 * no loop is there. */
char *ps_source_unroll(const char *text, guint line, guint times, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
