/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that continue a sweep, split it, and join its parts: what they mean. */
#ifndef PIPESIM_CLI_SWEEP_OPTIONS_H
#define PIPESIM_CLI_SWEEP_OPTIONS_H

#include "cli/options.h"

/* Reads --resume, --shard and --merge, which all are about CSV: it becomes the format where none
 * was given. FALSE and *error where they are malformed, or do not go together with what else is
 * given. */
gboolean sweep_options_parse(const Value *given, Options *options, GError **error);

#endif
