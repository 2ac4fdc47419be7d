/* SPDX-License-Identifier: BSD-3-Clause */
/* What idg/kernel.c needs of idg/program.c. */
#ifndef PIPESIM_IDG_PROGRAM_PRIVATE_H
#define PIPESIM_IDG_PROGRAM_PRIVATE_H

#include "idg/flat.h"

/* Makes the program of one code in *program, which is zeroed. FALSE and *error on a bad trip
 * count, dependence or attribute; ps_program_clear is due in both cases. */
gboolean ps_program_build(PsProgram *program, const PsIdg *idg, const PsIdgCode *code,
                          const PsScope *scope, GError **error);

/* Resolves what nodes of all programs, which are built, await of others. */
gboolean ps_program_resolve_awaits(PsKernel *kernel, GError **error);

/* Frees what a program owns, not the struct. */
void ps_program_clear(PsProgram *program);

#endif
