/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cubin made anew from a listing of its code with the bits of each instruction (nvdisasm -c -hex,
 * cuobjdump -sass), which is all that some programs hand out. The cubin lacks what a listing does
 * not have: constants, variables, static shared memory. Its parameters are those that the code
 * reads.
 */
#ifndef PIPESIM_SASS_FROM_TEXT_H
#define PIPESIM_SASS_FROM_TEXT_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The cubin of all kernels in the listing (g_bytes_unref). NULL and *error (PS_ERROR_VALUE): an
 * instruction has no bits, or not its own place; no architecture or no kernel is named. */
GBytes *ps_sass_from_text(const char *text, gsize length, const char *name, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
