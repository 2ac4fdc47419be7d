/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes facts with findings: those of gate, and what check shares. */
#ifndef PIPESIM_CLI_GATE_GATE_H
#define PIPESIM_CLI_GATE_GATE_H

#include "cli/report/paper.h"

/* The verdict, the kernels that differ, and what is worse than is allowed. */
void gate_text(const PsTold *facts, const PsPaper *paper);

/* The findings for people, behind a heading; nothing where there are none. */
void findings_text(const PsTold *facts, const char *heading, const PsPaper *paper);

/* Properties of a verb with findings that formats need; suite, name, on: as in
 * ps_findings_junit. */
typedef struct {
    const char *suite;
    PsTextFact name, on;
    PsViewId csv;
    void (*text)(const PsTold *facts, const PsPaper *paper);
} FindingsVerb;

/* The facts, or their findings, as the options say (g_free). */
char *findings_format(const PsTold *facts, const Options *options, const FindingsVerb *verb);

#endif
