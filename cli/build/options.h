/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel in PTX, CUDA, OpenCL or machine code is built with, as the command line says it:
 * the options of the verb build, which other verbs take as well where they are given such a kernel
 * in place of a graph.
 */
#ifndef PIPESIM_CLI_BUILD_OPTIONS_H
#define PIPESIM_CLI_BUILD_OPTIONS_H

#include "cli/command-line.h"
#include "cli/system/progress.h"
#include "pipesim-private.h"

/* Most texts and lists are borrowed from what was given. What building tells, the program
 * says, and a signal ends what it runs. FALSE and *error for what makes no sense. */
gboolean code_options_parse(const Value *given, PsCodeOptions *code, GError **error);
void code_options_clear(PsCodeOptions *code);

/* Sets what says how far the program is. */
void code_options_set_progress(PsCodeOptions *code, Progress *progress);

/* FALSE and *error if options of this kind stand beside files none of which is a kernel's code. */
gboolean code_options_check(Verb verb, const Value *given, char **files, GError **error);

#endif
