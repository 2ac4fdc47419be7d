/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine code of a kernel: a cubin's, or what ptxas makes of PTX, as nvdisasm lists it.
 */
#ifndef PIPESIM_CLI_BUILD_MACHINE_H
#define PIPESIM_CLI_BUILD_MACHINE_H

#include "cli/build/module.h"

/* A request for machine code; all is borrowed. */
typedef struct {
    const BuildOptions *options;
    const char *name; /* of the file */
    const BuildModule *module;
    const PsPtxFunction *kernel;
    const PsGpu *gpu;   /* or NULL */
    GHashTable *before; /* of machine_values, before arguments were read */
} MachineOf;

/* What each variable of the module holds. Free with g_hash_table_unref. */
GHashTable *machine_values(const PsPtxModule *module);

/* The path of the disassembler (g_free): that of --nvdisasm, else on PATH, in the toolkit's folder,
 * or where ./bootstrap --only sass puts it. NULL: there is none. */
char *machine_nvdisasm(const BuildOptions *options);

/* Variables that hold something else than before have that in the machine code as well. Warns of
 * instructions that nobody knows. NULL and *error: no ptxas or nvdisasm, or one that fails, takes
 * too long or writes what nobody reads; code that is damaged. */
PsSassCode *machine_code_new(const MachineOf *of, GError **error);

#endif
