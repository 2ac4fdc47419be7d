/* SPDX-License-Identifier: BSD-3-Clause */
/* See varied.h. */
#include "tell/varied.h"

void ps_tell_varied(const GPtrArray *axes, const PsRational *values, guint n, PsTold *facts)
{
    for (guint i = 0; i < n; i++) {
        const PsSweepAxis *axis = axes->pdata[i];
        if (axis->words)
            ps_tell_entry_text(facts, axis->name, axis->words->pdata[values[i].num]);
        else
            ps_tell_entry_exact(facts, axis->name, values[i]);
    }
}
