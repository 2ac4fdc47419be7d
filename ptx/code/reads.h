/* SPDX-License-Identifier: BSD-3-Clause */
/* Which registers of a kernel's code are read at all. */
#ifndef PIPESIM_PTX_CODE_READS_H
#define PIPESIM_PTX_CODE_READS_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

/* By register of the code, whether an instruction reads it, also as an address or a guard. Free
 * with g_free. */
guint8 *ps_ptx_code_reads(const PsPtxCode *code);

/* TRUE if no instruction reads what the one at the point writes; reads: by register, of the same
 * code. Machine code uses its registers again and again, so there it is TRUE if the destination is
 * none (RZ), which is how assemblers write that. */
gboolean ps_ptx_code_drops(const PsPtxPoint *point, const guint8 *reads);

G_END_DECLS
#endif
