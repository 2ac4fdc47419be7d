/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The refinements of the published model, from the command line.
 */
#ifndef PIPESIM_CLI_REFINEMENTS_H
#define PIPESIM_CLI_REFINEMENTS_H

#include "cli/command-line.h"
#include "pipesim-private.h"

/* What the options --published, --policy, --order, --schedulers, --contention, --overheads,
 * --levels, --cache and --cus ask for. FALSE and *error for no number of schedulers, and for
 * --published beside another. */
gboolean refinements_parse(const Value *given, PsRefinementOptions *options, GError **error);

#endif
