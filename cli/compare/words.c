/* SPDX-License-Identifier: BSD-3-Clause */
/* What the charges of a comparison are called. See compare.h. */
#include "cli/compare/compare.h"

#include "cli/report/words.h"

char *class_charge_words(const PsCharge *charge)
{
    return path_words(charge->kind, charge->name);
}

char *line_charge_words(const PsCharge *charge)
{
    return g_strdup(charge->name ? charge->name : NO_LINE);
}

char *pipeline_charge_words(const PsCharge *charge)
{
    return charge->name                   ? ps_text_clean(charge->name)
           : charge->kind == PS_PATH_PORT ? g_strdup(ISSUE_PORT)
                                          : g_strdup(NO_PIPELINE);
}
