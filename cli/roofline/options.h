/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the verb roofline: what they mean. */
#ifndef PIPESIM_CLI_ROOFLINE_OPTIONS_H
#define PIPESIM_CLI_ROOFLINE_OPTIONS_H

#include "cli/options.h"

/* Reads --launches, --chart-kind, --trajectory, --discounted and --kernel. FALSE and *error where
 * they do not go together with what else is given. */
gboolean roofline_options_parse(const Value *given, Options *options, GError **error);

#endif
