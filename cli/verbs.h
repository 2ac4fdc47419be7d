/* SPDX-License-Identifier: BSD-3-Clause */
/* The verbs. Each takes what the command line says and returns the exit status. */
#ifndef PIPESIM_CLI_VERBS_H
#define PIPESIM_CLI_VERBS_H

#include "cli/options.h"

int run_verb(const Options *options);
int sweep_verb(const Options *options);
int compare_verb(const Options *options);
int roofline_verb(const Options *options);
int bench_verb(const Options *options);
int validate_verb(const Options *options);
int build_verb(const Options *options);
int show_verb(const Options *options);
int list_verb(const Options *options);

/* What stands behind the verb is a command, with options of its own: it reads argv by itself, which
 * begins with the verb. */
int profile_verb(char **argv);

#endif
