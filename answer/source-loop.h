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

/* The text in which the loop with its head on that line, from 1, is to be unrolled so many times
 * (g_free): the last of several. The head is `for (...)`, `while (...)`, the `do` or the `while` of
 * do. Another such pragma before it is gone. NULL and *error, a clause, where no loop is there. */
char *ps_source_unroll(const char *text, guint line, guint times, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
