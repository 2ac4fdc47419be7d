/* SPDX-License-Identifier: BSD-3-Clause */
/* How facts with findings are written: those of gate, and what check shares. */
#ifndef PIPESIM_CLI_GATE_GATE_H
#define PIPESIM_CLI_GATE_GATE_H

#include "cli/report/paper.h"

/* The verdict, the kernels that differ, and what is worse than is allowed. */
void gate_text(const PsTold *facts, const PsPaper *paper);

/* The findings for people, behind a heading; nothing where there are none. */
void findings_text(const PsTold *facts, const char *heading, const PsPaper *paper);

/* Writes JSON, or the findings in another program's format, as the options say; FALSE: they say
 * neither. suite, name, on: as of ps_findings_junit. */
gboolean findings_format(const PsTold *facts, const Options *options, const char *suite,
                         PsTextFact name, PsTextFact on, GString *out);

#endif
