/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people give them: with K, M or G behind a whole number, as sizes have them. */
#ifndef PIPESIM_BASE_COUNT_H
#define PIPESIM_BASE_COUNT_H

#include "base/rational.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A whole number: 4194304, 4096K, 4M, 1G; K is 1024, M and G are 1024 of the one before. FALSE if
 * it is none, or above 2^63 - 1. */
gboolean ps_count_parse(const char *text, guint64 *count);

/* A whole number as above, or what ps_rational_parse reads; FALSE where the text is neither. */
gboolean ps_count_parse_rational(const char *text, PsRational *number);

#pragma GCC visibility pop
G_END_DECLS
#endif
