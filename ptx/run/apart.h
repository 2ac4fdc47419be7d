/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether the order matters in which a kernel's groups are executed. */
#ifndef PIPESIM_PTX_RUN_APART_H
#define PIPESIM_PTX_RUN_APART_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* FALSE if a group's work may depend on groups that ran before: the code uses results of atomic
 * operations, adds floating-point numbers atomically, waits for or orders other groups' writes,
 * prints, or reads a clock. TRUE says nothing about groups that race for the same memory. */
gboolean ps_ptx_groups_apart(const PsPtxCode *code);

G_END_DECLS

#endif
