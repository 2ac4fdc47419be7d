/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine code of a kernel: a cubin's, or what ptxas makes of PTX, as nvdisasm lists it.
 */
#ifndef PIPESIM_CODE_MACHINE_H
#define PIPESIM_CODE_MACHINE_H

#include "code/module.h"
#include "sass/sass.h"

/* A request for machine code; all is borrowed. */
typedef struct {
    const PsCodeOptions *options;
    const char *name; /* name of the file */
    const PsCodeModule *module;
    const PsPtxFunction *kernel;
    const PsGpu *gpu;   /* or NULL */
    GHashTable *before; /* of ps_machine_code_values, before arguments were read */
    gboolean given;     /* arguments were read, so constants that none of them sets are told */
} PsMachineCodeOf;

/* 80 of "sm_80"; 0: it is for itself alone ("sm_90a"), or none. */
guint ps_machine_code_architecture(const char *target);

/* The content of each variable of the module. Free with g_hash_table_unref. */
GHashTable *ps_machine_code_values(const PsPtxModule *module);

/* The path of the disassembler (g_free): --nvdisasm's, else on PATH, in the toolkit's folder, or as
 * ./bootstrap --only sass puts it. NULL: there is none. */
char *ps_machine_code_nvdisasm(const PsCodeOptions *options);

/* Variables whose content has changed have it in the machine code as well. Warns of instructions
 * that nobody knows. NULL and *error: no ptxas or nvdisasm, or one that fails, takes too long or
 * writes what nobody reads; code that is damaged. */
PsSassCode *ps_machine_code_new(const PsMachineCodeOf *of, GError **error);

/* Kernels to be listed in one run (code/disassembler.h). */
typedef struct PsDisassembly PsDisassembly;

/* Has PTX assembled as ps_machine_code_new does, and its kernel listed with others. Errors are for
 * that to tell. */
void ps_machine_code_list_later(const PsMachineCodeOf *of, PsDisassembly *work);

#endif
