/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module of PTX that a file holds, or that a compiler makes of a source; or machine code, of
 * which the module has the kernels' names and parameters.
 */
#ifndef PIPESIM_CLI_BUILD_MODULE_H
#define PIPESIM_CLI_BUILD_MODULE_H

#include "cli/build/options.h"
#include "pipesim-private.h"

typedef struct {
    PsPtxModule *module;
    char *text;            /* the PTX; NULL: machine code */
    char *source;          /* path of the source that it was compiled from here; else NULL */
    GPtrArray *machine;    /* PsSassImage, for one architecture; NULL: PTX */
    PsStoreInputs *inputs; /* all files that it was made of; NULL where nobody knows */
} BuildModule;

/* Reads `name` ("-": standard input, PTX), or has it compiled for the GPU, which may be NULL. NULL
 * and *error. */
BuildModule *build_module_load(const BuildOptions *build, const char *name, const PsGpu *gpu,
                               GError **error);

/* Warns of what the reader of the PTX does not know, but for lines that another message names, of
 * which this is the text (NULL: there is none): one message for each line is enough. */
void build_module_warn(const BuildOptions *build, const BuildModule *module, const char *said);
void build_module_free(BuildModule *module);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(BuildModule, build_module_free)

#endif
