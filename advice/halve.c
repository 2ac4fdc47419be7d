/* SPDX-License-Identifier: BSD-3-Clause */
/* Halves one latency of several classes. See kind.h. */
#include "advice/kind.h"

void ps_advice_halve(PsVariant *variant, const PsAnswer *answer, PsVaries varies,
                     PsAdviceBelongs belongs, const void *to)
{
    const PsMachine *machine = answer->machine;
    const PsRational half = {1, 2}, kept = {0, 1};
    const PsLatency factors =
        varies == PS_VARIES_ISSUE ? (PsLatency){half, kept} : (PsLatency){kept, half};
    for (guint i = 0; i < machine->n_classes; i++)
        if (belongs(&machine->classes[i], to))
            ps_variant_times_latency(variant, answer, i, factors);
}
