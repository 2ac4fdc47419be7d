/* SPDX-License-Identifier: BSD-3-Clause */
/* See code.h. */
#include "cli/bench/code.h"

#include "cli/fail.h"
#include "cli/system/output.h"

#include <stdlib.h>

int bench_code(const Options *options)
{
    g_autoptr(GError) error = NULL;
    const PsHearer hearer = progress_hearer(options->progress);
    g_autofree char *page = ps_code_page((const char *const *)options->bench.code,
                                         options->bench.classes, "--", &hearer, &error);
    return page && output_write(options->output, page, &error) ? EXIT_SUCCESS : fail(error);
}
