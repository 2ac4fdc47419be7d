/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "loops": a counter's addition, its comparison and the branch back are one node of the
 * class "loop". Readers of the counter wait for the loop node of the iteration before.
 */
#include "lift/rules/rules.h"
#include "lift/values/induction.h"

static void make_part(PsFacts *facts, guint point, guint branch)
{
    facts->facts[point].role = PS_ROLE_PART;
    facts->facts[point].loop = branch;
}

void ps_rule_loops(PsFacts *facts)
{
    for (guint p = 0; p < facts->code->n_points; p++) {
        PsInduction induction;
        if (facts->facts[p].role != PS_ROLE_NODE || !ps_induction_find(facts, p, &induction) ||
            !induction.back || facts->facts[induction.add].role != PS_ROLE_NODE)
            continue;
        const guint guard = ps_fact_to(facts, &facts->facts[induction.compare])[0];
        facts->facts[p].name = "loop";
        facts->facts[p].loop = p;
        make_part(facts, induction.add, p);
        if (ps_facts_n_readers(facts, guard) == 1)
            make_part(facts, induction.compare, p);
    }
}
