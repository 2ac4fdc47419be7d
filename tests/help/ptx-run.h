/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs PTX instructions on operands that a test chooses. Each row of operands is one thread's:
 * sources are the registers a0, a1, ..., destinations z0, z1, ...
 */
#ifndef PIPESIM_TESTS_HELP_PTX_RUN_H
#define PIPESIM_TESTS_HELP_PTX_RUN_H

#include <glib.h>

/* body: PTX ("add.s32 z0, a0, a1;"). to and from have a letter for each register: p a predicate,
 * h 16, r 32, d 64 bits. in has n_from numbers for each of n threads, out gets n_to; predicates are
 * 0 or 1, what a register has no room for is 0. FALSE, with a failed assertion that says why, if
 * the executor refuses the instruction. */
gboolean ptx_run(const char *body, const char *to, const char *from, guint n, const guint64 *in,
                 guint64 *out);

/* TRUE if the reader or the executor refuses the text with an error that names the mnemonic; else a
 * failed assertion. */
gboolean ptx_refuses(const char *body, const char *mnemonic, const char *to, const char *from);

/* A number of so many bits: often one that is special as an integer or as a floating-point number,
 * else any. */
guint64 ptx_operand(GRand *rand, guint bits);

/* TRUE if equal; else a failed assertion that shows body, the operands and both results. Stops
 * after the first of a body. */
gboolean ptx_same(const char *body, guint n_from, const guint64 *in, guint64 got, guint64 want);

#endif
