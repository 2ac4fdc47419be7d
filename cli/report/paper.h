/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper that a page is written on. */
#ifndef PIPESIM_CLI_REPORT_PAPER_H
#define PIPESIM_CLI_REPORT_PAPER_H

#include "cli/options.h"
#include "pipesim-private.h"

/* The page that goes where the options say, at the end of out. */
PsPaper paper_for(const Options *options, GString *out);

#endif
