/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether the results of a kernel's matrix products matter for the way that it goes. */
#ifndef PIPESIM_PTX_RUN_PRODUCTS_H
#define PIPESIM_PTX_RUN_PRODUCTS_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* FALSE if no branch, guard, address or descriptor follows from a result of tensor cores, so that
 * threads go the same ways and touch the same memory for any results. TRUE, too, if the code is too
 * large to tell. all_issue: the code is a machine's, in which an instruction issues whatever its
 * guard says. Then the guard of an instruction that only computes decides nothing. */
gboolean ps_ptx_products_decide(const PsPtxCode *code, gboolean all_issue);

G_END_DECLS
#endif
