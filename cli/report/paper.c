/* SPDX-License-Identifier: BSD-3-Clause */
/* See paper.h. */
#include "cli/report/paper.h"

#include "cli/system/terminal.h"

PsPaper paper_for(const Options *options, GString *out)
{
    const gboolean text = options->format == FORMAT_TEXT;
    return (PsPaper){.out = out,
                     .form = options->format == FORMAT_MARKDOWN ? PS_PAPER_MARKDOWN : PS_PAPER_TEXT,
                     .colour = text && terminal_wants_colour(options->output)};
}
