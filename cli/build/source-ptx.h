/* SPDX-License-Identifier: BSD-3-Clause */
/* The PTX of a source: what is kept of it, else what a compiler makes. */
#ifndef PIPESIM_CLI_BUILD_SOURCE_PTX_H
#define PIPESIM_CLI_BUILD_SOURCE_PTX_H

#include "cli/build/compiler.h"

/* As compiler_make_ptx. *inputs becomes all files that it was made of (ps_store_inputs_free); NULL
 * where nobody knows, and so nothing is kept: where the compiler does not tell, or is told by a
 * file what to do. */
char *source_ptx(const Source *source, gsize *length, PsStoreInputs **inputs, GError **error);

/* Adds to a key what decides on the PTX besides the files: compilers, options, the environment. */
void source_ptx_add_to_key(const Source *source, GChecksum *key);

#endif
