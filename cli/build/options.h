/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options with which a kernel in PTX, CUDA, OpenCL or machine code is built: those of the verb
 * build, which other verbs take when they are given code in place of a graph.
 */
#ifndef PIPESIM_CLI_BUILD_OPTIONS_H
#define PIPESIM_CLI_BUILD_OPTIONS_H

#include "cli/command-line.h"
#include "cli/system/progress.h"
#include "pipesim-private.h"

/* Most texts and lists are borrowed from the given values. The program prints messages of building,
 * and a signal ends the tools that run. FALSE and *error for options that make no sense. */
gboolean code_options_parse(const Value *given, PsCodeOptions *code, GError **error);
void code_options_clear(PsCodeOptions *code);

/* Sets the receiver of progress. */
void code_options_set_progress(PsCodeOptions *code, Progress *progress);

/* FALSE and *error if such options stand beside files none of which is code. */
gboolean code_options_check(Verb verb, const Value *given, char **files, GError **error);

#endif
