/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module of PTX in a file, or in a compiler's output for a source; or machine code, in which
 * case the module has the kernels' names and parameters.
 */
#ifndef PIPESIM_CODE_MODULE_H
#define PIPESIM_CODE_MODULE_H

#include "code/options.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    PsPtxModule *module;
    char *text;            /* the PTX; NULL: machine code */
    char *source;          /* path of the source that was compiled here; else NULL */
    GPtrArray *machine;    /* PsSassImage, for one architecture; NULL: PTX */
    PsStoreInputs *inputs; /* all files that it was made of; NULL if not known */
} PsCodeModule;

/* Reads `name` ("-": standard input, PTX), or has it compiled for the GPU, which may be NULL. NULL
 * and *error. */
PsCodeModule *ps_code_module_load(const PsCodeOptions *build, const char *name, const PsGpu *gpu,
                                  GError **error);

/* Warns of lines that the reader of the PTX does not know, except those that another message names,
 * whose text this is (NULL: there is none): one message for each line is enough. */
void ps_code_module_warn(const PsCodeOptions *build, const PsCodeModule *module, const char *said);
void ps_code_module_free(PsCodeModule *module);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCodeModule, ps_code_module_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
