/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses whether a kernel's machine code or its PTX is executed. A GPU runs machine code, so that
 * is the choice for NVIDIA's GPUs from Volta on if ptxas and nvdisasm are there, unless somebody
 * asks for PTX. The machine code of earlier GPUs is not known, and is scheduled in another way.
 */
#ifndef PIPESIM_CODE_CHOICE_H
#define PIPESIM_CODE_CHOICE_H

#include "code/machine.h"

/* *machine stays NULL if PTX is executed. *what names the choice and its reason (g_free). A line
 * says once that PTX stands in for machine code, or machine code for that of another architecture.
 * FALSE and *error if there is no machine code, and somebody asked for it or there is no PTX. */
gboolean ps_machine_code_choose(const PsMachineCodeOf *of, PsSassCode **machine, char **what,
                                GError **error);

/* Says ahead which machine code ps_machine_code_choose will want listed, as far as it makes
 * some. */
void ps_machine_code_ahead(const PsMachineCodeOf *of, PsDisassembly *work);

#endif
