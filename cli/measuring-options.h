/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the verbs that measure, bench and validate: which device, and where measurements
 * are kept. */
#ifndef PIPESIM_CLI_MEASURING_OPTIONS_H
#define PIPESIM_CLI_MEASURING_OPTIONS_H

#include "cli/options.h"

/* Fills in options->bench except what bench alone takes. FALSE and *error for options that exclude
 * each other. */
gboolean measuring_options_parse(const Value *given, Options *options, GError **error);

/* FALSE and *error for names of files that measurements cannot have: they are read again by whoever
 * uses the description, and by --from and --resume. */
gboolean measuring_options_check_names(const Value *given, GError **error);

#endif
