/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of a source as lists of a sweep: any name that nothing else has may be one. */
#ifndef PIPESIM_SWEEP_MACRO_H
#define PIPESIM_SWEEP_MACRO_H

#include "sweep/asked.h"

G_BEGIN_DECLS

/* TRUE if the list, if it is one of a macro, changes something in the file's source, and nothing
 * else. FALSE and *error (PS_ERROR_USAGE) for a name that neither source nor launch has, and for
 * that of a kernel's parameter. */
gboolean ps_sweep_macro_check(const PsSweepAsked *asked, const char *file, const PsSweepAxis *vary,
                              GError **error);

G_END_DECLS
#endif
