/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of many bytes that one lane copies from or to. */
#include "ptx/run/copy.h"
#include <string.h>

guint8 *ps_ptx_reach_many(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                          const PsPtxMany *many)
{
    const guint64 at = many->at;
    const guint bytes = many->bytes;
    guint64 address[PS_PTX_LANES] = {0};
    guint8 *first[PS_PTX_LANES] = {NULL}, *last[PS_PTX_LANES] = {NULL};
    const PsPtxTouched piece = {many->space, 16, address, many->reads, 0};
    for (guint done = 0; done < bytes; done += PS_PTX_BLOCK) {
        address[lane] = at + done;
        if (!ps_ptx_reach(runner, step, (guint32)1 << lane, &piece, done ? last : first))
            return NULL;
    }
    address[lane] = at + bytes - 16;
    if (!ps_ptx_reach(runner, step, (guint32)1 << lane, &piece, last))
        return NULL;
    if (last[lane] != first[lane] + bytes - 16) {
        ps_ptx_fail(&runner->open, step, lane, "copies %u bytes from or to more than one buffer",
                    bytes);
        return NULL;
    }
    const PsPtxMachine *machine = ps_ptx_cluster_holds(runner->machine, first[lane]);
    if (!many->reads && machine)
        memset(machine->written + (first[lane] - machine->shared), 1, bytes);
    return first[lane];
}
