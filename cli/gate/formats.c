/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings in the formats of other programs. See gate.h. */
#include "cli/gate/gate.h"

gboolean findings_format(const PsTold *facts, const Options *options, const char *suite,
                         PsTextFact name, PsTextFact on, GString *out)
{
    g_autofree char *root = g_get_current_dir();
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else if (options->format == FORMAT_NOTES)
        ps_findings_notes(out, facts, root,
                          g_strv_length(options->files) > 1 ? options->files[1]
                                                            : options->files[0]);
    else if (options->format == FORMAT_SARIF)
        ps_findings_sarif(out, facts, root);
    else if (options->format == FORMAT_JUNIT)
        ps_findings_junit(out, facts, suite, name, on);
    else if (options->format == FORMAT_GITHUB)
        ps_findings_github(out, facts, root);
    else
        return FALSE;
    return TRUE;
}
