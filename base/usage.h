/* SPDX-License-Identifier: BSD-3-Clause */
/* The error for a request for something that does not exist. */
#ifndef PIPESIM_BASE_USAGE_H
#define PIPESIM_BASE_USAGE_H

#include "base/message.h"

G_BEGIN_DECLS

/* Sets *error to a PS_ERROR_USAGE; returns FALSE, so that a parser can return it. */
gboolean ps_usage_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_END_DECLS
#endif
