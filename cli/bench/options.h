/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of bench that need checking: what it shares with validate, and its own. */
#ifndef PIPESIM_CLI_BENCH_OPTIONS_H
#define PIPESIM_CLI_BENCH_OPTIONS_H

#include "cli/options.h"

/* Fills in options->bench. FALSE and *error where something does not go together. */
gboolean bench_options_parse(const Value *given, Options *options, GError **error);
void bench_options_clear(BenchOptions *bench);

#endif
