/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the verb roofline: what they mean. */
#ifndef PIPESIM_CLI_ROOFLINE_OPTIONS_H
#define PIPESIM_CLI_ROOFLINE_OPTIONS_H

#include "cli/options.h"

/* Reads --launches, --chart-kind, --trajectory, --discounted and --kernel. FALSE and *error where
 * they are malformed, or do not go together with what else is given. */
gboolean roofline_options_parse(const Raw *raw, Options *options, GError **error);

#endif
