/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on levels of memory that are saturated (R7). See advice-private.h. */
#include "answer/advice-private.h"

/* Half of the bytes take as long as all of them do at twice the rate. */
static PsVariant *double_rate(const PsAdvicePlan *plan, const PsMemoryLevel *level)
{
    PsVariant *variant = ps_variant_new(plan->question);
    PsWhatIf *what_if = ps_variant_times_level(variant, plan->answer, level->level);
    what_if->bandwidth = what_if->port = PS_RATIONAL_INT(2);
    return variant;
}

/* A class that is known to move more than it has to is told of there. */
void ps_advice_levels(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    if (ps_advice_is_at_ceiling(answer))
        return;
    for (guint i = 0; i < answer->machine->n_levels; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        const guint busiest = ps_server_busiest_class(answer, row);
        if (ps_server_utilization(answer, row) < PS_NEARLY_SATURATED ||
            ps_advice_has_avoidable(plan, answer->machine->classes[busiest].asked))
            continue;
        PsVariant *variant = double_rate(plan, &answer->machine->levels[i]);
        ps_advice_add(plan, PS_CAUSE_BANDWIDTH, PS_CHANGE_LEVEL, busiest, variant)->advice->server =
            row;
    }
}
