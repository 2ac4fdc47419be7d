/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Did you mean": the existing names near one that does not exist. Near is a letter too many, one
 * missing, another one, two swapped, or only the beginning of a name.
 */
#ifndef PIPESIM_BASE_NEAREST_H
#define PIPESIM_BASE_NEAREST_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* For the end of a message: "; did you mean mmul08 or mmul16?", with the names (strings) nearest to
 * the written one, at most three; empty if none is near, or more are equally near. Case does not
 * count. Another digit, or another first letter, is no slip: a GTX 760 is no GTX 660, and an A100
 * no V100. Free with g_free. */
char *ps_did_you_mean(const char *written, const GPtrArray *names);

#pragma GCC visibility pop
G_END_DECLS
#endif
