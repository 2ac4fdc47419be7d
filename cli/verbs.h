/* SPDX-License-Identifier: BSD-3-Clause */
/* The verbs: run_verb and so on. Each takes the command line's options and returns the exit status;
 * options that make no sense to it are reported (check_failed). */
#ifndef PIPESIM_CLI_VERBS_H
#define PIPESIM_CLI_VERBS_H

#include "cli/options.h"

#define DECLARE_VERB(ID, name) int name##_verb(const Options *options);
EACH_VERB(DECLARE_VERB)

#endif
