/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups that ask for the place of a cluster that has not begun (clusterlaunchcontrol.try_cancel).
 * The executor answers that there is none, so each group does its own work. On a device a group
 * goes on with the next work while its last results are still written, and no new one has to begin.
 */
#include "lift/build-private.h"

#include <string.h>

void ps_build_warn_of_cancels(const PsFacts *facts, GPtrArray *warnings)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        if (facts->facts[p].role == PS_ROLE_ABSENT ||
            strcmp(ps_facts_instruction(facts, p)->mnemonic->opcode, "clusterlaunchcontrol") != 0)
            continue;
        g_autofree char *where = ps_ptx_code_where(facts->code, p);
        g_ptr_array_add(
            warnings,
            g_strdup_printf("%s: groups ask for work of others that have not begun, and get none "
                            "here; where the grid has more groups than the GPU holds at once, the "
                            "time may be too long",
                            where));
        return;
    }
}
