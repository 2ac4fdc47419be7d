/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints findings in all formats. See gate.h. */
#include "cli/gate/gate.h"

char *findings_format(const PsTold *facts, const Options *options, const FindingsVerb *verb)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
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
        ps_findings_junit(out, facts, verb->suite, verb->name, verb->on);
    else if (options->format == FORMAT_GITHUB)
        ps_findings_github(out, facts, root);
    else if (options->format == FORMAT_CSV)
        ps_csv_told(out, verb->csv, facts);
    else
        verb->text(facts, &paper);
    return g_string_free(out, FALSE);
}
