/* SPDX-License-Identifier: BSD-3-Clause */
/* The cubins that a file has in it. */
#ifndef PIPESIM_CODE_CUBINS_H
#define PIPESIM_CODE_CUBINS_H

#include "code/options.h"

/* The cubins (PsSassImage; g_ptr_array_unref) in these bytes of a file, those that are compressed,
 * too. NULL and *error. */
GPtrArray *ps_code_cubins_in(const PsCodeOptions *build, const char *name, GBytes *bytes,
                             GError **error);

#endif
