/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on levels of memory that are saturated (R7). See advice-private.h. */
#include "answer/advice-private.h"
#include "cli/report/format.h"
#include "answer/levels.h"

#include <string.h>

static char *tell_level(const AdvicePlan *plan, const AdviceItem *item)
{
    g_autofree char *share = format_share(level_load(plan->answer, item->level));
    g_autofree char *text = level_text(item->level);
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *klass = ps_text_clean(item->klass);
    return g_strdup_printf("%s is busy %s of the time: less traffic there helps (%s above all); "
                           "half of it for each instruction %s",
                           text, share, klass, gives);
}

/* Half of the bytes take as long as all of them do at twice the rate. */
static Trial *double_rate(const AdvicePlan *plan, const PsMemoryLevel *level)
{
    const PsRational two = PS_RATIONAL_INT(2);
    PsWhatIf *what_if = ps_what_if_new(ps_level_name(level->level));
    Trial *trial = trial_new(plan->question);
    g_ptr_array_add(trial->latencies, what_if);
    if (!ps_rational_mul(level->bandwidth, two, &what_if->bandwidth) ||
        !ps_rational_mul(level->port, two, &what_if->port))
        trial->why = g_strdup("the rate is too fine");
    return trial;
}

/* A class of which a relief says that it moves more than it has to is told of there. */
void advice_levels(AdvicePlan *plan)
{
    const Answer *answer = plan->answer;
    for (guint i = 0; i < answer->machine->n_levels; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        const guint busiest = level_busiest_class(answer, row);
        if (level_load(answer, row) < ANSWER_NEARLY ||
            advice_has_relief(plan, answer->machine->classes[busiest].asked))
            continue;
        AdviceItem *item = advice_add(plan, "bandwidth", tell_level,
                                      double_rate(plan, &answer->machine->levels[i]));
        item->level = row;
        item->class_ = busiest;
        item->klass = answer->machine->classes[busiest].asked;
    }
}
