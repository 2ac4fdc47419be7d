/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses whether a kernel's machine code or its PTX is executed. A GPU runs machine code, so that
 * is taken for NVIDIA's GPUs from Volta on where ptxas and nvdisasm are, unless somebody asks for
 * PTX. The machine code of earlier GPUs is not known, and is scheduled in another way.
 */
#ifndef PIPESIM_CODE_CHOICE_H
#define PIPESIM_CODE_CHOICE_H

#include "code/machine.h"

/* *machine stays NULL where PTX is executed. *what says which it is, and why (g_free). A line says
 * once where PTX stands in for machine code, or machine code for that of another architecture.
 * FALSE and *error where there is no machine code, and somebody asked for it or there is no PTX. */
gboolean ps_machine_code_choose(const PsMachineCodeOf *of, PsSassCode **machine, char **what,
                                GError **error);

/* Says ahead which machine code ps_machine_code_choose will want listed, as far as it makes
 * some. */
void ps_machine_code_ahead(const PsMachineCodeOf *of, PsDisassembly *work);

#endif
