/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings in the formats of other programs: editors, code hosts, test reports. Each is a file of
 * its own. A file below `root`, a folder, is named from there on, as a code host wants it.
 */
#ifndef PIPESIM_TELL_FINDINGS_FORMATS_H
#define PIPESIM_TELL_FINDINGS_FORMATS_H

#include "tell/findings.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A line for each, as compilers write them: "FILE:LINE: error: KERNEL: WORDS". What has no line
 * begins with `instead`. */
void ps_findings_notes(GString *out, const PsTold *facts, const char *root, const char *instead);

/* A log of SARIF 2.1.0, with a rule for each figure. */
void ps_findings_sarif(GString *out, const PsTold *facts, const char *root);

/* A command of GitHub's workflows for each, which shows it beside the line. */
void ps_findings_github(GString *out, const PsTold *facts, const char *root);

/* JUnit's XML: a test case for each item of a list, which is told by these facts, its name and what
 * it is on; with what is found as failures. */
void ps_findings_junit(GString *out, const PsTold *facts, const char *suite, PsTextFact name,
                       PsTextFact on);

/* The file of a finding as the formats name it (g_free); NULL: it has none. */
char *ps_finding_file(const PsFinding *finding, const char *root);

#pragma GCC visibility pop
G_END_DECLS
#endif
