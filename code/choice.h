/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is executed of a kernel: its machine code, or its PTX. Machine code is what a GPU runs, so
 * it is taken for NVIDIA's GPUs from Volta on where ptxas and nvdisasm are, unless somebody asks
 * for PTX. The code of earlier ones is not known, and scheduled otherwise than any that is.
 */
#ifndef PIPESIM_CODE_CHOICE_H
#define PIPESIM_CODE_CHOICE_H

#include "code/machine.h"

/* *machine stays NULL where PTX is executed. *what says which it is, and why (g_free). A line says
 * once where PTX stands in for machine code, or machine code for that of another architecture.
 * FALSE and *error where machine code cannot be had that is asked for, or is all there is. */
gboolean ps_machine_code_choose(const PsMachineCodeOf *of, PsSassCode **machine, char **what,
                                GError **error);

/* What ps_machine_code_choose will find listed, as far as it is machine code that it makes. */
void ps_machine_code_ahead(const PsMachineCodeOf *of, PsDisassembly *work);

#endif
