/* SPDX-License-Identifier: BSD-3-Clause */
/* The verbs. Each takes what the command line says and returns the exit status. */
#ifndef PIPESIM_CLI_VERBS_H
#define PIPESIM_CLI_VERBS_H

#include "cli/options.h"

int run_verb(const Options *options);
int sweep_verb(const Options *options);
int roofline_verb(const Options *options);
int show_verb(const Options *options);

#endif
