/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of requests. Each function sets *error, and returns FALSE, so that a reader can return
 * it. */
#ifndef PIPESIM_BASE_USAGE_H
#define PIPESIM_BASE_USAGE_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Sets PS_ERROR_USAGE: the caller asked for something that does not exist. */
gboolean ps_usage_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets PS_ERROR_VALUE: the caller gave a value that cannot be. */
gboolean ps_value_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#pragma GCC visibility pop
G_END_DECLS
#endif
