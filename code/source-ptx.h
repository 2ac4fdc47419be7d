/* SPDX-License-Identifier: BSD-3-Clause */
/* The PTX of a source: kept, or made by a compiler. */
#ifndef PIPESIM_CODE_SOURCE_PTX_H
#define PIPESIM_CODE_SOURCE_PTX_H

#include "code/toolchain.h"

/* As ps_toolchain_make_ptx. *inputs becomes all files that it was made of (ps_store_inputs_free);
 * NULL if not known, so that nothing is kept: the compiler does not tell, or reads its options from
 * a file. */
char *ps_source_ptx(const PsCodeSource *source, gsize *length, PsStoreInputs **inputs,
                    GError **error);

/* Adds to a key what decides on the PTX besides the files: compilers, options, the environment. */
void ps_source_ptx_add_to_key(const PsCodeSource *source, GChecksum *key);

#endif
