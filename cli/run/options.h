/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of run that need checking. */
#ifndef PIPESIM_CLI_RUN_OPTIONS_H
#define PIPESIM_CLI_RUN_OPTIONS_H

#include "cli/options.h"

/* Fills in the windows of --timeline and --trace. FALSE and *error where something does not go
 * together. */
gboolean run_options_parse(const Value *given, Options *options, GError **error);

#endif
