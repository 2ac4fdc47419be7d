/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of a source as lists of a sweep: any name that nothing else has may be one. */
#ifndef PIPESIM_SWEEP_MACRO_H
#define PIPESIM_SWEEP_MACRO_H

#include "sweep/asked.h"

G_BEGIN_DECLS

/* Whether the list, if it is of a macro, would change anything of the source in the file, and
 * nothing else. FALSE and *error (PS_ERROR_USAGE) for a name that neither the source nor the launch
 * has, and for that of a kernel's parameter. */
gboolean ps_sweep_macro_check(const PsSweepAsked *asked, const char *file, const PsSweepAxis *vary,
                              GError **error);

G_END_DECLS
#endif
